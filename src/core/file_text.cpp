#include "core/file_text.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ktln2 {

std::string text_of_file(const std::string& path, const std::string& where,
                         const std::string& expected, std::size_t most_mebibytes) {
  std::error_code none;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, none)) {
    throw std::domain_error(where + ": cannot be read: expected a file with " + expected);
  }
  std::string text;
  std::array<char, 65536> part{};
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_mebibytes << 20) {
      throw std::domain_error(where + ": must not be larger than " +
                              std::to_string(most_mebibytes) + " MiB");
    }
  }
  if (file.bad()) throw std::domain_error(where + ": cannot be read to its end");
  return text;
}

}  // namespace ktln2
