#include "ktln2/cost/internal.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "cost/clipped_cells.hpp"
#include "cost/collisions.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/distribution/normal.hpp"
#include "ktln2/entropy/enumeration.hpp"

namespace ktln2 {
namespace {

/// Where the positive inputs of Q(|slope|·x) are cut, so that those between two cuts become outputs
/// of one group, and which group that is, counted from 0.
struct preimages {
  std::vector<wide> cuts;  ///< ascending; the last piece has no end
  std::vector<std::size_t> groups;
};

preimages preimages_of(const float_format& format, double slope, int dropped_bits,
                       const stop_token& stop) {
  const product_map map{format, slope};
  const partition cells{format};
  const auto count = static_cast<std::size_t>(map.count() >> dropped_bits);
  preimages made;
  register_code first = 0;
  for (std::size_t group = 0; group < count; ++group) {
    throw_if_stopped(stop);
    const register_code end = group + 1 == count
                                  ? map.count()
                                  : map.first_reaching(register_code{group + 1} << dropped_bits);
    if (end == first) continue;
    made.groups.push_back(group);
    if (end < map.count()) made.cuts.push_back(positive_cell(cells, format, end).left);
    first = end;
  }
  return made;
}

/// One cell for each piece, on both sides of zero.
partition cells_around_zero(const preimages& of, const granular_region& granular) {
  std::vector<wide> edges{-infinity};
  for (std::size_t i = of.cuts.size(); i-- > 0;) edges.push_back(-of.cuts[i]);
  edges.emplace_back(0.0);
  edges.insert(edges.end(), of.cuts.begin(), of.cuts.end());
  edges.emplace_back(infinity);
  std::vector<cell_run> runs;
  runs.reserve(edges.size() - 1);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    runs.push_back({edges[i], edges[i + 1], edges[i + 1] - edges[i], 1});
  }
  return {std::move(runs), granular};
}

bounded<bits> internal_bits(const bounded<double>& value) {
  return {bits{value.value}, bits{value.error}, value.how};
}

}  // namespace

register_code place_of_state(const float_format& format, const register_fields& state) {
  const register_code magnitude =
      (register_code{state.exponent} << (format.p() - 1)) | state.mantissa;
  const register_code half = format.size() / 2;
  return state.negative ? half - 1 - magnitude : half + magnitude;
}

register_fields state_at_place(const float_format& format, register_code place) {
  const register_code half = format.size() / 2;
  const bool is_negative = place < half;
  const register_code magnitude = is_negative ? half - 1 - place : place - half;
  const register_code significands = register_code{1} << (format.p() - 1);
  return {is_negative, static_cast<std::uint32_t>(magnitude / significands),
          static_cast<std::uint64_t>(magnitude % significands)};
}

internal_table::internal_table(const float_format& format, std::vector<double> entropies,
                               double reset, int dropped_bits)
    : format_{format}, dropped_bits_{dropped_bits}, excess_{std::move(entropies)} {
  require_in_range("internal entropies", "dropped bits", dropped_bits, 0, format.width());
  const int listed = format.width() - dropped_bits;
  if (listed > most_internal_bits || excess_.size() != std::size_t{1} << listed) {
    throw std::domain_error("internal entropies: " + format.name() + " needs 2^" +
                            std::to_string(listed) + ", and there may be 2^" +
                            std::to_string(most_internal_bits) + ", got " +
                            std::to_string(excess_.size()));
  }
  for (const double each : excess_) {
    if (std::fabs(each) <= most_internal_entropy) continue;
    throw std::domain_error("internal entropies: each must be from -1e100 to 1e100, got " +
                            shown(each));
  }
  const auto at =
      static_cast<std::size_t>(place_of_state(format, format.quantize(reset)) >> dropped_bits);
  reset_ = excess_[at];
  for (double& each : excess_) each -= reset_;
}

bits internal_table::at(double x) const { return of_point(x).mean().value; }

internal_mean internal_table::of(const law& x, const stop_token& stop) const {
  const partition cells{format_, rounding::nearest, dropped_bits_};
  return {reset(), internal_bits(mean_over_cells(cells, x, excess_, stop))};
}

internal_mean internal_table::of_point(double x) const {
  const register_code place = place_of_state(format_, format_.quantize(x));
  return {reset(), exactly(bits{excess_[static_cast<std::size_t>(place >> dropped_bits_)]})};
}

internal_mean internal_table::of_product(double slope, double sigma_x,
                                         const stop_token& stop) const {
  require_finite("inference", "slope", slope);
  const normal x{0, sigma_x};
  if (slope == 0) return of_point(0);
  if (excess_.size() == 1) return {reset()};
  const preimages pieces = preimages_of(format_, slope, dropped_bits_, stop);
  // X is as likely as -X, so the sign of the slope does not matter.
  const std::size_t half = excess_.size() / 2;
  std::vector<double> excess;
  for (std::size_t i = pieces.groups.size(); i-- > 0;) {
    excess.push_back(excess_[half - 1 - pieces.groups[i]]);
  }
  for (const std::size_t group : pieces.groups) excess.push_back(excess_[half + group]);
  const partition cells = cells_around_zero(pieces, partition{format_}.granular());
  return {reset(), internal_bits(mean_over_cells(cells, x, excess, stop))};
}

}  // namespace ktln2
