#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ktln2::cli {

/// The file that a sweep writes: CSV, or NumPy's .npz by its suffix. Until all rows are there they
/// stand in FILE.part, a CSV that begins with the question in a comment; a sweep that was
/// interrupted or killed goes on behind the last complete row of it. The finished file bears the
/// question too, so that nobody's work is written over.
class sweep_file {
 public:
  /// Looks, and writes nothing yet. This and `begin` throw std::domain_error where there is no
  /// place for FILE, and where it or FILE.part belong to another sweep or to something else, and
  /// std::runtime_error where they cannot be read or written, or another process writes them.
  sweep_file(std::filesystem::path file, std::string question);
  ~sweep_file();
  sweep_file(const sweep_file&) = delete;
  sweep_file& operator=(const sweep_file&) = delete;
  sweep_file(sweep_file&&) = delete;
  sweep_file& operator=(sweep_file&&) = delete;

  /// Is the finished file there already?
  [[nodiscard]] bool is_complete() const { return is_complete_; }
  /// The rows that are there.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// Opens FILE.part, unless all is there already, and keeps the whole rows in it. To be called
  /// before the first row.
  void begin(std::vector<std::string> headings);
  /// Whole rows, which are on their way to the disk when this returns.
  void append(std::string_view csv);
  /// To be called behind the last row.
  void finish();
  /// What a finished CSV says.
  [[nodiscard]] std::string text() const;

 private:
  void keep_whole_rows();

  std::filesystem::path file_;
  std::filesystem::path part_;
  std::string question_;
  std::vector<std::string> headings_;
  std::string head_;  ///< the comment and the headings
  int descriptor_ = -1;
  std::uint64_t rows_ = 0;
  bool is_complete_ = false;
};

}  // namespace ktln2::cli
