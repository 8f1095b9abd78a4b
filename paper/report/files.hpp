#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// The files that a run leaves: whole or not at all.
namespace ktln2::paper {

/// The whole file; empty if there is none.
std::string contents_of(const std::filesystem::path& file);

/// Renames a file that was written aside, once it is on the disk: a machine that loses its power
/// has the old file or the whole new one. Throws std::runtime_error if it cannot.
void put_in_place(const std::filesystem::path& aside, const std::filesystem::path& file);

/// Writes a file aside and puts it in place. Throws std::runtime_error if it cannot.
void write_whole(const std::filesystem::path& file, std::string_view text);

/// Throws std::domain_error that begins with `where`, the option that names the file, unless its
/// folder is there and a file can be put into it.
void require_place(const std::string& where, const std::filesystem::path& file);

/// The directory and its folders, for one run at a time, without what a run that was killed left.
/// Throws std::domain_error if it cannot be made there, and std::runtime_error if another run is
/// writing to it, or the disk is full.
class output_directory {
 public:
  explicit output_directory(const std::filesystem::path& out);
  ~output_directory();
  output_directory(const output_directory&) = delete;
  output_directory& operator=(const output_directory&) = delete;
  output_directory(output_directory&&) = delete;
  output_directory& operator=(output_directory&&) = delete;

 private:
  int lock_ = -1;
};

}  // namespace ktln2::paper
