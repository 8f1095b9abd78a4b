#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"

namespace ktln2::cli {

enum class style { text, json, csv };

/// A value shown to the digit that its error bar reaches, and the bar: "26.46373399079 ± 8.1e-14".
std::string with_error(const bounded<bits>& value);

/// Rows under headings, each column as wide as its widest entry; numbers to the right.
class table {
 public:
  explicit table(std::vector<std::string> headings) { add(std::move(headings)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string csv() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// A bar of `full` blocks, filled so far.
std::string blocks(double share, int full, const char* empty = "");

/// Words in lines of at most `width` characters, all but the first indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

/// Throws std::runtime_error if nobody takes it, interrupted_work if a signal ends the wait.
void print(std::string_view text);
/// What was printed goes out now; throws as print does.
void flush();
/// To stderr, at once and in one line: there may be somebody's names in it.
void warn(std::string_view text);

}  // namespace ktln2::cli
