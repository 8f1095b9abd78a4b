#pragma once

#include <string>
#include <vector>

namespace ktln2::cli {

/// Turns a CSV, with comments in front and these headings, into NumPy's .npz: one array a column,
/// of float64 (nan for an empty entry), bool or text, and `question` in words. The same rows give
/// the same bytes. Throws std::runtime_error where a file cannot be read or written.
void write_npz(const std::string& file, const std::string& csv,
               const std::vector<std::string>& headings, const std::string& question);

/// The question that such a file answers; empty if the file is none, or none of ours.
std::string question_in_npz(const std::string& file);

}  // namespace ktln2::cli
