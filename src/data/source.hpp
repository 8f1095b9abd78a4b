#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ktln2::data {

/// Whether there is a file, or something else, of this name.
bool exists(const std::string& path);

/// Has it "*", "?" or "["? It may be a name all the same.
inline bool is_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
}

/// Where bytes come from: a file, any part of which may be read at any time, or a pipe, which runs
/// by once. Read and not mapped, since a mapped file that shrinks ends the program.
class source {
 public:
  /// "-" is standard input. Throws file_error for what cannot be read, and for directories and
  /// devices.
  explicit source(const std::string& path);
  ~source();
  source(const source&) = delete;
  source& operator=(const source&) = delete;
  source(source&&) = delete;
  source& operator=(source&&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Of a file; a pipe does not know.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
  [[nodiscard]] bool is_pipe() const { return !size_; }

  /// Fills the buffer with the bytes from `offset` on, as far as there are any, and says how many
  /// there were. Of a pipe nothing can be read that has run by, but for what was looked at.
  std::size_t read_some(std::uint64_t offset, std::span<std::byte> buffer);
  /// All of the buffer. Throws file_error if the file has fewer.
  void read(std::uint64_t offset, std::span<std::byte> buffer);
  /// The first bytes, at most so many, which remain to be read.
  std::span<const std::byte> look(std::size_t most);

 private:
  std::size_t read_file(std::uint64_t offset, std::span<std::byte> buffer) const;
  std::size_t read_pipe(std::uint64_t offset, std::span<std::byte> buffer);
  std::size_t take(std::span<std::byte> buffer);
  [[noreturn]] void refuse_errno(const char* what) const;

  std::string name_;
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_ = {};
  std::vector<std::byte> looked_at_ = {};
  std::uint64_t position_ = 0;  ///< of a pipe: how much has been taken
  std::mutex turn_;
};

}  // namespace ktln2::data
