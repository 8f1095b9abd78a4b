#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "core/parse.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "ladder.hpp"

namespace ktln2::cli {
namespace {

bound_set bounds_of(const format_pair& formats, const regression_pair& pair) {
  // The mass Q outside of 𝕌² is in rows and columns of at most 4·2^width cells.
  const int width = std::max(formats.x.width(), formats.y.width());
  return {smoothing_bound(formats, pair), zero_cells_error(formats, pair),
          zero_cells_error_bound(formats, pair), divergence_bound(formats, pair),
          bits{width + 4.0}};
}

std::string reading(const format_pair& formats, const joint_entropies& h) {
  const joules erasure = landauer_cost(h.joint.value, kelvin{300});
  return fmt::format(
      "The two registers have {} bits and hold {:.2f} bits of information; erasing both costs at "
      "least {:.2e} J at 300 K.\n",
      formats.x.width() + formats.y.width(), h.joint.value.value(), erasure.value());
}

}  // namespace

void run_pair(const entropy_request& request, style how) {
  if (request.bits) throw std::domain_error("entropy: --bits is for one register, got a pair");
  if (request.certify) {
    throw std::domain_error("entropy: --certify is for one register, got a pair");
  }
  const float_format x_format = float_format::parse(request.format);
  const format_pair formats{x_format,
                            request.y_format ? float_format::parse(*request.y_format) : x_format};
  const regression_pair pair = parse_pair(request.distribution);
  const bits tolerance = request.tolerance
                             ? bits{parse_number("entropy: --tolerance", *request.tolerance)}
                             : default_joint_tolerance;
  const joint_entropies h = joint_entropy(formats, pair, tolerance);
  if (h.joint.error > 4 * tolerance) {
    warn(fmt::format("tolerance {} not reached: the error bar is {:.1e} bits", tolerance.value(),
                     h.joint.error.value()));
  }
  const bits shared = mutual_information(pair);

  if (how == style::json) {
    json_value object = report("entropy");
    object["format"] = formats.x.name();
    object["y_format"] = formats.y.name();
    object["distribution"] = request.distribution;
    object["tolerance"] = number(tolerance.value());
    object["value"] = number(h.joint.value.value());
    object["error"] = number(h.joint.error.value());
    object["proved"] = h.joint.how == evidence::proved;
    object["unit"] = "bit";
    object["method"] = "Gram quadrature over rows of cells";
    object["differential_entropy"] = number(differential_entropy(pair).value());
    const auto add = [&object](const std::string& name, bounded<bits> entropy) {
      object[name] = number(entropy.value.value());
      object[name + "_error"] = number(entropy.error.value());
    };
    add("x", h.x);
    add("y", h.y);
    add("conditional", h.conditional);
    add("mutual_information", h.mutual_information);
    object["continuous_mutual_information"] = number(shared.value());
    object["snr"] = number(pair.snr());
    object["approximations"] = approximation_list(entropy_approximations(formats, pair));
    object["bounds"] = bound_list(bounds_of(formats, pair));
    return print_json(object);
  }

  if (how == style::csv) {
    table rows({"part", "entropy", "error"});
    const auto add = [&rows](const char* name, bounded<bits> entropy) {
      rows.add({name, fmt::format("{}", entropy.value.value()),
                fmt::format("{}", entropy.error.value())});
    };
    add("joint", h.joint);
    add("x", h.x);
    add("y", h.y);
    add("conditional", h.conditional);
    add("mutual_information", h.mutual_information);
    return print(rows.csv());
  }

  print(fmt::format("H = {} bits   ({} stored in {} and {})\n\n", with_error(h.joint),
                    request.distribution, formats.x.name(), formats.y.name()));
  table parts({"part", "bits", "entropy"});
  const auto add = [&parts](const char* name, int size, bits entropy) {
    parts.add({name, size == 0 ? "" : fmt::format("{}", size),
               fmt::format("{:.6f}", std::max(entropy.value(), 0.0))});
  };
  add("X", formats.x.width(), h.x.value);
  add("Y", formats.y.width(), h.y.value);
  add("Y given X", 0, h.conditional.value);
  add("shared by the registers", 0, h.mutual_information.value);
  add("shared by X and Y, 1/2 log(1+SNR)", 0, shared);
  print(parts.text() + "\n");
  print(ladder(h.joint, entropy_approximations(formats, pair), bounds_of(formats, pair)) + "\n");
  print(reading(formats, h));
}

}  // namespace ktln2::cli
