#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ask/atoms.hpp"
#include "ask/block.hpp"
#include "ask/codebook.hpp"
#include "ask/ladder.hpp"
#include "ask/law_gap.hpp"
#include "ask/lazy.hpp"
#include "ask/number.hpp"
#include "ask/report.hpp"
#include "ask/row.hpp"
#include "ask/terms.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/fields.hpp"

namespace ktln2::ask {

/// How much a register holds.
struct entropy_question {
  float_format format;
  std::string distribution;  ///< as it was described
  law x;
  std::optional<sgd_task> sgd = {};  ///< what the law stands for, if it is SGD
  bits tolerance = default_tolerance;
  bool tolerance_is_given = false;
  bool by_bit = false;
  bool certify = false;
  bool terms = false;
  rounding how = rounding::nearest;
  kelvin temperature{300};

  [[nodiscard]] partition cells() const { return partition{format, how}; }
};

class entropy_answer {
 public:
  explicit entropy_answer(entropy_question asked);

  [[nodiscard]] const entropy_question& asked() const { return asked_; }
  [[nodiscard]] bounded<bits> total() const { return total_; }
  /// What was asked for, or what the law allows.
  [[nodiscard]] bits tolerance() const;
  [[nodiscard]] const field_entropies& fields() const;
  [[nodiscard]] const std::vector<bit_entropy>& single_bits() const;
  [[nodiscard]] const std::vector<approximation>& approximations() const;
  [[nodiscard]] const bound_set& bounds() const;  ///< for cells around their values
  [[nodiscard]] const std::vector<entropy_term>& terms() const;
  [[nodiscard]] const std::optional<law_gap>& gap() const;  ///< nothing but for SGD
  /// Nothing but for empirical laws.
  [[nodiscard]] const std::optional<sampled_entropy>& sampling() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  [[nodiscard]] leading_entropy by_asked_road() const;
  /// Of all bits together it is the total, which is there already.
  [[nodiscard]] leading_entropy known_leading() const;

  entropy_question asked_;
  leading_entropy leading_;
  bounded<bits> total_;
  lazy<field_entropies> fields_;
  lazy<std::vector<bit_entropy>> bits_;
  lazy<std::vector<approximation>> approximations_;
  lazy<bound_set> bounds_;
  lazy<std::vector<entropy_term>> terms_;
  lazy<std::optional<law_gap>> gap_;
  lazy<std::optional<sampled_entropy>> sampling_;
};

/// How much two registers hold.
struct pair_question {
  storage_pair formats;
  std::string distribution;
  regression_pair pair;
  bits tolerance = default_joint_tolerance;
  kelvin temperature{300};
};

class pair_answer {
 public:
  explicit pair_answer(pair_question asked, const stop_token& stop = {});

  [[nodiscard]] const pair_question& asked() const { return asked_; }
  [[nodiscard]] const joint_entropies& entropies() const { return entropies_; }
  [[nodiscard]] const std::vector<approximation>& approximations() const;
  [[nodiscard]] const bound_set& bounds() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  pair_question asked_;
  joint_entropies entropies_;
  lazy<std::vector<approximation>> approximations_;
  lazy<bound_set> bounds_;
};

/// Throws std::domain_error for the user's mistakes, as all readers of questions do.
using any_entropy_question =
    std::variant<entropy_question, pair_question, row_question, estimate_question,
                 codebook_question, number_question, block_question>;
any_entropy_question read_entropy(const words& asked);

inline entropy_answer solve(entropy_question asked, const stop_token& = {}) {
  return entropy_answer{std::move(asked)};
}
inline pair_answer solve(pair_question asked, const stop_token& stop = {}) {
  return pair_answer{std::move(asked), stop};
}

}  // namespace ktln2::ask
