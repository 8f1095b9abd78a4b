#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/law_gap.hpp"
#include "ask/lazy.hpp"
#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/stochastic_entropy.hpp"

/// What `entropy`, `format` and `quantize` answer where FORMAT is one that people own, such as
/// bfloat16.
namespace ktln2::ask {

/// The format that an argument names; nothing if it names none of these.
std::optional<number_format> optional_number_format(const reader& given, std::string_view argument);
/// --rounding and --overflow, or what is usual. Throws std::domain_error for what the format has
/// not.
storing read_storing(const reader& given, const number_format& format);

/// How much such a register holds.
struct number_question {
  stored_variable stored;
  std::string distribution;
  std::optional<sgd_task> sgd = {};
  bool tolerance_is_given = false;
  bool by_bit = false;
  bool certify = false;
  kelvin temperature{300};
};

/// The parts of a code, each alone, as those who compress publish them.
struct marginal_entropies {
  std::optional<bounded<bits>> exponent;
  std::optional<bounded<bits>> mantissa;
  std::optional<bounded<bits>> high_byte;
  std::optional<bounded<bits>> low_byte;
};

class number_answer {
 public:
  explicit number_answer(number_question asked, const stop_token& stop = {});

  [[nodiscard]] const number_question& asked() const { return asked_; }
  [[nodiscard]] const bounded<bits>& total() const { return total_; }
  [[nodiscard]] bits tolerance() const;
  [[nodiscard]] const number_fields& fields() const;
  [[nodiscard]] const std::vector<bit_entropy>& single_bits() const;
  [[nodiscard]] const stored_masses& masses() const;
  [[nodiscard]] const marginal_entropies& marginals() const;
  /// What the width of the cells says, at the true widths of this format [eq:diff_approx].
  [[nodiscard]] const std::vector<approximation>& approximations() const;
  [[nodiscard]] bounded<bits> of_value() const;
  /// Where rounding is left to chance: H(code | X) and I(X; code) are its.
  [[nodiscard]] const std::optional<stochastic_code>& by_chance() const { return by_chance_; }
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  [[nodiscard]] bounded<bits> total_by_asked_road() const;
  [[nodiscard]] leading_entropy leading() const;
  [[nodiscard]] std::optional<bounded<bits>> marginal(std::uint64_t mask) const;

  number_question asked_;
  std::optional<stochastic_code> by_chance_;
  bounded<bits> total_;
  lazy<number_fields> fields_;
  lazy<std::vector<bit_entropy>> bits_;
  lazy<stored_masses> masses_;
  lazy<marginal_entropies> marginals_;
  lazy<std::vector<approximation>> approximations_;
  lazy<std::optional<law_gap>> gap_;
};

number_question read_number_entropy(const reader& given, number_format format);
inline number_answer solve(number_question asked, const stop_token& stop = {}) {
  return number_answer{std::move(asked), stop};
}

/// What it can hold.
struct number_format_question {
  number_format format;
  bool values = false;
  std::vector<std::uint64_t> index = {};  ///< from 1 on, among the finite values in ascending order
};

/// A code and what it stands for.
struct number_code {
  std::uint64_t code = 0;
  std::optional<wide> value;  ///< nothing for NaN
};

struct number_format_answer {
  number_format_question asked;
  std::vector<number_code> listed;  ///< all finite ones, ascending, or those that were asked for

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

number_format_question read_number_format(const reader& given, number_format format);
number_format_answer solve(number_format_question asked, const stop_token& stop = {});

/// All that have a name of their own.
struct catalogue_question {};
struct catalogue_answer {
  std::vector<number_format> formats;

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};
catalogue_answer solve(const catalogue_question& asked, const stop_token& stop = {});

/// How some numbers are stored.
struct number_quantize_question {
  number_format format;
  storing rule;
  std::vector<double> x;
  std::uint64_t random = 0;  ///< the random bits, where the rule takes some
};

struct number_quantize_answer {
  number_quantize_question asked;
  std::vector<number_code> stored;

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

number_quantize_question read_number_quantize(const reader& given, number_format format);
number_quantize_answer solve(number_quantize_question asked, const stop_token& stop = {});

/// A decimal or hexadecimal number, an infinity or a NaN, as C writes them. Throws
/// std::domain_error that begins with `where`.
double parse_any_number(const std::string& where, const std::string& text);

/// How many finite numbers a format has, +0 and -0 counted apart.
std::uint64_t count_of_numbers(const number_format& format);
/// The codes of its NaNs and infinities in words: "inf, NaN", "NaN 7f ff", "none".
std::string specials_of(const number_format& format);

}  // namespace ktln2::ask
