#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "core/parse.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/fields.hpp"
#include "ladder.hpp"
#ifdef KTLN2_HAS_CERTIFICATE
#include "ktln2/certificate/certified_entropy.hpp"
#endif

namespace ktln2::cli {
namespace {

json_value bit_list(const std::vector<bit_entropy>& all) {
  json_value list = json_value::array();
  for (const bit_entropy& bit : all) {
    list.push_back({{"name", bit.name}, {"entropy", number(bit.entropy.value.value())}});
  }
  return list;
}

/// A share of one bit as a bar of twenty blocks.
std::string bar(double share) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += i < 20 * share - 0.5 ? "█" : "·";
  return text;
}

bound_set bounds_of(const float_format& format, const law& x) {
  // What the mass Q outside of 𝕌 adds to the two outermost cells is at most Q log(2/Q) + Q.
  return {smoothing_bound(format, x), zero_cells_error(format, x),
          zero_cells_error_bound(format, x), divergence_bound(format, x), bits{2}};
}

std::string reading(const float_format& format, const field_entropies& fields) {
  const std::string size = fmt::format("{} bit{}", format.width(), format.width() == 1 ? "" : "s");
  if (fields.total.value <= fields.total.error) {
    return fmt::format("The register has {} and holds no information that this accuracy can see.\n",
                       size);
  }
  const double h = fields.total.value.value();
  const joules erasure = landauer_cost(fields.total.value, kelvin{300});
  return fmt::format(
      "The register has {} and holds {} bits of information; erasing it costs at least "
      "{:.2e} J at 300 K.\n",
      size, h < 0.1 ? fmt::format("{:.2g}", h) : fmt::format("{:.2f}", h), erasure.value());
}

bounded<bits> certified([[maybe_unused]] const float_format& format, [[maybe_unused]] const law& x,
                        [[maybe_unused]] bits tolerance) {
#ifdef KTLN2_HAS_CERTIFICATE
  return certified_entropy(format, x, std::min(tolerance, certificate_tolerance));
#else
  throw std::runtime_error("entropy: --certify needs a program that was built with Arb");
#endif
}

}  // namespace

void run(const entropy_request& request, style how) {
  if (describes_pair(request.distribution)) return run_pair(request, how);
  if (request.y_format) {
    throw std::domain_error("entropy: --y-format is for pairs, got " + request.distribution);
  }
  const float_format format = float_format::parse(request.format);
  const law known = parse_law(request.distribution);
  const bits tolerance = request.tolerance
                             ? bits{parse_number("entropy: --tolerance", *request.tolerance)}
                             : default_tolerance;
  field_entropies fields = entropy_by_field(format, known, tolerance);
  if (request.certify) fields.total = certified(format, known, tolerance);
  const std::vector<bit_entropy> single_bits =
      request.bits ? entropy_by_bit(format, known, tolerance) : std::vector<bit_entropy>{};
  if (fields.total.error > tolerance) {
    warn(fmt::format("tolerance {} not reached: the error bar is {:.1e} bits", tolerance.value(),
                     fields.total.error.value()));
  }

  if (how == style::json) {
    json_value object = report("entropy");
    object["format"] = format.name();
    object["distribution"] = request.distribution;
    object["tolerance"] = number(tolerance.value());
    object["value"] = number(fields.total.value.value());
    object["error"] = number(fields.total.error.value());
    object["proved"] = fields.total.how == evidence::proved;
    object["unit"] = "bit";
    object["method"] =
        request.certify ? "ball arithmetic" : "Gram quadrature over runs of equal cells";
    object["differential_entropy"] =
        std::visit([](const auto& x) { return number(differential_entropy(x).value()); }, known);
    object["fields"] = {{"sign", number(fields.sign.value.value())},
                        {"exponent", number(fields.exponent.value.value())},
                        {"mantissa", number(fields.mantissa.value.value())}};
    object["approximations"] = approximation_list(entropy_approximations(format, known));
    object["bounds"] = bound_list(bounds_of(format, known));
    if (request.bits) object["bits"] = bit_list(single_bits);
    return print_json(object);
  }

  if (how == style::csv) {
    table rows({"part", "entropy", "error"});
    const auto add = [&rows](const std::string& name, bounded<bits> h) {
      rows.add({name, fmt::format("{}", h.value.value()), fmt::format("{}", h.error.value())});
    };
    if (request.bits) {
      for (const bit_entropy& bit : single_bits) add(bit.name, bit.entropy);
    } else {
      add("total", fields.total);
      add("sign", fields.sign);
      add("exponent", fields.exponent);
      add("mantissa", fields.mantissa);
    }
    return print(rows.csv());
  }

  print(fmt::format("H = {} bits   ({} stored in {}{})\n\n", with_error(fields.total),
                    request.distribution, format.name(), request.certify ? "; proved" : ""));
  table parts({"part", "bits", "entropy", "per bit"});
  const auto add_part = [&parts](const char* name, int size, double h) {
    parts.add({name, fmt::format("{}", size), fmt::format("{:.6f}", h),
               size == 0 ? "" : fmt::format("{:.1f} %", 100 * h / size)});
  };
  add_part("sign", 1, fields.sign.value.value());
  add_part("exponent", format.exponent_bits(), fields.exponent.value.value());
  add_part("mantissa", format.p() - 1, fields.mantissa.value.value());
  add_part("register", format.width(), fields.total.value.value());
  print(parts.text() + "\n");
  print(ladder(fields.total, entropy_approximations(format, known), bounds_of(format, known)) +
        "\n");
  if (request.bits) {
    table rows({"bit", "entropy", ""});
    for (const bit_entropy& bit : single_bits) {
      const double h = bit.entropy.value.value();
      rows.add({bit.name, fmt::format("{:.6f}", std::max(h, 0.0)), bar(h)});
    }
    print(rows.text() + "\n");
  }
  print(reading(format, fields));
}

}  // namespace ktln2::cli
