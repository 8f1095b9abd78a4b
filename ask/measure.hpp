#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/data/open.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "ktln2/measure/code_fields.hpp"
#include "ktln2/measure/compressed.hpp"
#include "ktln2/measure/gap.hpp"
#include "ktln2/measure/requantized.hpp"

namespace ktln2::ask {

/// What the numbers in files carry.
struct measure_question {
  std::vector<std::string> files;
  data::open_options how_to_read;
  measure::estimator estimator = measure::best_estimator;
  kelvin temperature{300};
  unsigned threads = 0;
  std::vector<std::string> as = {};  ///< formats to store the numbers in, instead
  bool wants_each = false;           ///< a row for each tensor, not for each group
  bool wants_bits = false;
};

/// What was counted of some numbers that are stored alike.
struct measured_codes {
  int width = 0;  ///< bits of a number
  measure::number_facts facts;
  measure::code_fields fields;
  std::vector<bit_entropy> bits = {};  ///< where they were asked for
  /// What a normal law around 0 with that deviation would have in that format; nothing for numbers
  /// without a format, or all alike.
  std::optional<field_entropies> normal = {};

  [[nodiscard]] double bytes() const { return static_cast<double>(facts.count) * width / 8; }
  /// What a lossless code of number by number needs, on the average.
  [[nodiscard]] double floor_bytes() const;
  [[nodiscard]] double wasted_bytes() const { return bytes() - floor_bytes(); }
};

struct measured_tensor {
  data::tensor what;
  std::string known_as;  ///< its name, with that of its file where another tensor has the same
  measured_codes codes;
  std::vector<measure::requantized_facts> as = {};     ///< in each format that was asked for
  std::optional<measure::compressed_sizes> zstd = {};  ///< of a sample
  bool is_constant = false;
  std::uint64_t digest = 0;
  std::vector<std::string> narrower = {};

  /// Of NaN, in the shape: a complex number has two parts, and one place.
  [[nodiscard]] std::optional<std::uint64_t> first_nan() const;
};

/// How many of the finite numbers but 0 have an exponent, and how many of a normal law's would.
struct exponent_share {
  int exponent = 0;
  double seen = 0;
  double normal = 0;
};

/// Tensors whose names differ by whole numbers between dots, and that are stored alike. An array
/// without a name goes by that of its file.
struct measured_group {
  std::string name;  ///< with * for those numbers
  std::string dtype;
  std::vector<std::size_t> members;                ///< places in measure_answer::tensors
  measured_codes codes;                            ///< of all together
  std::optional<measure::explained_gap> gap = {};  ///< nothing for numbers without a format
  std::vector<exponent_share> exponents = {};      ///< of floating-point numbers, ascending
};

/// All tensors in another format.
struct other_format {
  std::string name;
  double numbers = 0;  ///< finite ones
  double bytes = 0;
  double floor_bytes = 0;
  double relative_error = 0;  ///< √(Σ(Q(x) - x)²/Σx²)
  double worst_relative_error = 0;
  double clipped = 0;  ///< shares of the numbers
  double flushed = 0;
};

struct measure_answer {
  measure_question asked;
  std::vector<measured_tensor> tensors;  ///< as the files have them
  std::vector<measured_group> groups;    ///< the one that wastes most first
  std::vector<measured_group> dtypes;    ///< all that is stored alike, together
  std::vector<std::string> notes;        ///< what was left out
  std::vector<std::string> failures;     ///< what is wrong with files; the others are measured
  bool is_complete = true;               ///< or a stop ended it early

  [[nodiscard]] double bytes() const;
  [[nodiscard]] double floor_bytes() const;
  /// Are all codes counted? If not, floor_bytes() and landauer() are at most that large.
  [[nodiscard]] bool is_counted() const;
  [[nodiscard]] joules landauer() const;
  [[nodiscard]] std::vector<other_format> in_other_formats() const;
  /// What zstd would make of all, in bytes, by the samples of it; nothing without zstd.
  [[nodiscard]] std::optional<double> zstd_bytes(
      std::uint64_t measure::compressed_sizes::*way) const;
  /// Of the dtypes the one that takes most bytes; there is one if there is a tensor.
  [[nodiscard]] const measured_group& largest_dtype() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// How far it is, in bytes of all files; of those that cannot be known beforehand, 0.
struct measure_progress {
  std::uint64_t done = 0;
  std::uint64_t all = 0;
};
using tell_progress = std::function<void(const measure_progress&)>;

measure_question read_measure(const words& asked);
/// A stop leaves what is complete. `tell` may be called by any thread, one at a time.
measure_answer solve(const measure_question& asked, const stop_token& stop = {},
                     const tell_progress& tell = {});

/// "layers.*.weight" for "layers.3.weight".
std::string name_pattern(const std::string& name);

}  // namespace ktln2::ask
