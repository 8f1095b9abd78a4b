#pragma once

#include <csv.h>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "data/cell_machine.hpp"

/// Another opinion on cells.
class libcsv_cells {
 public:
  explicit libcsv_cells(char delimiter) {
    csv_init(&parser_, 0);
    csv_set_delim(&parser_, static_cast<unsigned char>(delimiter));
  }
  ~libcsv_cells() { csv_free(&parser_); }
  libcsv_cells(const libcsv_cells&) = delete;
  libcsv_cells& operator=(const libcsv_cells&) = delete;
  libcsv_cells(libcsv_cells&&) = delete;
  libcsv_cells& operator=(libcsv_cells&&) = delete;

  void take(std::string_view part) {
    if (csv_parse(&parser_, part.data(), part.size(), keep_cell, keep_row, this) != part.size()) {
      throw std::bad_alloc();
    }
  }
  void finish() { csv_fini(&parser_, keep_cell, keep_row, this); }

  /// Whether the machine, which was given the same, stands where this one does.
  bool agrees(ktln2::data::cell_machine& machine) const {
    // Its states, which the header does not name
    constexpr int before_a_row = 0;
    constexpr int after_a_closing_quote = 3;
    const bool is_in_quotes = parser_.quoted != 0 && parser_.pstate != after_a_closing_quote;
    const auto found = machine.cells();
    std::size_t bytes = 0;
    for (const std::string& cell : cells_) bytes += cell.size();
    return std::equal(cells_.begin(), cells_.end(), found.begin(), found.end()) &&
           machine.has_row() == has_row_ && machine.closed_cells() == cells_.size() &&
           machine.closed_bytes() == bytes && machine.open_bytes() == parser_.entry_pos &&
           machine.is_between_rows() == (parser_.pstate == before_a_row) &&
           machine.is_in_quotes() == is_in_quotes;
  }
  void drop_row() {
    cells_.clear();
    has_row_ = false;
  }

 private:
  static void keep_cell(void* text, std::size_t length, void* self) {
    static_cast<libcsv_cells*>(self)->cells_.emplace_back(static_cast<const char*>(text), length);
  }
  static void keep_row(int /*end*/, void* self) {
    static_cast<libcsv_cells*>(self)->has_row_ = true;
  }

  csv_parser parser_{};
  std::vector<std::string> cells_ = {};
  bool has_row_ = false;
};

/// Whether both make the same of a text, in parts that end with lines and after every `length`
/// bytes.
inline bool splits_like_libcsv(std::string_view text, char delimiter, std::size_t length) {
  libcsv_cells expected{delimiter};
  ktln2::data::cell_machine found{delimiter};
  const auto agree = [&] {
    const bool is_same = expected.agrees(found);
    if (!found.has_row()) return is_same;
    expected.drop_row();
    found.drop_row();
    return is_same;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size() - 1) + 1;
    const std::string_view part = text.substr(0, std::min(end, length));
    expected.take(part);
    found.take(part);
    if (!agree()) return false;
    text.remove_prefix(part.size());
  }
  expected.finish();
  found.finish();
  return agree();
}
