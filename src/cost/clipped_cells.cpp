#include "cost/clipped_cells.hpp"

#include <algorithm>
#include <memory>

#include "core/constants.hpp"

namespace ktln2 {
namespace {

cell_run mirrored(const cell_run& run) { return {-run.right, -run.left, run.width, run.count}; }

/// Of the cells of a block, `count` from the one with the number `first` on.
std::array<cell_run, 3> trimmed(std::array<cell_run, 3> runs, std::uint64_t first,
                                std::uint64_t count) {
  for (cell_run& run : runs) {
    const std::uint64_t skipped = std::min(first, run.count);
    const std::uint64_t kept = std::min(count, run.count - skipped);
    first -= skipped;
    count -= kept;
    run = kept == 0 ? cell_run{}
                    : cell_run{run.edge(skipped), run.edge(skipped + kept), run.width, kept};
  }
  return runs;
}

class clipped_source : public cell_source {
 public:
  clipped_source(const float_format& format, const told_apart& middle)
      : format_{format},
        cells_{format},
        middle_{middle},
        in_block_{register_code{1} << (format.p() - 1)},
        has_low_{middle.first > 0},
        has_high_{middle.end < format.size() / 2} {
    low_edge_ = edge_before(middle.first);
    high_edge_ = edge_before(middle.end);
    if (middle.first == middle.end) return;
    first_block_ = static_cast<std::size_t>(middle.first / in_block_);
    middle_blocks_ = static_cast<std::size_t>((middle.end - 1) / in_block_) - first_block_ + 1;
  }

  [[nodiscard]] cell_facts facts() const override {
    const register_code merged = (has_low_ ? 1 : 0) + (has_high_ ? 1 : 0);
    return {.size = 2 * (middle_.end - middle_.first + merged),
            .block_count = 2 * half(),
            .is_symmetric = true,
            .widens_outward = false,
            .granular = cells_.granular()};
  }

  [[nodiscard]] wide block_left(std::size_t block) const override {
    if (block == 2 * half()) return infinity;
    return block < half() ? -positive_right(half() - 1 - block) : positive_left(block - half());
  }

  [[nodiscard]] std::array<cell_run, 3> block(std::size_t block) const override {
    if (block >= half()) return positive_block(block - half());
    std::array<cell_run, 3> runs = positive_block(half() - 1 - block);
    std::reverse(runs.begin(), runs.end());
    for (cell_run& run : runs) run = run.count == 0 ? run : mirrored(run);
    return runs;
  }

 private:
  [[nodiscard]] std::size_t half() const {
    return (has_low_ ? 1U : 0U) + middle_blocks_ + (has_high_ ? 1U : 0U);
  }
  [[nodiscard]] wide edge_before(register_code k) const {
    if (k == 0) return 0.0;
    return k == format_.size() / 2 ? wide(infinity) : positive_cell(cells_, format_, k).left;
  }

  [[nodiscard]] std::array<cell_run, 3> positive_block(std::size_t i) const {
    if (has_low_ && i == 0) return {cell_run{0.0, low_edge_, low_edge_, 1}, {}, {}};
    if (has_high_ && i + 1 == half()) return {cell_run{high_edge_, infinity, infinity, 1}, {}, {}};
    const std::size_t level = first_block_ + i - (has_low_ ? 1U : 0U);
    const register_code start = level * in_block_;
    const register_code first = std::max(middle_.first, start);
    const register_code end = std::min(middle_.end, start + in_block_);
    return trimmed(cells_.block(cells_.block_count() / 2 + level),
                   static_cast<std::uint64_t>(first - start),
                   static_cast<std::uint64_t>(end - first));
  }
  [[nodiscard]] wide positive_left(std::size_t i) const {
    const auto runs = positive_block(i);
    return std::find_if(runs.begin(), runs.end(), [](const auto& run) { return run.count > 0; })
        ->left;
  }
  [[nodiscard]] wide positive_right(std::size_t i) const {
    return i + 1 == half() ? wide(infinity) : positive_left(i + 1);
  }

  float_format format_;
  partition cells_;
  told_apart middle_;
  register_code in_block_;
  bool has_low_;
  bool has_high_;
  wide low_edge_;
  wide high_edge_;
  std::size_t first_block_ = 0;
  std::size_t middle_blocks_ = 0;
};

}  // namespace

cell_run positive_cell(const partition& cells, const float_format& format, register_code k) {
  const register_code in_block = register_code{1} << (format.p() - 1);
  const auto level = static_cast<std::size_t>(k / in_block);
  const auto runs = trimmed(cells.block(cells.block_count() / 2 + level),
                            static_cast<std::uint64_t>(k % in_block), 1);
  return *std::find_if(runs.begin(), runs.end(), [](const auto& run) { return run.count > 0; });
}

partition clipped_cells(const float_format& format, const told_apart& middle) {
  return partition{std::make_shared<const clipped_source>(format, middle)};
}

}  // namespace ktln2
