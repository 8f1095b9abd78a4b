#include "ask/law.hpp"

#include <stdexcept>

#include "ask/row.hpp"

namespace ktln2::ask {

any_law_question read_law(const words& asked) {
  const reader given{asked};
  refuse_options_of_many(given);
  const std::string distribution = given.word("distribution");
  const bool is_row = asks_for_row(given);
  const bool is_estimate = asks_for_estimate(given);
  if (!describes_pair(distribution) && !is_row && !is_estimate) {
    return law_question{distribution, read_one_law(given), given.numbers("at"),
                        sgd_task_of(distribution)};
  }
  if (given.has("at")) {
    throw std::domain_error(given.where("at") + " is for laws of one variable, got " +
                            (is_row        ? "a row"
                             : is_estimate ? "several coefficients"
                                           : "a pair"));
  }
  if (is_row) return row_law_question{distribution, normal_row{read_described_row(given)}};
  if (is_estimate)
    return estimate_law_question{distribution, coefficients{read_least_squares(given)}};
  return pair_law_question{distribution, parse_pair(distribution)};
}

law_answer solve(const law_question& asked, const stop_token& /*stop*/) {
  const law& x = asked.x;
  law_answer made{asked.distribution, mean(x), deviation(x), differential_entropy(x), {}, {},
                  atoms_of(x)};
  if (asked.sgd) made.gap = gap_of(*asked.sgd);
  for (const double at : asked.at) {
    made.at.push_back({at, pdf(x, at), cdf(x, at), ccdf(x, at), log_pdf(x, at)});
  }
  return made;
}

std::vector<std::string> law_answer::warnings() const {
  std::vector<std::string> list;
  warn_of(gap, list);
  return list;
}

report law_answer::report() const {
  ask::report made{"law"};
  made.add("distribution", json(distribution));
  made.headline("mean", mean);
  made.headline("deviation", deviation);
  made.headline("differential_entropy", entropy.value());
  made.add("unit", json("bit"));
  if (!atoms.is_null()) made.add("atoms", atoms);
  if (gap) made.add("law_gap", shown(gap));
  made.set_warnings([this] { return warnings(); });
  if (at.empty()) return made;
  const auto add = [&](const char* name, double law_point::*column) {
    json list = json::array();
    for (const law_point& point : at) list.push_back(number(point.*column));
    made.add(name, std::move(list));
  };
  add("at", &law_point::x);
  add("pdf", &law_point::pdf);
  add("cdf", &law_point::cdf);
  add("ccdf", &law_point::ccdf);
  add("ln_pdf", &law_point::log_pdf);
  return made;
}

report row_law_answer::report() const {
  ask::report made{"law"};
  const normal_vector& z = row.registers();
  json mean = json::array();
  json deviation = json::array();
  for (std::size_t j = 0; j < z.size(); ++j) {
    mean.push_back(number(z.mean(j)));
    deviation.push_back(number(z.deviation(j)));
  }
  made.add("distribution", json(distribution));
  made.add("d", json(row.features()));
  made.add("mean", std::move(mean));
  made.add("deviation", std::move(deviation));
  made.headline("snr", row.snr());
  made.headline("differential_entropy", differential_entropy(z).value());
  made.headline("total_correlation", total_correlation(z).value());
  made.headline("total_correlation_of_features", total_correlation(row.x()).value());
  made.add("unit", json("bit"));
  return made;
}

report estimate_law_answer::report() const {
  ask::report made{"law"};
  made.add("distribution", json(distribution));
  made.add("d", json(estimate.features()));
  made.add("coefficients", coefficients_json(estimate));
  made.add("dof", estimate.dof() ? number(*estimate.dof()) : json(nullptr));
  made.headline("differential_entropy", differential_entropy(estimate).value());
  made.add("unit", json("bit"));
  return made;
}

report pair_law_answer::report() const {
  ask::report made{"law"};
  made.add("distribution", json(distribution));
  made.add("mean", json{number(pair.mu_x()), number(pair.mean_of_y().to_double())});
  made.add("deviation", json{number(pair.sigma_x()), number(pair.sigma_y())});
  made.headline("correlation", pair.correlation());
  made.headline("snr", pair.snr());
  made.headline("differential_entropy", differential_entropy(pair).value());
  made.headline("mutual_information", mutual_information(pair).value());
  made.add("unit", json("bit"));
  return made;
}

}  // namespace ktln2::ask
