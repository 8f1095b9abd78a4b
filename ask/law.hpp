#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ask/atoms.hpp"
#include "ask/law_gap.hpp"
#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/catalogue.hpp"

namespace ktln2::ask {

/// What a continuous law is like, and its density and distribution function at some points.
struct law_question {
  std::string distribution;
  law x;
  std::vector<double> at = {};
  std::optional<sgd_task> sgd = {};  ///< what the law stands for, if it is SGD
};

struct law_point {
  double x;
  double pdf;
  double cdf;
  double ccdf;
  double log_pdf;
};

struct law_answer {
  std::string distribution;
  double mean;
  double deviation;
  differential_bits entropy;
  std::vector<law_point> at;
  std::optional<law_gap> gap;  ///< nothing but for SGD
  json atoms = nullptr;        ///< null where there are none

  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// The same of a pair of variables.
struct pair_law_question {
  std::string distribution;
  regression_pair pair;
};

struct pair_law_answer {
  std::string distribution;
  regression_pair pair;

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

/// Of a row of many variables.
struct row_law_question {
  std::string distribution;
  normal_row row;
};

struct row_law_answer {
  std::string distribution;
  normal_row row;

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

/// Of what regression finds.
struct estimate_law_question {
  std::string distribution;
  coefficients estimate;
};

struct estimate_law_answer {
  std::string distribution;
  coefficients estimate;

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

using any_law_question =
    std::variant<law_question, pair_law_question, row_law_question, estimate_law_question>;
any_law_question read_law(const words& asked);

law_answer solve(const law_question& asked, const stop_token& stop = {});
inline pair_law_answer solve(const pair_law_question& asked, const stop_token& = {}) {
  return {asked.distribution, asked.pair};
}
inline row_law_answer solve(const row_law_question& asked, const stop_token& = {}) {
  return {asked.distribution, asked.row};
}
inline estimate_law_answer solve(const estimate_law_question& asked, const stop_token& = {}) {
  return {asked.distribution, asked.estimate};
}

}  // namespace ktln2::ask
