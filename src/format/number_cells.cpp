#include "ktln2/format/number_cells.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using zeros = float_description::zeros;

/// Where |x| begins to be stored as a magnitude, on one side of zero: half a spacing below it, at
/// it, at the magnitude before it, or, as odd ones take all between the even ones, one or the
/// other.
enum class reach { nearest, toward_zero, away, odd };

reach reach_of(rounding how, bool negative) {
  switch (how) {
    case rounding::nearest_even:
    case rounding::nearest_away:
      return reach::nearest;
    case rounding::down:
      return negative ? reach::away : reach::toward_zero;
    case rounding::up:
      return negative ? reach::toward_zero : reach::away;
    case rounding::to_odd:
      return reach::odd;
    case rounding::toward_zero:
      break;
  }
  return reach::toward_zero;
}

/// Half of a format: the magnitudes on one side of zero and what is stored as each.
class half_line {
 public:
  half_line(const number_format& format, const storing& rule, bool negative,
            bool zero_is_cut = false)
      : format_{format},
        reach_{reach_of(rule.how, negative)},
        negative_{negative},
        zero_is_above_{negative && !zero_is_cut && format.fields().zero == zeros::one} {}

  [[nodiscard]] reach kind() const { return reach_; }
  /// The magnitudes of this side.
  [[nodiscard]] std::uint64_t first() const { return zero_is_above_ ? 1 : 0; }
  [[nodiscard]] std::uint64_t last() const { return format_.largest(negative_); }
  /// Does anything become too large?
  [[nodiscard]] bool overflows() const {
    if (reach_ == reach::odd) return last() % 2 == 0;
    return reach_ != reach::toward_zero;
  }

  /// The least |x| that is stored as this magnitude or a larger one; also for one beyond the
  /// largest.
  [[nodiscard]] wide begin(std::uint64_t magnitude) const {
    return magnitude == 0 ? wide(0.0) : begin(magnitude, &format_.run_of(magnitude));
  }
  /// The same for the first one of a run.
  [[nodiscard]] wide begin(const magnitude_run& run) const {
    if (run.first == 0) return 0.0;
    return reach_ == reach::nearest ? run.lower_edge : begin(run.first, &run);
  }

 private:
  [[nodiscard]] wide begin(std::uint64_t magnitude, const magnitude_run* run) const {
    const bool has_next = run != &format_.runs().back();
    if (magnitude > run->last() && has_next) magnitude = (++run)->first;  // a code of no number
    const bool is_above =
        reach_ == reach::toward_zero || (reach_ == reach::odd && magnitude % 2 == 0);
    if (is_above) return run->value(magnitude);
    const bool is_first = magnitude == run->first;
    if (reach_ == reach::nearest) {
      return is_first ? run->lower_edge : run->value(magnitude) - run->spacing.scaled(-1);
    }
    if (!is_first) return run->value(magnitude - 1);
    const magnitude_run& before = *(run - 1);
    return before.value(before.last());
  }

  const number_format& format_;
  reach reach_;
  bool negative_;
  bool zero_is_above_;  ///< and not of this side
};

/// What lies between the cells of the numbers and infinity.
enum class ending {
  none,   ///< the last number's cell goes on for ever
  apart,  ///< a cell of its own
};

/// The cells of one side, by runs of magnitudes, each with the groups of codes that begin in it.
class side_cells {
 public:
  side_cells(const number_format& format, const storing& rule, bool negative, int dropped_bits,
             bool zero_is_cut)
      : format_{format}, line_{format, rule, negative, zero_is_cut} {
    group_ = dropped_bits < 64 ? std::uint64_t{1} << dropped_bits : 0;
    // Codes of two's complement end with a group where those of a sign and a magnitude begin.
    offset_ = negative && format.kind() != number_format::family::floating ? 1 : 0;
    const auto& runs = format.runs();
    std::size_t end = runs.size();
    while (first_run_ < end && runs[first_run_].last() < line_.first()) ++first_run_;
    while (end > first_run_ && runs[end - 1].first > line_.last()) --end;
    count_ = end - first_run_;
    if (group_ == 1) return;
    for (std::size_t r = first_run_; r < end; ++r) {
      const bool begins = starts_.empty() ||
                          group_start_from(runs[r].first) <= std::min(runs[r].last(), line_.last());
      if (begins) starts_.push_back(r);
    }
    count_ = starts_.size();
  }

  /// Nothing but 0 itself is stored as a zero where all else is rounded away from it.
  void drop_empty_zero() {
    if (count_ <= 1 || begin(1) != wide(0.0)) return;
    ++first_run_;
    --count_;
    if (!starts_.empty()) starts_.erase(starts_.begin());
  }

  [[nodiscard]] const half_line& line() const { return line_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The first magnitude of the group that holds this one.
  [[nodiscard]] std::uint64_t group_of(std::uint64_t magnitude) const {
    if (group_ == 0 || magnitude < offset_) return line_.first();
    return std::max(line_.first(), magnitude - (magnitude - offset_) % group_);
  }

  /// Where block i begins, as |x|; for i = count() where the numbers end.
  [[nodiscard]] wide begin(std::size_t i) const {
    if (i > 0 && i < count() && group_ == 1) return line_.begin(run_at(i));
    if (i < count()) return line_.begin(first_group(i));
    return line_.begin(line_.last() + (last_is_apart_ ? 0 : 1));
  }
  /// The last one is even, and yet something is stored as it, though all that is too large.
  void set_last_apart() { last_is_apart_ = true; }

  /// The cells of block i from `left` to `right`, as |x|.
  [[nodiscard]] std::array<cell_run, 3> cells(std::size_t i, const wide& left,
                                              const wide& right) const {
    const magnitude_run& run = run_at(i);
    const std::uint64_t first = first_group(i);
    const std::uint64_t end = std::min(run.last(), line_.last());
    const std::uint64_t second = group_ == 0 ? end + 1 : next_group(first);
    if (second > end) return {cell_run{left, right, right - left, 1}, cell_run{}, cell_run{}};
    const std::uint64_t last = group_of(end);
    const std::uint64_t inside = (last - second) / group_;
    const wide width = wide::from_integer(group_) * run.spacing;
    const wide from = line_.begin(second);
    const wide to = inside == 0 ? from : line_.begin(last);
    const bool first_is_regular = from - width == left;
    const bool last_is_regular = to + width == right;
    cell_run middle{from, to, width, inside};
    if (first_is_regular) middle.left = left, ++middle.count;
    if (last_is_regular) middle.right = right, ++middle.count;
    return {first_is_regular ? cell_run{} : cell_run{left, from, from - left, 1}, middle,
            last_is_regular ? cell_run{} : cell_run{to, right, right - to, 1}};
  }

 private:
  [[nodiscard]] const magnitude_run& run_at(std::size_t i) const {
    return format_.runs()[starts_.empty() ? first_run_ + i : starts_[i]];
  }
  [[nodiscard]] std::uint64_t next_group(std::uint64_t magnitude) const {
    return magnitude + (group_ - (magnitude - offset_) % group_);
  }
  /// The first group that begins at this magnitude or above.
  [[nodiscard]] std::uint64_t group_start_from(std::uint64_t magnitude) const {
    if (group_ == 0) return ~std::uint64_t{0};
    if (magnitude < offset_) return offset_;
    const std::uint64_t rest = (magnitude - offset_) % group_;
    return rest == 0 ? magnitude : magnitude + (group_ - rest);
  }
  [[nodiscard]] std::uint64_t first_group(std::size_t i) const {
    const std::uint64_t first = run_at(i).first;
    return i == 0 ? std::max(first, line_.first()) : group_start_from(first);
  }
  const number_format& format_;
  half_line line_;
  std::uint64_t group_ = 1;  ///< magnitudes that share their leading bits; 0 for 2^64
  std::uint64_t offset_ = 0;
  bool last_is_apart_ = false;
  std::size_t first_run_ = 0;
  std::size_t count_ = 0;            ///< of runs in which a group begins
  std::vector<std::size_t> starts_;  ///< these runs; where codes are alone, all from the first on
};

std::array<cell_run, 3> mirrored(std::array<cell_run, 3> cells) {
  std::swap(cells[0], cells[2]);
  for (cell_run& run : cells) {
    const wide left = run.left;
    run.left = -run.right;
    run.right = -left;
  }
  return cells;
}

/// Blocks: what is too large below, the runs of the negative numbers, those of the others, what is
/// too large above.
class number_cells : public cell_source {
 public:
  number_cells(const number_format& format, const storing& rule, int dropped_bits,
               bool zero_is_cut = false)
      : format_{format},
        below_{format_, rule, true, dropped_in_cells(rule, dropped_bits), zero_is_cut},
        above_{format_, rule, false, dropped_in_cells(rule, dropped_bits), zero_is_cut},
        has_groups_{dropped_in_cells(rule, dropped_bits) > 0} {
    const bool is_signed = format.is_signed();
    const bool saturates = rule.beyond == overflow::saturate;
    below_ending_ = ending_of(below_, saturates || !is_signed, true);
    above_ending_ = ending_of(above_, saturates, false);
    if (!is_signed) {
      // What is below zero and not stored as zero is no number.
      below_count_ = 0;
      // Or it is zero, which is even and shares nothing with the odd code above it.
      const bool is_apart = !saturates || (rule.how == rounding::to_odd && dropped_bits == 0);
      if (is_apart) below_ending_ = ending::apart;
      zero_ends_ = is_apart ? -lowest_of_zero() : wide(-infinity);
    } else {
      below_.drop_empty_zero();
      below_count_ = below_.count();
      // One zero is of both signs.
      const bool is_one = format.fields().zero == zeros::one && !zero_is_cut;
      zero_ends_ = is_one ? -below_.line().begin(1) : wide(0.0);
      const bool even_shares =
          format.kind() == number_format::family::twos_complement && format.largest(true) % 2 == 0;
      if (even_shares && rule.how == rounding::to_odd && dropped_bits == 0) {
        below_.set_last_apart();
        below_ending_ = ending::apart;
      }
    }
    if (zero_ends_ == wide(0.0)) above_.drop_empty_zero();
    share_codes(rule, dropped_bits);
  }

  [[nodiscard]] cell_facts facts() const override {
    const register_code all = register_code{1} << format_.width();
    const wide end = std::max(above_.line().begin(above_.line().last() + 1), format_.max());
    const wide low = format_.is_signed() ? -end : wide(0.0);
    // Groups of codes of two's complement do not begin at opposite numbers.
    const bool groups_are_alike = format_.kind() == number_format::family::floating || !has_groups_;
    const bool alike = groups_are_alike && below_count_ == above_.count() &&
                       below_ending_ == above_ending_ &&
                       below_.line().kind() == above_.line().kind() &&
                       format_.largest(true) == format_.largest(false);
    return {.size = all,
            .block_count = below_extra() + below_count_ + above_.count() + above_extra(),
            .is_symmetric = alike && zero_ends_ == wide(0.0),
            .widens_outward = format_.kind() != number_format::family::posit,
            .granular = {low, end}};
  }

  [[nodiscard]] wide block_left(std::size_t block) const override {
    if (block == 0) return -infinity;
    if (block == facts_count()) return infinity;
    block -= below_extra();
    if (block < below_count_) return -below_.begin(below_count_ - block);
    block -= below_count_;
    return block == 0 ? zero_ends_ : above_.begin(block);
  }

  [[nodiscard]] std::array<cell_run, 3> block(std::size_t block) const override {
    const wide left = block_left(block);
    const wide right = block_left(block + 1);
    const std::size_t first_above = below_extra() + below_count_;
    if (block < below_extra() || block >= first_above + above_.count()) {
      return {cell_run{left, right, right - left, 1}, cell_run{}, cell_run{}};
    }
    if (block < first_above) {
      return mirrored(below_.cells(first_above - 1 - block, -right, -left));
    }
    return above_.cells(block - first_above, left, right);
  }

  [[nodiscard]] const std::vector<interval>& alike() const { return alike_; }

 private:
  /// Of two neighboring codes only the odd one is written, for all between the even ones.
  static int dropped_in_cells(const storing& rule, int dropped_bits) {
    return rule.how == rounding::to_odd ? std::max(dropped_bits, 1) : dropped_bits;
  }
  [[nodiscard]] std::size_t below_extra() const { return below_ending_ == ending::apart ? 1 : 0; }
  [[nodiscard]] std::size_t above_extra() const { return above_ending_ == ending::apart ? 1 : 0; }
  [[nodiscard]] std::size_t facts_count() const {
    return below_extra() + below_count_ + above_.count() + above_extra();
  }
  [[nodiscard]] wide lowest_of_zero() const {
    return format_.fields().zero == zeros::none ? wide(0.0) : below_.line().begin(1);
  }

  /// Has what is too large a cell of its own? Not if it shares the leading bits of the largest.
  [[nodiscard]] ending ending_of(const side_cells& side, bool saturates, bool negative) const {
    if (saturates || !side.line().overflows()) return ending::none;
    const std::uint64_t last = side.line().last();
    const bool is_next = format_.infinity_code(negative) == format_.code(negative, last + 1);
    const bool shares = is_next && side.group_of(last + 1) == side.group_of(last);
    return shares ? ending::none : ending::apart;
  }

  /// Which cells have the code of a NaN.
  void share_codes(const storing& rule, int dropped_bits) {
    if (rule.beyond == overflow::saturate) return;
    const std::size_t count = facts_count();
    const interval lowest{-infinity, block_left(1)};
    const interval highest = last_cell();
    if (!format_.is_signed()) {
      // NaN is the top code, infinity the one before it.
      const bool is_same =
          leading(*format_.nan_code(), dropped_bits) == leading(top_code_above(rule), dropped_bits);
      if (is_same && count > 1) alike_ = {lowest, highest};
      return;
    }
    // One code for what is too large on either side, and for the numbers that begin as it does.
    const bool one_nan = rule.beyond == overflow::to_nan && format_.nan_code() &&
                         format_.nan_code(true) == format_.nan_code(false);
    if (!one_nan || count < 2) return;
    if (below_ending_ == ending::apart) alike_.push_back(lowest);
    if (above_ending_ == ending::apart) alike_.push_back(highest);
    if (dropped_bits > 0 && !alike_.empty()) {
      const auto numbers = numbers_that_begin_as(*format_.nan_code(), dropped_bits);
      if (numbers) alike_.push_back(*numbers);
    }
    if (alike_.size() < 2) alike_.clear();
  }

  /// Those whose codes differ from that of the only NaN in the lowest bits alone, if there are any.
  [[nodiscard]] std::optional<interval> numbers_that_begin_as(std::uint64_t nan,
                                                              int dropped_bits) const {
    const std::uint64_t group = std::uint64_t{1} << std::min(dropped_bits, 63);
    if (format_.fields().nan == float_description::nan_codes::negative_zero) {
      // The negative numbers next to zero.
      const std::uint64_t end = std::min(group, below_.line().last() + 1);
      const bool to_the_end = end == below_.line().last() + 1 && below_ending_ == ending::none;
      return interval{to_the_end ? wide(-infinity) : -below_.line().begin(end), zero_ends_};
    }
    const std::uint64_t first = nan - nan % group;
    const std::uint64_t last = above_.line().last();
    if (first > last) return {};
    return interval{first == 0 ? zero_ends_ : above_.line().begin(first),
                    above_ending_ == ending::none ? wide(infinity) : above_.line().begin(last + 1)};
  }

  [[nodiscard]] static std::uint64_t leading(std::uint64_t code, int dropped_bits) {
    return dropped_bits < 64 ? code >> dropped_bits : 0;
  }
  /// The code of the last cell.
  [[nodiscard]] std::uint64_t top_code_above(const storing& rule) const {
    if (!above_.line().overflows()) return format_.largest();
    return rule.beyond == overflow::to_nan ? *format_.nan_code() : *format_.infinity_code(false);
  }
  [[nodiscard]] interval last_cell() const {
    const auto cells = block(facts_count() - 1);
    for (std::size_t i = 3; i-- > 0;) {
      if (cells[i].count > 0) return {cells[i].edge(cells[i].count - 1), infinity};
    }
    return {infinity, infinity};
  }

  number_format format_;
  side_cells below_;
  side_cells above_;
  bool has_groups_;  ///< of codes that share a cell
  std::size_t below_count_ = 0;
  ending below_ending_ = ending::none;
  ending above_ending_ = ending::none;
  wide zero_ends_;  ///< where the cell of zero, or of the smallest positive number, begins
  std::vector<interval> alike_;
};

}  // namespace

register_cells cells_of(const number_format& format, const storing& rule, int dropped_bits) {
  format.require(rule);
  if (rule.by_chance) {
    throw std::domain_error(format.name() + ": rounding '" + name_of_rounding(rule) +
                            "' has no cells, it is a channel");
  }
  require_in_range("cells", "dropped bits", dropped_bits, 0, format.width());
  auto made = std::make_shared<const number_cells>(format, rule, dropped_bits);
  std::vector<interval> alike = made->alike();
  return {partition{std::move(made)}, std::move(alike)};
}

partition cells_cut_at_zero(const number_format& format, const storing& rule) {
  (void)cells_of(format, rule);  // checks
  return partition{std::make_shared<const number_cells>(format, rule, 0, true)};
}

bool may_overflow(const number_format& format, const storing& rule, bool negative) {
  return rule.beyond != overflow::saturate && half_line{format, rule, negative}.overflows();
}

interval cell_of(const number_format& format, const storing& rule, bool negative,
                 std::uint64_t first, std::uint64_t last) {
  const half_line line{format, rule, negative};
  return {line.begin(first), line.begin(last + 1)};
}

}  // namespace ktln2
