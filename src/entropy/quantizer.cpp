#include "ktln2/entropy/quantizer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "entropy/law_integrals.hpp"
#include "entropy/lloyd_max.hpp"
#include "entropy/stretch.hpp"

namespace ktln2 {
namespace {

void require_optimal_size(std::size_t size) {
  if (size >= 1 && size <= most_optimal_values) return;
  throw std::domain_error("codebook: size must be from 1 to " +
                          std::to_string(most_optimal_values) + ", got " + std::to_string(size));
}

/// Do they ascend, as finite doubles?
bool are_distinct(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || (i > 0 && !(values[i - 1] < values[i]))) return false;
  }
  return true;
}

/// E (Z - Z_Q)² cell by cell, in standard units.
template <class Law>
class squared_distances {
 public:
  explicit squared_distances(const Law& x) : x_{x}, tails_{x.kernel()} {}

  void add(const wide& left, const wide& value, const wide& right) {
    const auto& kernel = x_.kernel();
    const double a = standard_edge(x_, left);
    const double b = standard_edge(x_, right);
    if (mass_of(kernel, stretch{a, b, b - a, 1}).probability == 0) return;
    const double v = x_.standard(value);
    constexpr double largest = 1e150;  // its square is a double
    if (std::fabs(v) > largest) return add_term(infinity, 0);
    // The distance from the value, which a narrow cell's edges would lose.
    const double below = x_.standard_length(left - value);
    const double above = x_.standard_length(right - value);
    if (is_short(a, b, v)) {
      const double term = within<16>(v, below, above);
      return add_term(term, std::fabs(term - within<8>(v, below, above)));
    }
    const auto square = [v](double z, double) { return (z - v) * (z - v); };
    const double low = std::max(a, -tails_.reach());
    const double high = std::min(b, tails_.reach());
    const double term = integrate_within_reach<16>(kernel, low, high, square);
    const double lower_order = integrate_within_reach<8>(kernel, low, high, square);
    add_term(term + tails_.square_between(a, b, v), std::fabs(term - lower_order));
  }

  /// With an error of the density, mass may be some deviations from where it should be.
  [[nodiscard]] bounded<double> result() const {
    const double unit = x_.scale() * x_.scale();
    const double deviation = x_.kernel().deviation();
    const double misplaced = (table_error(x_.kernel()) + x_.rounding_error()) * 64;
    const double error = error_ + 0x1p-45 * sum_.value() + misplaced * deviation * deviation;
    return {unit * sum_.value(), unit * error, evidence::estimated};
  }

 private:
  void add_term(double term, double error) {
    sum_.add(term);
    error_ += error;
  }

  /// Does one panel of quadrature do?
  [[nodiscard]] bool is_short(double a, double b, double v) const {
    const auto& kernel = x_.kernel();
    if (!(b - a <= std::max(kernel.core(), std::fabs(v)) / 8)) return false;
    if (resolution(kernel, stretch{a, b, b - a, 1}) < 4 * (b - a)) return false;
    const auto& breaks = kernel.breaks();  // some laws make it for us
    return std::none_of(std::begin(breaks), std::end(breaks),
                        [&](double z) { return a < z && z < b; });
  }

  template <std::size_t Order>
  [[nodiscard]] double within(double v, double below, double above) const {
    return integrate_panel<Order>(below, above, [&](double t) {
      const double log_f = x_.kernel().log_pdf(v + t);
      return std::isinf(log_f) ? 0 : t * t * std::exp(log_f);
    });
  }

  const Law& x_;
  heavy_tails<std::decay_t<decltype(std::declval<Law>().kernel())>> tails_;
  compensated_sum sum_;
  double error_ = 0;
};

bounded<double> with_atoms(const codebook& code, const law& x, bounded<double> sum) {
  const auto* const compound = std::get_if<compound_law>(&x);
  if (compound == nullptr) return sum;
  for (const law_atom& one : compound->atoms()) {
    const double off = one.at - code.values()[code.quantize(one.at)];
    sum.value += one.mass * off * off;
    sum.error += 0x1p-48 * one.mass * off * off;
  }
  return sum;
}

}  // namespace

bounded<double> mean_square_error(const codebook& code, const law& x) {
  return std::visit(
      [&](const auto& known) -> bounded<double> {
        if (!std::isfinite(known.kernel().deviation())) return {infinity, 0, evidence::estimated};
        squared_distances sum(known);
        const std::vector<wide>& edges = code.edges();
        for (std::size_t i = 0; i < code.size(); ++i) {
          sum.add(i == 0 ? wide(-infinity) : edges[i - 1], code.values()[i],
                  i == edges.size() ? wide(infinity) : edges[i]);
        }
        return with_atoms(code, x, sum.result());
      },
      x);
}

std::optional<codebook> lloyd_max_codebook(const law& x, std::size_t size) {
  require_optimal_size(size);
  if (!has_usual_density(x)) return {};
  return std::visit(
      [&](const auto& known) -> std::optional<codebook> {
        if (!std::isfinite(known.kernel().deviation())) return {};
        std::vector<double> values = lloyd_max_values(known.kernel(), size);
        if (values.empty()) return {};
        for (double& each : values) {
          each = (wide(known.location()) + wide(known.scale()) * wide(each)).to_double();
        }
        if (!are_distinct(values)) return {};
        return codebook(std::move(values));
      },
      x);
}

std::optional<codebook> equal_mass_codebook(const law& x, std::size_t size) {
  require_optimal_size(size);
  if (has_atoms(x)) return {};
  const auto share = [&](double parts) { return quantile(x, parts / static_cast<double>(size)); };
  std::vector<double> values;
  std::vector<double> edges;
  for (std::size_t i = 0; i < size; ++i) {
    values.push_back(share(static_cast<double>(i) + 0.5));
    if (i > 0) edges.push_back(share(static_cast<double>(i)));
  }
  if (!are_distinct(values) || !are_distinct(edges)) return {};
  return codebook(std::move(values), edges);
}

}  // namespace ktln2
