#include <deque>
#include <limits>
#include <utility>

#include "data/refuse.hpp"
#include "data/source.hpp"
#include "data/table_cell.hpp"
#include "data/table_splitter.hpp"
#include "ktln2/data/table.hpp"

namespace ktln2::data {

class table_rows::reading {
 public:
  reading(std::shared_ptr<source> from, table_layout layout, std::vector<std::size_t> columns)
      : from_{std::move(from)},
        layout_{std::move(layout)},
        columns_{std::move(columns)},
        splitter_{from_->name(), layout_.delimiter},
        offset_{layout_.start},
        awaits_header_{layout_.has_header},
        buffer_(std::size_t{1} << 16) {}

  std::size_t next(std::vector<double>& values, std::size_t most) {
    values.clear();
    const row_handler keep = [&](std::size_t line, std::span<const std::string_view> cells) {
      if (!std::exchange(awaits_header_, false)) add(line, cells, values);
    };
    while (!is_at_end_ && values.size() < most * columns_.size()) {
      const std::size_t got = from_->read_some(offset_, buffer_);
      offset_ += got;
      is_at_end_ = got < buffer_.size();
      splitter_.feed({reinterpret_cast<const char*>(buffer_.data()), got}, keep);
      if (is_at_end_) splitter_.finish(keep);
    }
    return values.size() / columns_.size();
  }

 private:
  void add(std::size_t line, std::span<const std::string_view> cells, std::vector<double>& values) {
    if (cells.size() != layout_.columns.size()) {
      refuse_file(from_->name(), "line " + std::to_string(line) + ": has " +
                                     std::to_string(cells.size()) + " cells, expected " +
                                     std::to_string(layout_.columns.size()) +
                                     " as in the first row");
    }
    for (const std::size_t i : columns_) {
      const cell one = parse_cell(cells[i], layout_.decimal_comma);
      if (one.what == cell::kind::missing) {
        values.push_back(std::numeric_limits<double>::quiet_NaN());
      } else if (one.what == cell::kind::number) {
        values.push_back(one.value);
      } else {
        refuse_cell(line, i, cells[i], one.what);
      }
    }
  }

  [[noreturn]] void refuse_cell(std::size_t line, std::size_t column, std::string_view text,
                                cell::kind what) const {
    const std::string where = "line " + std::to_string(line) + ", column " +
                              in_quotes(layout_.columns[column].name) + ": ";
    if (what == cell::kind::beyond) {
      refuse_file(from_->name(),
                  where + in_quotes(text) + " is beyond the range of double precision");
    }
    refuse_file(
        from_->name(),
        where + "expected a number, got " + in_quotes(text) +
            (what == cell::kind::decimal_comma ? "; --decimal-comma reads such numbers" : ""));
  }

  std::shared_ptr<source> from_;
  table_layout layout_;
  std::vector<std::size_t> columns_;
  table_splitter splitter_;
  std::uint64_t offset_;
  bool awaits_header_;
  bool is_at_end_ = false;
  std::vector<std::byte> buffer_;
};

table_rows::table_rows(std::shared_ptr<source> from, table_layout layout,
                       std::vector<std::size_t> columns)
    : reading_{std::make_unique<reading>(std::move(from), std::move(layout), std::move(columns))} {}

table_rows::~table_rows() = default;

std::size_t table_rows::next(std::vector<double>& values, std::size_t most) {
  return reading_->next(values, most);
}

}  // namespace ktln2::data
