#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/law_gap.hpp"
#include "ask/lazy.hpp"
#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/block_entropy.hpp"
#include "ktln2/entropy/exact.hpp"

/// What `entropy`, `format` and `quantize` answer where FORMAT stores blocks, such as mxfp4.
namespace ktln2::ask {

/// The block format that an argument names, with --scale-policy and --second-level-scale; nothing
/// if it names none. "block:mxint8" is one; "mxint8" names its elements, and the block only where
/// --scale-policy is given. Throws std::domain_error for what the format has not, and for these
/// options with a format that is none of these.
std::optional<block_format> optional_block_format(const reader& given, std::string_view argument);

/// The same by its name alone: as it is usual.
std::optional<block_format> block_format_called(const std::string& name);

/// How much a block of independent numbers holds.
struct block_question {
  block_format format;
  std::string distribution;
  law x;
  std::optional<sgd_task> sgd = {};
  bits tolerance = default_tolerance;
  bool tolerance_is_given = false;
  kelvin temperature{300};
};

class block_answer {
 public:
  explicit block_answer(block_question asked, const stop_token& stop = {});

  [[nodiscard]] const block_question& asked() const { return asked_; }
  [[nodiscard]] const block_entropies& entropies() const { return entropies_; }
  [[nodiscard]] bits tolerance() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  block_question asked_;
  block_entropies entropies_;
  lazy<std::optional<law_gap>> gap_;
};

block_question read_block_entropy(const reader& given, block_format format);
inline block_answer solve(block_question asked, const stop_token& stop = {}) {
  return block_answer{std::move(asked), stop};
}

/// What it is made of.
struct block_format_question {
  block_format format;
};

struct block_format_answer {
  block_format_question asked;

  [[nodiscard]] wide max() const;
  [[nodiscard]] wide min_positive() const;
  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

block_format_question read_block_format(const reader& given, block_format format);
inline block_format_answer solve(block_format_question asked, const stop_token& = {}) {
  return {std::move(asked)};
}

/// How some blocks are stored.
struct block_quantize_question {
  block_format format;
  std::vector<double> x;  ///< one block after the other
};

struct block_quantize_answer {
  block_quantize_question asked;
  std::vector<stored_block> stored;

  /// What the i-th number is stored as; nothing for NaN.
  [[nodiscard]] std::optional<wide> value(std::size_t i) const;
  [[nodiscard]] std::uint64_t code(std::size_t i) const;
  [[nodiscard]] const stored_block& block_of(std::size_t i) const;
  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

block_quantize_question read_block_quantize(const reader& given, block_format format);
block_quantize_answer solve(block_quantize_question asked, const stop_token& stop = {});

/// All that have a name, as the catalogue shows them.
json blocks_as_json();

}  // namespace ktln2::ask
