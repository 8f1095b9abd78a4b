#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <utility>

#include "core/constants.hpp"
#include "distribution/checked_functions.hpp"
#include "distribution/gauss_panel.hpp"

namespace ktln2 {
namespace {

/// The error of a Gauss rule of order 16 that differs so much from the one of order 8, as QUADPACK
/// takes it.
double rule_error(double low, double high) {
  const double difference = std::fabs(high - low);
  const double relative = 10 * difference / std::fabs(high);
  return std::fmin(difference, std::fabs(high) * relative * std::sqrt(relative));
}

}  // namespace

/// Cuts the line into panels and integrates what was not given.
class standard_custom::builder {
 public:
  builder(const law_functions& given, const checked_functions& checked, const frame& units)
      : given_{given}, checked_{checked}, units_{units} {
    made_.offset = -units.center / units.length;
    for (const double z : given.breaks) made_.breaks.push_back(from_user(z));
    made_.has_jumps = given.has_jumps;
    made_.is_symmetric = given.is_symmetric;
    set_functions();
  }

  table build() {
    cut_line();
    find_kinks();
    check_mass();
    sum_up();
    check_distribution();
    check_symmetry();
    set_mode();
    set_moments();
    made_.entropy = given_.entropy
                        ? given_.entropy->value() * std::numbers::ln2 - std::log(units_.length)
                        : entropy_.value();
    if (!given_.entropy) made_.error += entropy_error_;
    made_.error += given_.relative_error + rounding_error();
    return made_;
  }

 private:
  [[nodiscard]] double to_user(double z) const { return units_.center + units_.length * z; }
  [[nodiscard]] double from_user(double z) const { return (z - units_.center) / units_.length; }

  void set_functions() {
    const double center = units_.center;
    const double length = units_.length;
    const double log_length = std::log(length);
    const auto pdf = given_.pdf;
    const auto log_pdf = given_.log_pdf;
    made_.density = [=](double z) {
      const double at = center + length * z;
      return length * (pdf ? pdf(at) : std::exp(log_pdf(at)));
    };
    made_.log_density = [=](double z) {
      const double at = center + length * z;
      return log_length + (log_pdf ? log_pdf(at) : std::log(pdf(at)));
    };
    if (const auto cdf = given_.cdf) {
      made_.tail_below = [=](double z) { return cdf(center + length * z); };
    }
    if (const auto ccdf = given_.ccdf) {
      made_.tail_above = [=](double z) { return ccdf(center + length * z); };
    }
  }

  [[nodiscard]] double density(double z) const { return units_.length * checked_.pdf(to_user(z)); }
  /// -f ln f
  [[nodiscard]] double surprise(double z) const {
    const double f = density(z);
    return f > 0 ? -f * std::log(f) : 0;
  }

  /// Octave by octave to both sides, until the mass has died out.
  void cut_line() {
    double farthest = 4;  // of what is known to be there
    for (const double z : made_.breaks) farthest = std::fmax(farthest, std::fabs(z));
    if (given_.mode) farthest = std::fmax(farthest, std::fabs(from_user(*given_.mode)));
    for (const double side : {-1.0, 1.0}) {
      int empty = 0;
      for (double from = 0, to = 0.5; to < 0x1p1000 && (empty < 3 || from < farthest);
           from = to, to *= 2) {
        const std::size_t before = made_.panels.size();
        add_range(std::fmin(side * from, side * to), std::fmax(side * from, side * to));
        double mass = 0;
        for (std::size_t i = before; i < made_.panels.size(); ++i) mass += made_.panels[i].mass;
        empty = mass < 1e-34 ? empty + 1 : 0;
      }
    }
    auto& panels = made_.panels;
    std::sort(panels.begin(), panels.end(),
              [](const panel& a, const panel& b) { return a.left < b.left; });
    const auto has_mass = [](const panel& one) { return one.mass > 0; };
    panels.erase(panels.begin(), std::find_if(panels.begin(), panels.end(), has_mass));
    panels.erase(std::find_if(panels.rbegin(), panels.rend(), has_mass).base(), panels.end());
  }

  void add_range(double a, double b) {
    for (const double z : made_.breaks) {
      if (a < z && z < b) {
        add_panel(a, z, 0);
        a = z;
      }
    }
    add_panel(a, b, 0);
  }

  /// Halves until two orders agree on ∫ f and on ∫ f ln f.
  void add_panel(double a, double b, int depth) {
    const auto f = [this](double z) { return density(z); };
    const auto g = [this](double z) { return surprise(z); };
    const double mass_low = by_rule<8>(a, b, f);
    const double mass = by_rule<16>(a, b, f);
    const double entropy_low = by_rule<8>(a, b, g);
    const double entropy = by_rule<16>(a, b, g);
    const double mass_gap = std::fabs(mass - mass_low);
    const double entropy_gap = std::fabs(entropy - entropy_low);
    const double middle = a + (b - a) / 2;
    const bool may_halve = depth < 60 && a < middle && middle < b &&
                           b - a > 0x1p-44 * std::fmax(std::fabs(a), std::fabs(b));
    if (may_halve &&
        (mass_gap > 1e-12 * mass + 1e-18 || entropy_gap > 1e-12 * std::fabs(entropy) + 1e-16)) {
      add_panel(a, middle, depth + 1);
      add_panel(middle, b, depth + 1);
      return;
    }
    made_.panels.push_back({a, b, mass, 0, 0, steepest(a, b)});
    if (mass > 0) made_.error += rule_error(mass_low, mass);
    if (entropy != 0) entropy_error_ += rule_error(entropy_low, entropy);
    entropy_.add(entropy);
  }

  [[nodiscard]] double steepest(double a, double b) const {
    const auto& rule = gauss_legendre<16>();
    double most = 0;
    double before = infinity;
    double at = a;
    for (const double node : rule.node) {
      const double z = a + (b - a) / 2 * (1 + node);
      const double log_f = made_.log_density(z);
      if (std::isfinite(log_f) && std::isfinite(before)) {
        most = std::fmax(most, std::fabs((log_f - before) / (z - at)));
      }
      before = log_f;
      at = z;
    }
    return most;
  }

  /// Kinks and jumps that were not told show where panels meet: there differences of ln f do not
  /// fall off with their length as those of a smooth function do.
  void find_kinks() {
    const auto& panels = made_.panels;
    for (std::size_t i = 1; i < panels.size(); ++i) {
      const double at = panels[i].left;
      const double length = std::fmin(panels[i - 1].half(), panels[i].half()) / 8;
      const bool is_known =
          std::find(made_.breaks.begin(), made_.breaks.end(), at) != made_.breaks.end();
      if (is_known || std::fmin(panels[i - 1].mass, panels[i].mass) < 1e-14) continue;
      const auto bend = [&](double h) {
        return std::fabs(made_.log_density(at + h) - 2 * made_.log_density(at) +
                         made_.log_density(at - h)) /
               h;
      };
      const double near = bend(length / 64);
      if (near * length > 1e-9 && near > bend(length) / 8) made_.breaks.push_back(at);
    }
    std::sort(made_.breaks.begin(), made_.breaks.end());
  }

  /// What the rounding of the user's variable does, if the mass is far from its 0.
  [[nodiscard]] double rounding_error() const {
    double error = 0;
    for (const panel& one : made_.panels) error += one.mass * one.slope;
    return 0x1p-53 * std::fabs(made_.offset) * error;
  }

  void check_mass() {
    compensated_sum total;
    for (const panel& one : made_.panels) total.add(one.mass);
    if (given_.cdf && !made_.panels.empty()) {
      total.add(checked_.cdf(to_user(made_.panels.front().left)));
    }
    if (given_.ccdf && !made_.panels.empty()) {
      total.add(checked_.ccdf(to_user(made_.panels.back().right)));
    }
    const double lack = std::fabs(total.value() - 1);
    if (!(lack <= 1e-6)) {
      checked_.refuse("the density must integrate to 1, got " + shown(total.value()) +
                      " (if it is narrow, its mode or its cdf helps to find it)");
    }
    made_.error += lack;
  }

  void sum_up() {
    auto& panels = made_.panels;
    double sum = made_.tail_below ? made_.tail_below(panels.front().left) : 0;
    for (panel& one : panels) {
      one.below = sum;
      sum += one.mass;
    }
    sum = made_.tail_above ? made_.tail_above(panels.back().right) : 0;
    for (std::size_t i = panels.size(); i-- > 0;) {
      panels[i].above = sum;
      sum += panels[i].mass;
    }
  }

  void check_distribution() {
    if (!checked_.has_cdf()) return;
    double before = 0;
    double gap = 0;
    for (const panel& one : made_.panels) {
      const double x = to_user(one.left);
      const double p = checked_.cdf(x);
      if (p < before - 1e-15) {
        checked_.refuse("the distribution function must not fall, got " + shown(p) + " after " +
                        shown(before) + " at " + shown(x));
      }
      gap = std::fmax(gap, std::fabs(p - one.below));
      if (!(gap <= 1e-6)) {
        checked_.refuse("the distribution function must be the integral of the density, " +
                        shown(one.below) + " at " + shown(x) + ", got " + shown(p));
      }
      before = p;
    }
    // Doubles are no closer together at 1.
    made_.error += std::fmax(0.0, gap - 4 * 0x1p-53);
  }

  void check_symmetry() const {
    if (!given_.is_symmetric) return;
    for (const panel& one : made_.panels) {
      const double z = one.left + 0.6180339887498949 * (one.right - one.left);
      const double here = density(z);
      const double there = density(-z);
      if (std::fabs(here - there) > 1e-9 * (here + there) + 1e-30) {
        checked_.refuse("the density must be symmetric, got " + shown(here / units_.length) +
                        " at " + shown(to_user(z)) + " and " + shown(there / units_.length) +
                        " at " + shown(to_user(-z)));
      }
    }
  }

  void set_mode() {
    if (given_.mode) {
      require_finite(given_.name, "mode", *given_.mode);
      made_.mode = from_user(*given_.mode);
      return;
    }
    double highest = -1;
    for (const panel& one : made_.panels) {
      const auto falling = [this](double z) { return -density(z); };
      const auto [z, f] = boost::math::tools::brent_find_minima(falling, one.left, one.right, 30);
      if (-f > highest) {
        highest = -f;
        made_.mode = z;
      }
    }
    if (given_.is_symmetric && density(0) >= highest * (1 - 1e-12)) made_.mode = 0;
  }

  void set_moments() {
    made_.mean = given_.mean ? from_user(*given_.mean) : computed_mean();
    made_.deviation =
        given_.deviation ? *given_.deviation / units_.length : computed_deviation(made_.mean);
  }

  /// Σ of ∫ f F over the panels on each side, F of one sign there; infinite where the outermost
  /// octaves do not fall off.
  template <class F>
  [[nodiscard]] double moment(double side, const F& factor) const {
    compensated_sum sum;
    double octaves[2] = {0, 0};  // the outermost but one, and the outermost
    const double end = std::fabs(side < 0 ? made_.panels.front().left : made_.panels.back().right);
    for (const panel& one : made_.panels) {
      const double middle = one.left + one.half();
      if (middle * side < 0) continue;
      const double part =
          by_rule<16>(one.left, one.right, [&](double z) { return density(z) * factor(z); });
      sum.add(part);
      if (std::fabs(middle) > end / 2) octaves[1] += std::fabs(part);
      if (std::fabs(middle) > end / 4 && std::fabs(middle) < end / 2) octaves[0] += std::fabs(part);
    }
    const double share = octaves[1] / std::fabs(sum.value());
    if (!(share > 1e-12) || density(1.5 * side * end) == 0) return sum.value();
    const double ratio = octaves[1] / octaves[0];
    if (!(ratio < 0.999)) return std::copysign(infinity, sum.value());
    return sum.value() + std::copysign(octaves[1] * ratio / (1 - ratio), sum.value());
  }

  [[nodiscard]] double computed_mean() const {
    const auto factor = [](double z) { return z; };
    const double below = moment(-1, factor);
    const double above = moment(1, factor);
    if (std::isinf(below) || std::isinf(above)) return undefined;
    return given_.is_symmetric ? 0 : below + above;
  }

  [[nodiscard]] double computed_deviation(double mean) const {
    if (std::isnan(mean)) return infinity;
    const auto factor = [mean](double z) { return (z - mean) * (z - mean); };
    return std::sqrt(moment(-1, factor) + moment(1, factor));
  }

  const law_functions& given_;
  const checked_functions& checked_;
  frame units_;
  table made_;
  compensated_sum entropy_;
  double entropy_error_ = 0;
};

custom_law::parts custom_law::make(const law_functions& functions) {
  const checked_functions checked(functions);
  frame units = first_frame(checked, functions);
  const auto tabulate = [&] {
    return std::make_shared<standard_custom::table>(
        standard_custom::builder(functions, checked, units).build());
  };
  auto made = tabulate();
  if (!checked.has_cdf()) {  // only now the quartiles are known
    const standard_custom first{made};
    const auto quartile = [&](double q) {
      return units.center + units.length * detail::standard_quantile(first, q);
    };
    units = frame_of_quartiles(checked, functions, quartile(0.25), quartile(0.5), quartile(0.75));
    made = tabulate();
  }
  const wide location = wide(functions.location) + wide(functions.scale) * wide(units.center);
  const wide scale = wide(functions.scale) * wide(units.length);
  require_finite(functions.name, "location", location.to_double());
  require_positive(functions.name, "scale", scale.to_double());
  return {functions.name, location, scale, standard_custom{std::move(made)}};
}

}  // namespace ktln2
