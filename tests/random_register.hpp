#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/number_cells.hpp"
#include "random_case.hpp"

/// A law and its parameters, as `oracle/` has them in the same order.
struct drawn_law {
  std::string family;
  double a = 0;
  double b = 0;
  double c = 0;

  /// As parse_law() reads it, to the last bit.
  [[nodiscard]] std::string text() const {
    struct form {
      const char* family;
      std::vector<const char*> names;
    };
    static const std::vector<form> forms{
        {"normal", {"mu", "sigma"}},   {"student", {"dof", "loc", "scale"}},
        {"laplace", {"loc", "scale"}}, {"logistic", {"loc", "scale"}},
        {"uniform", {"low", "high"}},  {"lognormal", {"mu", "sigma"}},
        {"gamma", {"shape", "scale"}}, {"exponential", {"scale"}},
        {"halfnormal", {"sigma"}},     {"triangular", {"low", "mode", "high"}}};
    const double values[] = {a, b, c};
    for (const form& each : forms) {
      if (family != each.family) continue;
      std::string made = family;
      for (std::size_t i = 0; i < each.names.size(); ++i) {
        char number[64];
        std::snprintf(number, sizeof number, "%s=%.17g", each.names[i], values[i]);
        made += (i == 0 ? ":" : ",") + std::string(number);
      }
      return made;
    }
    return "an unknown law";
  }
};

/// Where a law stands, and how wide it is.
struct spot {
  double place;
  double size;
};

/// Random formats that people own, ways to store numbers in them, and laws that are hard on them:
/// narrow against a cell, at an edge, in the tails, beyond the largest, as small as the smallest.
class random_registers {
 public:
  explicit random_registers(unsigned seed) : random_{seed} {}

  [[nodiscard]] random_numbers& numbers() { return random_; }

  /// Of at most so many bits, its numbers well within double's range.
  ktln2::number_format format(int most_bits) {
    for (;;) {
      try {
        ktln2::number_format made = any_format(most_bits);
        const bool is_usual = made.width() <= most_bits && made.min_positive().exponent() > -960 &&
                              made.max().exponent() < 960;
        if (is_usual) return made;
      } catch (const std::domain_error&) {
        continue;  // such fields do not go together
      }
    }
  }

  ktln2::storing rule(const ktln2::number_format& format) {
    const auto roundings = format.roundings();
    const auto overflows = format.overflows();
    return {roundings[below(roundings.size())], overflows[below(overflows.size())]};
  }

  spot near(const ktln2::number_format& format, const ktln2::storing& rule) {
    for (;;) {
      const spot drawn = any_spot(format, rule);
      if (std::fabs(drawn.place) < 1e300 && drawn.size > 1e-300 && drawn.size < 1e300) return drawn;
    }
  }

  drawn_law law(const std::vector<std::string>& families, const spot& at) {
    const std::string& family = families[below(families.size())];
    const auto& [place, size] = at;
    if (family == "student") return {family, random_.log_uniform(0.2, 1e3), place, size};
    if (family == "uniform") {
      const double low = place - size;
      return {family, low, std::fmax(place + size, std::nextafter(low, 1e308))};
    }
    if (family == "exponential" || family == "halfnormal") {
      return {family, random_.chance(0.5) || place == 0 ? size : std::fabs(place)};
    }
    if (family == "lognormal") {
      const double about = place == 0 ? size : std::fabs(place);
      return {family, std::log(about), std::clamp(size / about, 1e-12, 20.0)};
    }
    if (family == "gamma") {
      const double ratio = place == 0 ? random_.log_uniform(0.05, 5) : std::fabs(place) / size;
      const double shape = std::clamp(ratio * ratio, 1e-3, 1e6);
      return {family, shape, size * std::fmax(1, ratio) / shape};
    }
    if (family == "triangular") {
      const double high = place + size * random_.log_uniform(0.01, 10);
      return {family, place - size, place, std::fmax(high, std::nextafter(place, 1e300))};
    }
    return {family, place, size};
  }

 private:
  spot any_spot(const ktln2::number_format& format, const ktln2::storing& rule) {
    const ktln2::interval cell = some_cell(format, rule);
    const double left = cell.left.to_double();
    const double right = cell.right.to_double();
    const double smallest = format.min_positive().to_double();
    const double between = (cell.right - cell.left).to_double();
    const double width = between > 0 ? between : smallest;
    const double largest = format.max().to_double();
    const double sign = random_.chance(0.5) ? -1 : 1;
    switch (random_.whole(0, 6)) {
      case 0:  // narrow, at an edge
        return {sign * right, width * random_.log_uniform(1e-14, 0.3)};
      case 1: {  // narrow, so far from an edge that little of it is beyond
        const double size = width * random_.log_uniform(1e-9, 0.05);
        return {sign * (left + size * random_.whole(-40, 40)), size};
      }
      case 2:  // within a cell
        return {sign * (left + random_.unit() * (right - left)),
                width * random_.log_uniform(1e-3, 3)};
      case 3:  // a cell far out in the tails
        return {0, std::fmax(right, smallest) / random_.log_uniform(3, 100)};
      case 4:  // beyond the largest
        return {sign * largest * random_.log_uniform(0.5, 1e6),
                largest * random_.log_uniform(1e-6, 10)};
      case 5:  // about as small as the smallest
        return {random_.chance(0.5) ? 0 : sign * smallest * random_.unit(),
                smallest * random_.log_uniform(1e-6, 100)};
      default: {  // of any size
        const double span = std::log(largest / smallest);
        const double size = smallest * std::exp(random_.unit() * (span + 6) - 3);
        return {random_.chance(0.3) ? 0 : sign * size * random_.log_uniform(0.05, 150), size};
      }
    }
  }

  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(random_.whole(0, static_cast<int>(count) - 1));
  }
  std::string text(int number) { return std::to_string(number); }

  ktln2::number_format any_format(int most_bits) {
    const auto& named = ktln2::number_catalogue();
    switch (random_.whole(0, 4)) {
      case 0:
        return *ktln2::find_number_format(named[below(named.size())].name);
      case 1: {  // IEEE P3109
        const int k = random_.whole(3, std::min(most_bits, 16));
        const bool is_signed = random_.chance(0.6);
        const int p = random_.whole(1, is_signed ? k - 1 : k);
        return *ktln2::find_number_format("binary" + text(k) + "p" + text(p) +
                                          (is_signed ? "s" : "u") +
                                          (random_.chance(0.5) ? "e" : "f"));
      }
      case 2: {
        const int bits = random_.whole(1, most_bits - 1);
        const int before = random_.whole(0, bits);
        return *ktln2::find_number_format("q" + text(before) + "." + text(bits - before));
      }
      case 3: {
        const int bits = random_.whole(3, std::min(most_bits, 32));
        return ktln2::number_format::posit("posit" + text(bits), bits);
      }
      default:
        return own_format(most_bits);
    }
  }

  ktln2::number_format own_format(int most_bits) {
    const int exponent_bits = random_.whole(1, std::min(most_bits - 1, 11));
    const int p = random_.whole(1, most_bits - exponent_bits);
    const char* const nans[] = {"ieee", "top", "negzero", "none"};
    const char* const zeros[] = {"signed", "one", "none"};
    const auto yes = [this](double share) { return random_.chance(share) ? "yes" : "no"; };
    return *ktln2::find_number_format(
        "float:p=" + text(p) + ",exponent_bits=" + text(exponent_bits) +
        ",bias=" + text(random_.whole(-3, 1 << exponent_bits)) + ",subnormals=" + yes(0.7) +
        ",infinity=" + yes(0.5) + ",nan=" + nans[random_.whole(0, 3)] +
        ",zero=" + zeros[random_.whole(0, 2)] + ",signed=" + yes(0.7));
  }

  /// Of a positive number.
  ktln2::interval some_cell(const ktln2::number_format& format, const ktln2::storing& rule) {
    const double share = random_.chance(0.2) ? 0 : random_.chance(0.2) ? 1 : random_.unit();
    const auto last = format.largest();
    const auto magnitude = static_cast<std::uint64_t>(share * static_cast<double>(last));
    for (std::uint64_t m = std::min(std::max<std::uint64_t>(magnitude, 1), last);; --m) {
      const ktln2::interval cell = cell_of(format, rule, false, m, m);
      if (cell.left < cell.right || m == 0) return cell;
    }
  }

  random_numbers random_;
};
