#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

/// A folder of one's own that goes with the test. Tests run side by side, so what a test writes
/// lies in such a folder.
class scratch {
 public:
  scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ktln2-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = pattern;
  }
  ~scratch() { std::filesystem::remove_all(path_); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  scratch(scratch&&) = delete;
  scratch& operator=(scratch&&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return path_; }
  [[nodiscard]] std::string path(std::string_view name) const { return (path_ / name).string(); }
  /// Writes a file and gives its path.
  [[nodiscard]] std::string file(std::string_view name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

/// A whole number as so many bytes, the lowest first.
inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xFFU);
  return text;
}
