#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ktln2/format/block_format.hpp"
#include "ktln2/measure/estimator.hpp"
#include "ktln2/measure/tensor_counts.hpp"

namespace ktln2::measure {

/// What becomes of the finite numbers of a tensor in another format.
struct requantized_facts {
  std::uint64_t count = 0;
  std::uint64_t clipped = 0;        ///< beyond the largest number, and so stored as it
  std::uint64_t flushed = 0;        ///< stored as 0, and were not
  double rms_error = 0;             ///< the root of the mean square
  double rms = 0;                   ///< of the numbers themselves
  double worst_relative_error = 0;  ///< of a number that was not clipped; 1 if one was flushed
  double bits_per_number = 0;       ///< that the format takes, with the share of scales
  bounded<bits> entropy;            ///< that its codes carry, a number
  /// Of a format in blocks. What elements and scales say of each other is not taken off `entropy`:
  /// it is the most that they carry.
  std::optional<bounded<bits>> element_entropy = {};
  std::optional<bounded<bits>> scale_entropy = {};  ///< of each scale
};

class decoder;

/// Stores the numbers of a tensor once more. They are rounded to nearest, and saturate. Blocks are
/// of neighbors as they lie in the tensor, in which infinities and NaN are zeros: pieces should be
/// cut at multiples of a block, and the last block is filled with zeros. Pieces may come in any
/// order, to several that are put together.
class requantizer {
 public:
  /// Throws std::domain_error for a format of more than 16 bits.
  requantizer(const data::element& from, const number_format& to);
  /// `largest` is the largest magnitude of the tensor, from which NVFP4 makes its second scale.
  requantizer(const data::element& from, const block_format& to, double largest);

  void add(const data::piece& piece);
  /// All of a tensor of numbers of up to 16 bits, in a format without blocks.
  void add(const tensor_counts& counts);
  requantizer& operator+=(const requantizer& other);

  [[nodiscard]] requantized_facts facts(estimator how = best_estimator) const;

 private:
  /// Numbers in the scale of the elements that they become.
  struct scaled_numbers {
    std::vector<double> x;
    std::vector<double> by;  ///< what one of the scale stands for
  };
  /// Adds Σ weight·x² to sums; squares may be beyond double's range.
  static void add_squares(std::span<const double> x, std::span<const std::uint64_t> times,
                          exact_sums& to);
  /// `times` is how often each comes; nothing for once.
  void store(std::span<const double> x, const scaled_numbers& scaled,
             std::span<const std::uint64_t> times);
  void store_blocks(std::span<const double> x);
  void scale_block(std::span<const double> block, scaled_numbers& to);

  std::shared_ptr<const decoder> from_;
  data::element type_;
  number_format element_;
  std::optional<block_format> blocks_ = {};
  code_table codes_;
  code_table scales_{8};
  exact_sums errors_;  ///< of blocks of numbers, their squared errors
  exact_sums squares_;
  std::uint64_t count_ = 0;
  std::uint64_t clipped_ = 0;
  std::uint64_t flushed_ = 0;
  double worst_ = 0;
};

}  // namespace ktln2::measure
