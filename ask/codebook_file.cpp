#include <bit>

#include "ask/codebook.hpp"
#include "core/file_text.hpp"
#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/codebook_text.hpp"

namespace ktln2::ask {
int named_codebook::width() const { return static_cast<int>(std::bit_width(code.size() - 1)); }

named_codebook read_codebook(const std::string& name) {
  const std::string path = codebook_file(name).value();
  const std::string where = "codebook " + path;
  return {name, parse_codebook(text_of_file(path, where, "one value a line"), where)};
}

std::optional<named_codebook> optional_codebook(const reader& given, std::string_view argument) {
  const std::string name = given.word(argument);
  if (!codebook_file(name)) return {};
  return read_codebook(name);
}

}  // namespace ktln2::ask
