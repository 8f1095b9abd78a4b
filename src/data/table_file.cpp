#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "data/packing.hpp"
#include "data/readers.hpp"
#include "data/refuse.hpp"
#include "data/table_source.hpp"

namespace ktln2::data {
namespace {

/// The columns of a table, all at once: some rows are read, then their numbers handed out column by
/// column. The shapes are known at the end.
/// How many are beyond all that the format has, and become its largest or its smallest number.
std::uint64_t clipped_among(std::span<const double> values, const number_format& format) {
  const auto end = [&format](double far) { return format.value(format.quantize(far)); };
  const auto lowest = end(-std::numeric_limits<double>::max());
  const auto highest = end(std::numeric_limits<double>::max());
  if (!lowest || !highest || lowest->is_infinite() || highest->is_infinite()) return 0;
  return static_cast<std::uint64_t>(
      std::count_if(values.begin(), values.end(),
                    [low = lowest->to_double(), high = highest->to_double()](double value) {
                      return value < low || value > high;
                    }));
}

class column_stream : public tensor_stream {
 public:
  column_stream(std::unique_ptr<table_rows> rows, std::shared_ptr<std::vector<tensor>> tensors)
      : rows_{std::move(rows)},
        tensors_{std::move(tensors)},
        waiting_(tensors_->size()),
        counts_(tensors_->size()),
        missing_(tensors_->size()),
        clipped_(tensors_->size()) {}

  piece next(std::span<std::byte> buffer) override {
    const std::scoped_lock mine{turn_};
    while (true) {
      while (column_ < waiting_.size() && used_ == waiting_[column_].size()) {
        ++column_;
        used_ = 0;
      }
      if (column_ < waiting_.size()) return from_column(buffer);
      if (!read_rows()) return {};
    }
  }

 private:
  /// Some of what waits in the column.
  piece from_column(std::span<std::byte> buffer) {
    const element& type = (*tensors_)[column_].type;
    const auto bits = static_cast<std::size_t>(type.bits);
    const auto values = std::span<const double>(waiting_[column_]).subspan(used_);
    const auto part = values.first(std::min(values.size(), buffer.size() * 8 / bits));
    clipped_[column_] += clipped_among(part, *type.format);
    const piece made{.tensor = column_,
                     .first = counts_[column_],
                     .count = part.size(),
                     .bytes = pack(part, type, buffer)};
    used_ += part.size();
    counts_[column_] += part.size();
    return made;
  }

  /// The next rows into the columns; false at the end.
  bool read_rows() {
    constexpr std::size_t numbers_at_once = 1 << 18;
    const std::size_t columns = waiting_.size();
    const std::size_t count =
        rows_->next(values_, std::max<std::size_t>(1, numbers_at_once / columns));
    for (std::size_t i = 0; i < columns; ++i) {
      waiting_[i].clear();
      for (std::size_t row = 0; row < count; ++row) {
        const double value = values_[row * columns + i];
        if (std::isnan(value)) {
          ++missing_[i];
        } else {
          waiting_[i].push_back(value);
        }
      }
    }
    column_ = 0;
    used_ = 0;
    if (count == 0) finish();
    return count > 0;
  }

  void finish() {
    column_ = waiting_.size();
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      (*tensors_)[i].shape = {counts_[i]};
      (*tensors_)[i].missing = missing_[i];
      (*tensors_)[i].clipped = clipped_[i];
    }
  }

  std::unique_ptr<table_rows> rows_;
  std::shared_ptr<std::vector<tensor>> tensors_;
  std::vector<double> values_ = {};           ///< row by row
  std::vector<std::vector<double>> waiting_;  ///< column by column
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> missing_;
  std::vector<std::uint64_t> clipped_;
  std::size_t column_ = 0;
  std::size_t used_ = 0;  ///< of what waits in that column
  std::mutex turn_;
};

class table_file : public tensor_file {
 public:
  table_file(std::shared_ptr<source> from, table_layout layout, const element& type)
      : from_{std::move(from)}, layout_{std::move(layout)} {
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      const table_column& one = layout_.columns[i];
      if (one.is_number) {
        columns_.push_back(i);
        tensors_->push_back({.file = from_->name(), .name = one.name, .type = type});
      } else {
        notes_.push_back(from_->name() + ": column " + in_quotes(one.name) +
                         " left out, which holds text");
      }
    }
  }

  [[nodiscard]] const std::vector<tensor>& tensors() const override { return *tensors_; }
  [[nodiscard]] bool runs_by_once() const override { return from_->is_pipe(); }
  [[nodiscard]] std::vector<together> passes() const override { return {{0, tensors_->size()}}; }
  [[nodiscard]] std::unique_ptr<tensor_stream> open(const together& /*pass*/) override {
    return std::make_unique<column_stream>(std::make_unique<table_rows>(from_, layout_, columns_),
                                           tensors_);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  std::shared_ptr<source> from_;
  table_layout layout_;
  std::vector<std::size_t> columns_ = {};
  std::shared_ptr<std::vector<tensor>> tensors_ = std::make_shared<std::vector<tensor>>();
  std::vector<std::string> notes_ = {};
};

}  // namespace

std::unique_ptr<tensor_file> open_table(std::shared_ptr<source> from, const std::string& path,
                                        const open_options& options) {
  table_layout layout = layout_of(*from, path, options.table);
  const element type = options.dtype ? *options.dtype : parse_element("F64");
  require_packable(type);
  return std::make_unique<table_file>(std::move(from), std::move(layout), type);
}

}  // namespace ktln2::data
