#include <array>
#include <bit>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "ask/codebook.hpp"
#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/codebook_text.hpp"

namespace ktln2::ask {
namespace {

/// The bytes of a file, of which there may be no end.
std::string content_of(const std::string& path, const std::string& where) {
  constexpr std::size_t most = std::size_t{64} << 20;
  std::error_code none;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, none)) {
    throw std::domain_error(where + ": cannot be read: expected a file with one value a line");
  }
  std::string text;
  std::array<char, 65536> part{};
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most) throw std::domain_error(where + ": must not be larger than 64 MiB");
  }
  if (file.bad()) throw std::domain_error(where + ": cannot be read to its end");
  return text;
}

}  // namespace

int named_codebook::width() const { return static_cast<int>(std::bit_width(code.size() - 1)); }

named_codebook read_codebook(const std::string& name) {
  const std::string path = codebook_file(name).value();
  const std::string where = "codebook " + path;
  return {name, parse_codebook(content_of(path, where), where)};
}

std::optional<named_codebook> optional_codebook(const reader& given, std::string_view argument) {
  const std::string name = given.word(argument);
  if (!codebook_file(name)) return {};
  return read_codebook(name);
}

}  // namespace ktln2::ask
