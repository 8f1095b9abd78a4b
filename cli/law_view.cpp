#include <cmath>

#include "ask/law.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

table points_of(const ask::law_answer& made) {
  table rows({"x", "pdf", "cdf", "ccdf", "ln_pdf"});
  for (const ask::law_point& at : made.at) {
    rows.add({plain(at.x), plain(at.pdf), plain(at.cdf), plain(at.ccdf), plain(at.log_pdf)});
  }
  return rows;
}

std::string moment(double value) {
  if (std::isnan(value)) return "does not exist";
  return std::isinf(value) ? "infinite" : plain(value);
}

}  // namespace

std::string text_of(const ask::law_answer& made) {
  std::string text = made.distribution + "\n\n";
  text += "  mean                  " + moment(made.mean) + "\n";
  text += "  standard deviation    " + moment(made.deviation) + "\n";
  const double h = made.entropy.value();
  text += "  differential entropy  " + (std::isnan(h) ? moment(h) : plain(h) + " bits") + "\n";
  for (const auto& atom : made.atoms) {
    text += "  P(X = " + plain(atom["at"].get<double>()) + ")" + "  " +
            plain(atom["mass"].get<double>()) + "\n";
  }
  if (!made.at.empty()) text += "\n" + points_of(made).text();
  return text;
}

table rows_of(const ask::law_answer& made) {
  if (!made.at.empty()) return points_of(made);
  const auto entry = [](double value) { return std::isnan(value) ? "" : plain(value); };
  table rows({"distribution", "mean", "deviation", "differential_entropy"});
  rows.add(
      {made.distribution, entry(made.mean), entry(made.deviation), entry(made.entropy.value())});
  return rows;
}

table rows_of(const ask::pair_law_answer& made) {
  table rows({"quantity", "value"});
  rows.add({"deviation of X", plain(made.pair.sigma_x())});
  rows.add({"deviation of Y", plain(made.pair.sigma_y())});
  rows.add({"correlation", plain(made.pair.correlation())});
  rows.add({"signal-to-noise ratio", plain(made.pair.snr())});
  rows.add({"differential entropy, bits", plain(differential_entropy(made.pair).value())});
  rows.add({"mutual information, bits", plain(mutual_information(made.pair).value())});
  return rows;
}

std::string text_of(const ask::pair_law_answer& made) {
  return made.distribution + "\n\n" + rows_of(made).text();
}

}  // namespace ktln2::cli
