#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// What a law of one's own is made of: functions of the standard variable z. The law is that of
/// location + scale·Z. Of a density only `pdf` or `log_pdf` is needed; all that is not given is
/// computed from it, and what that leaves uncertain goes into the error bar of every result.
///
/// The functions may be called from several threads at once.
struct law_functions {
  using function = std::function<double(double)>;

  std::string name = "custom law";  ///< as messages show it
  function pdf = {};                ///< or
  function log_pdf = {};            ///< its natural logarithm, which reaches farther out
  function cdf = {};                ///< P(Z < z): checks the density, and finds its mass
  function ccdf = {};               ///< P(Z > z), accurate where it is small
  std::vector<double> breaks = {};  ///< where the density is not smooth, ascending: kinks, jumps,
                                    ///< ends of the support
  bool has_jumps = false;           ///< is it not even continuous there?
  bool is_symmetric = false;        ///< f(-z) = f(z)?
  std::optional<double> mode = {};  ///< from there on f falls off, or stays level, on both sides
  std::optional<double> mean = {};
  std::optional<double> deviation = {};
  std::optional<differential_bits> entropy = {};  ///< h(Z)
  double location = 0;
  double scale = 1;
  /// How far a value of the density may be off, relatively, beside what the rounding of z does.
  double relative_error = 0x1p-50;
};

/// A density known by a function of its own, and its mass on panels short enough for Gauss–Legendre
/// quadrature. A probability is a sum of integrals of the density, of positive terms: nothing
/// cancels. The units are such that most of the mass is within a few of zero.
/// A cheap value: copies share their panels.
class standard_custom {
 public:
  [[nodiscard]] double log_pdf(double z) const;
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const;
  [[nodiscard]] cell_mass cell(double z, double h) const;
  [[nodiscard]] cell_mass between(double a, double b) const;
  [[nodiscard]] auto cells(double h) const {
    return [this, h](double z) { return cell(z, h); };
  }
  [[nodiscard]] double log_ratio(double z, double t) const { return log_pdf(z + t) - log_pdf(z); }
  [[nodiscard]] double log_slope(double z) const;
  /// Near 0 the larger one of both sides.
  [[nodiscard]] double condition(double z) const;
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::span<const double> breaks() const { return table_->breaks; }
  [[nodiscard]] bool has_jumps() const { return table_->has_jumps; }
  [[nodiscard]] bool is_symmetric() const { return table_->is_symmetric; }
  [[nodiscard]] double mode() const { return table_->mode; }
  [[nodiscard]] double entropy() const { return table_->entropy; }
  [[nodiscard]] double mean() const { return table_->mean; }
  [[nodiscard]] double deviation() const { return table_->deviation; }
  /// How far the density may be off, in total variation.
  [[nodiscard]] double table_error() const { return table_->error; }
  /// The shortest panel between a and b: how quickly the density may vary there.
  [[nodiscard]] double resolution(double a, double b) const;
  /// Where the panel that holds z, or begins there, ends: quadrature goes no farther at once.
  [[nodiscard]] double panel_end(double z) const;

 private:
  friend class custom_law;

  struct panel {
    double left;
    double right;
    double mass;
    double below;  ///< P(Z < left)
    double above;  ///< P(Z > right)
    double slope;  ///< the largest |d ln f/dz|, about

    [[nodiscard]] double half() const { return (right - left) / 2; }
  };

  struct table {
    std::function<double(double)> density;
    std::function<double(double)> log_density;
    std::function<double(double)> tail_below;  ///< beyond the panels
    std::function<double(double)> tail_above;
    double offset = 0;  ///< of the user's 0, in units of this one's
    std::vector<panel> panels;
    std::vector<double> breaks;
    bool has_jumps = false;
    bool is_symmetric = false;
    double mode = 0;
    double entropy = 0;
    double mean = 0;
    double deviation = 0;
    double error = 0;
  };
  class builder;

  explicit standard_custom(std::shared_ptr<const table> made) : table_{std::move(made)} {}

  [[nodiscard]] double first() const { return table_->panels.front().left; }
  [[nodiscard]] double last() const { return table_->panels.back().right; }
  [[nodiscard]] std::size_t panel_at(double z) const;
  [[nodiscard]] double integral(double from, double to) const;
  [[nodiscard]] cell_mass beyond(double z, double outward) const;
  [[nodiscard]] cell_mass narrow(double z, double h, double size) const;
  /// P(a < Z < b) as a sum of positive parts.
  [[nodiscard]] double inside(double a, double b) const;

  std::shared_ptr<const table> table_;
};

/// A law that the library does not have, made outside of it; one alternative of `law`, so all that
/// takes a law takes it:
///
///     const custom_law gumbel{{.name = "gumbel",
///                              .log_pdf = [](double z) { return -z - std::exp(-z); },
///                              .cdf = [](double z) { return std::exp(-std::exp(-z)); }}};
///     exact_entropy(float_format{24, 8}, gumbel);
///
/// Throws std::domain_error, with the name, the place and the value, if the density is somewhere
/// negative or not a number, if it does not integrate to 1 (to 1e-6), if a distribution function
/// does not rise from 0 to 1 or is not the integral of the density, or if a parameter is bad.
class custom_law : public location_scale<standard_custom> {
 public:
  explicit custom_law(const law_functions& functions);

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  struct parts {
    std::string name;
    wide location;
    wide scale;
    standard_custom kernel;
  };
  static parts make(const law_functions& functions);
  explicit custom_law(const parts& made);

  std::string name_;
};

}  // namespace ktln2
