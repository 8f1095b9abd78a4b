#include "ask/fit_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ask/how_many.hpp"
#include "ask/scaling.hpp"
#include "ktln2/data/tensor.hpp"

namespace ktln2::ask {

std::uint64_t each_complete_row(const data::table& from, const std::vector<std::size_t>& columns,
                                const stop_token& stop,
                                const std::function<void(const std::vector<double>&)>& f) {
  std::uint64_t missing = 0;
  const auto rows = from.rows(columns);
  std::vector<double> values;
  std::vector<double> row(columns.size());
  while (const std::size_t count = rows->next(values, 4096)) {
    throw_if_stopped(stop);
    for (std::size_t i = 0; i < count; ++i) {
      bool is_complete = true;
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = values[i * row.size() + j];
        if (std::isinf(row[j])) {
          throw std::domain_error("column '" + from.layout().columns[columns[j]].name +
                                  "' has an infinite number");
        }
        is_complete = is_complete && !std::isnan(row[j]);
      }
      if (is_complete) {
        f(row);
      } else {
        ++missing;
      }
    }
  }
  return missing;
}

void with_table(const std::string& file, const data::table_options& how_to_read,
                const std::function<void(const data::table&)>& f) {
  try {
    const data::table from{file, how_to_read};
    try {
      f(from);
    } catch (const std::domain_error& mistake) {
      throw data::file_error(from.name() + ": " + mistake.what());
    }
  } catch (const data::file_error& mistake) {
    throw std::domain_error(std::string("fit: ") + mistake.what());
  }
}

std::optional<market> read_fit_market(const reader& given, const std::string& demand) {
  const auto energy = given.optional_number("energy-price");
  const auto inference = given.optional_number("inference-price");
  if (!energy && !inference) return {};
  if (!energy || !inference) {
    throw std::domain_error("fit: advice needs both --energy-price and --inference-price");
  }
  market prices;
  prices.energy_price = *energy;
  prices.inference.base = *inference;
  prices.wanted = parse_demand(demand);
  prices.temperature = read_temperature(given);
  require_valid(prices);
  return prices;
}

json fields_json(const std::vector<measure::counted_field>& fields,
                 const std::optional<double>& unit) {
  json made = {{"fields", json::array()}, {"unit", unit ? number(*unit) : json(nullptr)}};
  for (const measure::counted_field& one : fields) {
    made["fields"].push_back({{"name", one.name},
                              {"bits", one.bits},
                              {"counted_bits", one.counted_bits},
                              {"measured", number(one.measured.value.value())},
                              {"measured_error", number(one.measured.error.value())},
                              {"modelled", number(one.modelled.value.value())},
                              {"modelled_error", number(one.modelled.error.value())}});
  }
  return made;
}

json residuals_json(const std::optional<residual_check>& check) {
  if (!check) return nullptr;
  return {{"mean", number(check->mean)},
          {"skewness", number(check->skewness)},
          {"kurtosis", number(check->kurtosis)},
          {"unevenness", number(check->unevenness)}};
}

void warn_of_residuals(const std::optional<residual_check>& check, double n, double sigma_xi,
                       bool has_intercept, const std::string& robust,
                       std::vector<std::string>& list) {
  if (!check) {
    list.emplace_back("standard input is read once: the residuals were not checked");
    return;
  }
  // Four standard errors: one table in 16,000 by chance
  constexpr double many = 4;
  if (!has_intercept && std::fabs(check->mean) > many * sigma_xi / std::sqrt(n)) {
    list.push_back(
        fmt::format("the residuals have the mean {:.3g}: consider --intercept", check->mean));
  }
  const bool is_skewed = std::fabs(check->skewness) > many * std::sqrt(6 / n);
  const bool has_tails = std::fabs(check->kurtosis - 3) > many * std::sqrt(24 / n);
  if (is_skewed || has_tails) {
    list.push_back(fmt::format(
        "the residuals are not normal (skewness {:.3g}, kurtosis {:.3g}): the bits are those of a "
        "normal law",
        check->skewness, check->kurtosis));
  }
  if (check->unevenness > many * many) {
    list.push_back(fmt::format(
        "the residuals depend on x in size (chi-square {:.3g}): the error of w is rather "
        "{}",
        check->unevenness, robust));
  }
}

void warn_of_bound(const std::optional<bounded<bits>>& most, const bounded<bits>& modelled,
                   std::vector<std::string>& list) {
  if (!most || !surely_less(*most, modelled)) return;
  list.push_back(
      fmt::format("a row holds at most {:.4g} ± {:.1g} bits, where the model says {:.4g}: the bill "
                  "is too high",
                  most->value.value(), most->error.value(), modelled.value.value()));
}

void warn_of_unused_rows(double unused, double n, double batch, std::vector<std::string>& list) {
  if (unused == 0) return;
  list.push_back(fmt::format("SGD does not use {} of {}, which {} no batch of {}",
                             how_many(unused, "row"), n, unused == 1 ? "fills" : "fill", batch));
}

std::string uncounted_rows(double n) {
  return fmt::format("the entropy of whole rows: {} of them show at most {:.3g} bits by counting",
                     n, std::log2(n));
}

}  // namespace ktln2::ask
