#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace fuzz {

/// A folder of one's own, in memory where there is such a place, for readers of files.
class folder {
 public:
  folder() {
    std::string pattern = std::filesystem::exists("/dev/shm") ? "/dev/shm/ktln2-fuzz-XXXXXX"
                                                              : "/tmp/ktln2-fuzz-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~folder() { std::filesystem::remove_all(path_); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  folder(folder&&) = delete;
  folder& operator=(folder&&) = delete;

  [[nodiscard]] std::filesystem::path file(std::string_view name) const { return path_ / name; }
  void write(std::string_view name, std::string_view text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace fuzz
