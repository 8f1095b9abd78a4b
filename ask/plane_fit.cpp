#include "ask/plane_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ask/how_many.hpp"
#include "ask/residual_moments.hpp"

namespace ktln2::ask {
namespace {

using real = long double;
using real_list = std::vector<real>;

double in_double(real value) { return static_cast<double>(value); }

/// A symmetric matrix.
class products {
 public:
  explicit products(std::size_t size = 0) : size_{size}, all_(size * size) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  real& operator()(std::size_t i, std::size_t j) { return all_[i * size_ + j]; }
  real operator()(std::size_t i, std::size_t j) const { return all_[i * size_ + j]; }

 private:
  std::size_t size_;
  real_list all_;
};

/// Means, and sums of products about them, as rows go by (Welford): nothing cancels.
struct row_sums {
  explicit row_sums(std::size_t size) : means(size), about(size), apart_(size) {}

  real n = 0;
  real_list means;
  products about;

  void add(const std::vector<double>& row) {
    n += 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      apart_[i] = static_cast<real>(row[i]) - means[i];
      means[i] += apart_[i] / n;
    }
    add_products((n - 1) / n);
  }
  /// Chan, Golub and LeVeque
  void add(const row_sums& more) {
    if (more.n == 0) return;
    const real both = n + more.n;
    for (std::size_t i = 0; i < means.size(); ++i) apart_[i] = more.means[i] - means[i];
    add_products(n * more.n / both);
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] += apart_[i] * more.n / both;
      for (std::size_t j = 0; j < means.size(); ++j) about(i, j) += more.about(i, j);
    }
    n = both;
  }
  /// About 0 instead of about the means.
  [[nodiscard]] products about_zero() const {
    products made = about;
    for (std::size_t i = 0; i < means.size(); ++i) {
      for (std::size_t j = 0; j < means.size(); ++j) made(i, j) += n * means[i] * means[j];
    }
    return made;
  }

 private:
  void add_products(real weight) {
    for (std::size_t i = 0; i < means.size(); ++i) {
      const real scaled = weight * apart_[i];
      for (std::size_t j = 0; j <= i; ++j) {
        about(i, j) += scaled * apart_[j];
        about(j, i) = about(i, j);
      }
    }
  }
  real_list apart_;
};

/// Groups of rows, so that each can be left out in turn.
constexpr std::size_t row_groups = 32;

/// What is left of a feature's variance, given those before it, below which it is a combination of
/// them: with 64 bits in each product, less would be their rounding.
constexpr real least_share = 1e-13L;

/// The first columns of a matrix of products, each in units of its own size, as a triangle: R =
/// LLᵀ.
class triangle {
 public:
  /// Stops at the first column that is a combination of others, with no more than `enough` left of
  /// it: `flat` is its number.
  triangle(const products& of, std::size_t size, real enough = least_share)
      : lower_(size), units_(size) {
    for (std::size_t i = 0; i < size; ++i) units_[i] = std::sqrt(of(i, i));
    for (std::size_t i = 0; i < size; ++i) {
      if (!(units_[i] > 0)) {
        flat_ = i;
        return;
      }
      for (std::size_t j = 0; j <= i; ++j) {
        real left = of(i, j) / (units_[i] * units_[j]);
        for (std::size_t k = 0; k < j; ++k) left -= lower_(i, k) * lower_(j, k);
        if (i == j && !(left > enough)) {
          flat_ = i;
          return;
        }
        if (i == j && left < least_) {
          least_ = left;
          nearest_ = i;
        }
        lower_(i, j) = i == j ? std::sqrt(left) : left / lower_(j, j);
      }
    }
  }

  [[nodiscard]] real least() const { return least_; }
  [[nodiscard]] std::size_t nearest() const { return nearest_; }
  [[nodiscard]] const std::optional<std::size_t>& flat() const { return flat_; }

  /// L⁻¹ b, in the units
  [[nodiscard]] real_list forward(real_list b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      b[i] /= units_[i];
      for (std::size_t k = 0; k < i; ++k) b[i] -= lower_(i, k) * b[k];
      b[i] /= lower_(i, i);
    }
    return b;
  }
  [[nodiscard]] real_list solve(const real_list& b) const { return back(forward(b)); }
  /// Which of those before the flat column it is made of, with more than a millionth of its size.
  [[nodiscard]] std::vector<std::size_t> parts_of_flat() const {
    real_list b;
    for (std::size_t k = 0; k < *flat_; ++k) b.push_back(lower_(*flat_, k));
    const real_list slopes = back(std::move(b), false);
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      if (std::fabs(slopes[k]) > 1e-6L) found.push_back(k);
    }
    return found;
  }

 private:
  /// L⁻ᵀ b, for the first columns
  [[nodiscard]] real_list back(real_list b, bool in_units = true) const {
    for (std::size_t i = b.size(); i-- > 0;) {
      for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= lower_(k, i) * b[k];
      b[i] /= lower_(i, i);
    }
    for (std::size_t i = 0; in_units && i < b.size(); ++i) b[i] /= units_[i];
    return b;
  }

  products lower_;
  real_list units_;
  std::optional<std::size_t> flat_;
  real least_ = 1;           ///< that is left of a column
  std::size_t nearest_ = 0;  ///< that one
};

/// "'a', 'b' and a constant"
std::string made_of(const std::vector<std::size_t>& which, const std::vector<std::string>& names,
                    bool with_constant) {
  std::vector<std::string> parts;
  parts.reserve(which.size() + 1);
  for (const std::size_t one : which) parts.push_back("'" + names[one] + "'");
  if (with_constant) parts.emplace_back("a constant");
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

/// Can the coefficients be told from each other? `with_constant`: also from an intercept.
void require_independent(const triangle& of, const row_sums& sums,
                         const std::vector<std::string>& names, bool with_constant) {
  if (!of.flat()) return;
  const std::size_t which = *of.flat();
  const std::string column = "column '" + names[which] + "'";
  if (sums.about(which, which) == 0) {
    throw std::domain_error(
        fmt::format("{} is {:g} in every row: leave it out{}", column, in_double(sums.means[which]),
                    with_constant && sums.means[which] != 0 ? " (an intercept is the same)" : ""));
  }
  throw std::domain_error(column + " is a combination of " +
                          made_of(of.parts_of_flat(), names, with_constant) +
                          ": their coefficients cannot be told apart");
}

void require_rows(const row_sums& sums, std::size_t coefficients) {
  const auto least = static_cast<real>(coefficients + 2);
  if (sums.n < least) {
    throw std::domain_error(
        fmt::format("{} at least {} rows with all numbers, got {}",
                    how_many(coefficients, "coefficient needs", "coefficients need"),
                    coefficients + 2, in_double(sums.n)));
  }
  for (std::size_t i = 0; i < sums.means.size(); ++i) {
    require_in_range(sums.about_zero()(i, i), sums.n);
    require_in_range(sums.about(i, i), sums.n);
  }
}

/// What one reading of the rows tells.
struct plane_sums {
  row_sums sums;
  bool has_intercept;
  products used;  ///< about the means, or about 0
  triangle solver;
  real_list w;
  real squares;  ///< of the residuals

  plane_sums(row_sums all, bool intercept)
      : sums{std::move(all)},
        has_intercept{intercept},
        used{intercept ? sums.about : sums.about_zero()},
        solver{used, features()} {
    if (solver.flat()) return;
    real_list products_with_y(features());
    for (std::size_t i = 0; i < features(); ++i) products_with_y[i] = used(i, features());
    w = solver.solve(products_with_y);
    squares = squares_of_residuals();
  }

  [[nodiscard]] std::size_t features() const { return sums.means.size() - 1; }
  [[nodiscard]] std::size_t coefficients() const { return features() + (has_intercept ? 1 : 0); }
  [[nodiscard]] real freedom() const { return sums.n - static_cast<real>(coefficients()); }
  [[nodiscard]] real intercept() const {
    if (!has_intercept) return 0;
    real b = sums.means.back();
    for (std::size_t i = 0; i < features(); ++i) b -= w[i] * sums.means[i];
    return b;
  }
  /// The model of rows that come from one law, with this variance of the noise.
  [[nodiscard]] row_model model(real variance) const {
    row_model made;
    square_matrix covariance{features()};
    for (std::size_t i = 0; i < features(); ++i) {
      made.w.push_back(in_double(w[i]));
      made.mu.push_back(in_double(sums.means[i]));
      for (std::size_t j = 0; j < features(); ++j) {
        covariance(i, j) = in_double(sums.about(i, j) / (sums.n - 1));
      }
    }
    made.covariance = std::move(covariance);
    made.b = in_double(intercept());
    made.sigma_xi = in_double(std::sqrt(variance));
    return made;
  }
  /// (XᵀX)⁻¹, of the features and, last, of the intercept.
  [[nodiscard]] products inverse() const {
    const std::size_t d = features();
    products made(coefficients());
    for (std::size_t i = 0; i < d; ++i) {
      real_list unit(d);
      unit[i] = 1;
      const real_list column = solver.solve(unit);
      for (std::size_t j = 0; j < d; ++j) made(i, j) = column[j];
    }
    if (!has_intercept) return made;
    made(d, d) = 1 / sums.n;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) made(i, d) -= made(i, j) * sums.means[j];
      made(d, i) = made(i, d);
      made(d, d) -= made(i, d) * sums.means[i];
    }
    return made;
  }
  /// The triangle L of (XᵀX)⁻¹ = LLᵀ, or nothing where rounding leaves none. With the features in
  /// the opposite order, XᵀX = KKᵀ and K⁻ᵀ is the one that is sought; given the slopes, what is
  /// left of the intercept is the error of y's mean.
  [[nodiscard]] std::optional<products> inverse_factor() const {
    const std::size_t d = features();
    products back(d);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) back(i, j) = used(d - 1 - i, d - 1 - j);
    }
    const triangle turned(back, d, 0);
    if (turned.flat()) return {};
    products made(coefficients());
    for (std::size_t i = 0; i < d; ++i) {
      real_list unit(d);
      unit[d - 1 - i] = 1;
      const real_list row = turned.forward(unit);
      for (std::size_t j = 0; j <= i; ++j) made(i, j) = row[d - 1 - j];
    }
    if (!has_intercept) return made;
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t i = j; i < d; ++i) made(d, j) -= sums.means[i] * made(i, j);
    }
    made(d, d) = 1 / std::sqrt(sums.n);
    return made;
  }
  /// From sums about the means also where the plane goes through 0, so that the residuals do not
  /// drown in squares of numbers far from it.
  [[nodiscard]] real squares_of_residuals() const {
    const std::size_t d = features();
    real apart = has_intercept ? 0 : sums.means[d];
    real sum = sums.about(d, d);
    for (std::size_t i = 0; i < d; ++i) {
      if (!has_intercept) apart -= w[i] * sums.means[i];
      sum -= 2 * w[i] * sums.about(i, d);
      for (std::size_t j = 0; j < d; ++j) sum += w[i] * sums.about(i, j) * w[j];
    }
    return std::max<real>(sum + sums.n * apart * apart, 0);
  }
  /// wᵀΣw/σ², with Σ about the same point as the fit, less what noise alone makes of it.
  [[nodiscard]] real signal() const {
    real sum = 0;
    for (std::size_t i = 0; i < features(); ++i) {
      for (std::size_t j = 0; j < features(); ++j) sum += w[i] * used(i, j) * w[j];
    }
    return (sum / (squares / freedom()) - static_cast<real>(features())) / sums.n;
  }
};

/// What the residuals r = y - w·x - b show, in a second reading.
class residual_pass {
 public:
  explicit residual_pass(const plane_sums& from)
      : from_{from},
        intercept_{from.intercept()},
        squared_(from.coefficients()),
        gradient_(from.features()),
        x_(from.coefficients(), 1),
        apart_(from.features()) {}

  void add(const std::vector<double>& row) {
    const std::size_t d = from_.features();
    real r = static_cast<real>(row[d]) - intercept_;
    for (std::size_t i = 0; i < d; ++i) {  // the constant comes last
      const auto x = static_cast<real>(row[i]);
      r -= from_.w[i] * x;
      apart_[i] = x - from_.sums.means[i];
      x_[i] = from_.has_intercept ? apart_[i] : x;
    }
    moments.add(r);
    for (std::size_t i = 0; i < d; ++i) gradient_[i] += r * x_[i];
    for (std::size_t i = 0; i < x_.size(); ++i) {
      for (std::size_t j = 0; j < x_.size(); ++j) squared_(i, j) += r * r * x_[i] * x_[j];
    }
    real distance = 0;
    for (const real part : from_.solver.forward(apart_)) distance += part * part;
    sizes_.add({in_double(distance), in_double(r * r)});
  }

  residual_moments moments;

  /// By how much the first reading's rounding moved ŵ.
  [[nodiscard]] real_list correction() const { return from_.solver.solve(gradient_); }
  /// χ² with one degree of freedom: do the squares depend on how far x is from its mean, in units
  /// of its own covariance?
  [[nodiscard]] double unevenness() const {
    const products& about = sizes_.about;
    const real spread = about(0, 0) * about(1, 1);
    return spread > 0 ? in_double(sizes_.n * about(0, 1) * about(0, 1) / spread) : 0;
  }
  [[nodiscard]] std::vector<double> robust_errors(const products& inverse) const {
    std::vector<double> made;
    // What a residual adds to a coefficient. To the intercept, b̂ = ȳ - ŵ·x̄: its share of y's mean.
    const auto part = [&](std::size_t c, std::size_t i) {
      if (i < from_.features()) return inverse(c, i);
      return c == i ? 1 / from_.sums.n : 0;
    };
    for (std::size_t c = 0; c < inverse.size(); ++c) {
      real sum = 0;
      for (std::size_t i = 0; i < inverse.size(); ++i) {
        for (std::size_t j = 0; j < inverse.size(); ++j) {
          sum += part(c, i) * squared_(i, j) * part(c, j);
        }
      }
      made.push_back(in_double(std::sqrt(std::max<real>(sum, 0))));
    }
    return made;
  }

 private:
  const plane_sums& from_;
  real intercept_;
  products squared_;    ///< Σ r² x xᵀ
  real_list gradient_;  ///< Σ r x
  real_list x_;         ///< from its mean with an intercept, so that nothing cancels
  real_list apart_;
  row_sums sizes_{2};
};

/// A sum of all groups but one.
row_sums all_but(const std::vector<row_sums>& groups, std::size_t left_out) {
  row_sums made(groups[0].means.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i != left_out) made.add(groups[i]);
  }
  return made;
}

/// The models without each group, and from them the error of the signal-to-noise ratio: nothing
/// where some of them cannot be told.
void leave_out_groups(plane_fit& made, const std::vector<row_sums>& groups) {
  std::vector<double> signals;
  for (std::size_t i = 0; i < row_groups && groups[i].n > 0; ++i) {
    const plane_sums others{all_but(groups, i), made.has_intercept};
    const bool is_told = !others.solver.flat() && others.freedom() > 0 && others.squares > 0 &&
                         !triangle(others.sums.about, others.features()).flat();
    if (!is_told) {
      made.without.clear();
      return;
    }
    made.without.push_back(others.model(others.squares / others.freedom()));
    signals.push_back(in_double(others.signal()));
  }
  made.snr_error = jackknife_error(signals);
}

square_matrix scaled(const products& of, std::size_t size, real factor) {
  square_matrix made{size};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) made(i, j) = in_double(factor * of(i, j));
  }
  return made;
}

/// What rounds: each of its entries once, and sums of 64 bits where features nearly depend on each
/// other.
void add_factor(plane_fit& made, const plane_sums& found, real deviation) {
  const std::optional<products> factor = found.inverse_factor();
  if (!factor) {
    throw std::domain_error(
        "columns are so nearly combinations of others that their coefficients cannot be told "
        "apart");
  }
  const auto count = static_cast<real>(found.coefficients());
  made.factor = scaled(*factor, found.coefficients(), deviation);
  made.factor_doubt =
      in_double(4 * count * 0x1p-53L + count * count * 0x1p-63L / found.solver.least());
}

void add_residuals(plane_fit& made, plane_sums& found, const residual_pass& pass,
                   const products& inverse) {
  const real_list correction = pass.correction();
  for (std::size_t i = 0; i < correction.size(); ++i) found.w[i] += correction[i];
  found.squares = pass.moments.squares();
  const real kurtosis = pass.moments.kurtosis();
  made.sigma_xi_error = in_double(std::sqrt(found.squares / found.freedom()) *
                                  deviation_error(kurtosis, found.sums.n));
  made.robust_errors = pass.robust_errors(inverse);
  made.residuals = {in_double(pass.moments.mean()), in_double(pass.moments.skewness()),
                    in_double(kurtosis), pass.unevenness()};
}

}  // namespace

std::optional<double> jackknife_error(const std::vector<double>& values) {
  const auto k = static_cast<double>(values.size());
  if (values.size() < 3) return {};
  double mean = 0;
  for (const double one : values) mean += one / k;
  double variance = 0;
  for (const double one : values) variance += (one - mean) * (one - mean) * (k - 1) / k;
  return std::sqrt(variance);
}

plane_fit fit_plane(const each_row& points, const std::vector<std::string>& names,
                    bool has_intercept, bool can_read_again) {
  const std::size_t d = names.size();
  std::vector<row_sums> groups(row_groups, row_sums(d + 1));
  std::size_t next = 0;
  points([&](const std::vector<double>& row) { groups[next++ % row_groups].add(row); });
  plane_sums found{all_but(groups, row_groups), has_intercept};
  require_rows(found.sums, found.coefficients());
  require_independent(found.solver, found.sums, names, has_intercept);
  require_independent(triangle(found.sums.about, d), found.sums, names, true);

  plane_fit made{.n = in_double(found.sums.n), .has_intercept = has_intercept};
  const products inverse = found.inverse();
  made.sigma_xi_error =
      in_double(std::sqrt(found.squares / found.freedom()) * deviation_error(3, found.freedom()));
  if (can_read_again) {
    residual_pass pass{found};
    points([&](const std::vector<double>& row) { pass.add(row); });
    if (pass.moments.squares() > 0) add_residuals(made, found, pass, inverse);
  }
  const real variance = found.squares / found.freedom();
  if (!(std::sqrt(variance) > 1e-14L * std::sqrt(found.used(d, d) / found.sums.n))) {
    throw std::domain_error("the points lie on a plane, so their noise cannot be estimated");
  }
  made.model = found.model(variance);
  made.mean_y = in_double(found.sums.means[d]);
  made.covariance = scaled(inverse, found.coefficients(), variance);
  add_factor(made, found, std::sqrt(variance));
  for (std::size_t i = 0; i < found.coefficients(); ++i) {
    made.errors.push_back(std::sqrt(made.covariance(i, i)));
  }
  made.snr = std::max(0.0, in_double(found.signal()));
  made.least_share = in_double(found.solver.least());
  made.nearest = found.solver.nearest();
  leave_out_groups(made, groups);
  return made;
}

}  // namespace ktln2::ask
