#include <stdexcept>

#include "ktln2/mismatch/cmos.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

using mismatch::cmos_erasure;
using mismatch::cmos_path;

constexpr double cmos_tolerance = 1e-8;  ///< far below what is drawn

/// What is erased, and the heat, in bits: of entropy, and of k_B T ln 2.
double in_bits(mismatch::nats value) { return value.value() / mismatch::nats_per_bit; }

cmos_erasure erasure_at(const parameters& given, double vdd) {
  return {{.vdd = vdd, .capacitance = given.number("C"), .slope = given.number("slope")}};
}

std::vector<column> columns_of_cmos(const char* duration) {
  return {{"vdd", "k_B T/e", "supply voltage"},
          {"input", "", "how it gets to vdd: ramp, from vdd/2, or step, at once"},
          {"duration", "", duration},
          {"heat", "k_B T ln 2", "heat given off"},
          {"heat_error", "k_B T ln 2", "its error bar"},
          {"erased", "bits", "by how much the entropy of the node falls: the least heat"},
          {"reads_one", "", "probability that the bit reads 1 in the end"}};
}

void add_cmos_row(table& to, const cmos_erasure& erasure, const effort& work) {
  const cmos_path path = mismatch::follow(erasure, cmos_tolerance, work.stop);
  to.add({erasure.bit.vdd, erasure.input ? "step" : "ramp", erasure.duration,
          in_bits(path.environment.value), in_bits(path.environment.error),
          -in_bits(path.system.value), path.error.value});
}

std::vector<table> cmos_tables(const parameters& given, const effort& work) {
  table curves{
      columns_of_cmos("in units of the time in which one charge passes a transistor "
                      "that is off")};
  table optima{"optima", columns_of_cmos("the one with the least heat for what is erased")};
  const std::vector<double> durations =
      log_grid(given.number("duration_min"), given.number("duration_max"),
               work.points(given.count("points")));
  for (const double vdd : given.list("vdd")) {
    for (const bool is_step : {false, true}) {
      cmos_erasure erasure = erasure_at(given, vdd);
      if (is_step) erasure.input = vdd;
      for (const double duration : durations) {
        erasure.duration = duration;
        add_cmos_row(curves, erasure, work);
      }
      erasure.duration = mismatch::best_duration(erasure, work.stop);
      add_cmos_row(optima, erasure, work);
    }
  }
  return {curves, optima};
}

}  // namespace

figure cmos_erasure_figure() {
  return {.label = "extra:cmos_erasure",
          .settings = {{{"vdd", {1, 2, 4, 6}, origin::chosen, "in units of $k_B T/e$, 26 mV each"},
                        {"C", {20}, origin::chosen, "in units of $e^2/(k_B T)$; 0.12 fF"},
                        {"slope", {1}, origin::chosen, "slope factor of an ideal transistor"},
                        {"duration_min", {0.01}, origin::chosen, "too short to erase"},
                        {"duration_max", {1000}, origin::chosen, "leakage is all of it"},
                        {"points", {31}, origin::chosen, "a curve"}}},
          .cost = 3,
          .compute = cmos_tables};
}

}  // namespace ktln2::paper
