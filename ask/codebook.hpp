#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ask/law_gap.hpp"
#include "ask/lazy.hpp"
#include "ask/report.hpp"
#include "ask/terms.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/format/codebook.hpp"

/// What `entropy`, `format` and `quantize` answer where FORMAT is codebook:FILE.
namespace ktln2::ask {

/// A list of values, and what it was called.
struct named_codebook {
  std::string name;  ///< "codebook:FILE"
  codebook code;

  /// Bits of the register that can tell the values apart.
  [[nodiscard]] int width() const;
};

/// The values in a file, as parse_codebook has them. Throws std::domain_error with the name of the
/// file and the line, also for what cannot be read and for more than 64 MiB.
named_codebook read_codebook(const std::string& name);
/// The same for an argument; nothing if it names no codebook.
std::optional<named_codebook> optional_codebook(const reader& given, std::string_view argument);

/// How much a codebook holds.
struct codebook_question {
  named_codebook format;
  std::string distribution;
  law x;
  std::optional<sgd_task> sgd = {};
  bits tolerance{0};
  bool tolerance_is_given = false;
  bool terms = false;
  kelvin temperature{300};
};

/// What a codebook holds and what it loses.
struct codebook_worth {
  codebook code;
  bounded<bits> entropy;
  bounded<double> mean_square_error;
};

class codebook_answer {
 public:
  explicit codebook_answer(codebook_question asked);

  [[nodiscard]] const codebook_question& asked() const { return asked_; }
  [[nodiscard]] const bounded<bits>& total() const { return total_; }
  [[nodiscard]] bits tolerance() const;
  [[nodiscard]] const bounded<double>& mean_square_error() const;
  /// With as many values: the one that loses least, and the one that holds most. Nothing where the
  /// law has none, or for too many values.
  [[nodiscard]] const std::optional<codebook_worth>& lloyd_max() const;
  [[nodiscard]] const std::optional<codebook_worth>& equal_mass() const;
  [[nodiscard]] const approximation& of_cells() const;  ///< [eq:diff_approx]
  [[nodiscard]] const std::vector<entropy_term>& terms() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  [[nodiscard]] std::optional<codebook_worth> worth(const std::optional<codebook>& other) const;
  void warn_of_clipping(std::vector<std::string>& list) const;

  codebook_question asked_;
  partition cells_;
  bounded<bits> total_;
  lazy<bounded<double>> loss_;
  lazy<std::optional<codebook_worth>> lloyd_max_;
  lazy<std::optional<codebook_worth>> equal_mass_;
  lazy<approximation> of_cells_;
  lazy<std::vector<entropy_term>> terms_;
  lazy<std::optional<law_gap>> gap_;
};

codebook_question read_codebook_entropy(const reader& given, named_codebook format);
inline codebook_answer solve(codebook_question asked, const stop_token& = {}) {
  return codebook_answer{std::move(asked)};
}

/// Its values and cells.
struct codebook_format_question {
  named_codebook format;
  bool values = false;
  std::vector<std::size_t> index = {};  ///< from 1 to K
};

struct codebook_format_answer {
  codebook_format_question asked;

  /// Of value i, from 0 on; nothing beyond the outermost.
  [[nodiscard]] std::optional<wide> left_edge(std::size_t i) const;
  [[nodiscard]] std::optional<wide> right_edge(std::size_t i) const;
  /// The values to be listed, from 0 on.
  [[nodiscard]] std::vector<std::size_t> listed() const;
  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

codebook_format_question read_codebook_format(const reader& given, named_codebook format);
inline codebook_format_answer solve(codebook_format_question asked, const stop_token& = {}) {
  return {std::move(asked)};
}

/// How some numbers are stored.
struct codebook_quantize_question {
  named_codebook format;
  std::vector<double> x;
};

struct codebook_quantize_answer {
  codebook_quantize_question asked;
  std::vector<std::size_t> codes;  ///< which value, from 0 on

  [[nodiscard]] double value(std::size_t i) const { return asked.format.code.values()[codes[i]]; }
  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

codebook_quantize_answer solve(codebook_quantize_question asked, const stop_token& stop = {});

}  // namespace ktln2::ask
