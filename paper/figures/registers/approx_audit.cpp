#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/identity.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

struct comparison {
  double exact;
  double approximate;

  [[nodiscard]] double error() const { return approximate - exact; }
};
using compare = std::function<comparison(const float_format&)>;

/// A row of the table. Its first case is the example, all of them are the family.
struct subject {
  const char* quantity;
  const char* equation;
  const char* status;
  const char* assumption;
  const char* validated_by;
  const char* used_in;
  std::string example;
  std::string family;
  std::vector<compare> cases;
  std::function<double(const float_format&)> bound = nullptr;
  const char* bound_from = "none";
};

constexpr const char* all_that_follows = "all that follows";

using approximate = std::function<double(const float_format&, const law&)>;

std::vector<compare> against_exact(const std::vector<law>& laws, const approximate& value) {
  std::vector<compare> cases;
  cases.reserve(laws.size());
  for (const law& x : laws) {
    cases.emplace_back([x, value](const float_format& format) {
      return comparison{exact_entropy(format, x).value.value(), value(format, x)};
    });
  }
  return cases;
}

/// What Approximation 1 leaves out: D(f||g), and what clipping adds to the two outermost cells, at
/// most Q (2 - log Q) for a mass Q outside of the granular region.
double first_step_bound(const float_format& format, const normal& x) {
  const double edge = format.granular_edge().to_double();
  const double Q = cdf(x, -edge) + ccdf(x, edge);
  return divergence_bound(format, x)->value() + (Q > 0 ? Q * (2 - std::log2(Q)) : 0);
}

double two_steps_bound(const float_format& format, const normal& x) {
  return first_step_bound(format, x) + smoothing_bound(format, x).value();
}

/// The third step, from the granular region to the whole line, is known: it is computed.
double whole_line_bound(const float_format& format, const normal& x) {
  const bits step = smooth_entropy(format.p(), x) - smooth_entropy_granular(format, x);
  return two_steps_bound(format, x) + std::fabs(step.value());
}
constexpr const char* whole_line_reason = "thm:steps, Approximation 1, and the tails";

using bound_of = double (*)(const float_format&, const normal&);

/// A bound, for the example.
auto at(const normal& x, bound_of bound) {
  return [x, bound](const float_format& format) { return bound(format, x); };
}

// --- one register ---

/// The second road: a sum over all cells where they are few, the identity where they are many.
bounded<bits> second_road(const float_format& format, const law& x) {
  const partition cells{format};
  return format.width() <= 12 ? enumerated_entropy(cells, x)
                              : entropy_by_identity(cells, x).entropy;
}

double second_value(const float_format& format, const law& x) {
  return second_road(format, x).value.value();
}
double both_error_bars(const float_format& format, const normal& x) {
  return (exact_entropy(format, x).error + second_road(format, x).error).value();
}
double approximation_1(const float_format& format, const law& x) {
  return cell_width_entropy(format, x).value();
}
double approximation_2_granular(const float_format& format, const law& x) {
  return smooth_entropy_granular(format, x).value();
}
double approximation_2(const float_format& format, const law& x) {
  return smooth_entropy(format.p(), x).value();
}
double approximation_3(const float_format& format, const law& x) {
  const auto value = smooth_entropy_offset(format.p(), x);
  return value ? value->value() : nothing;
}

/// The example first, then normal laws with means from `least` to mu_max.
std::vector<law> offset_laws(const parameters& given, double least, const effort& work) {
  const double sigma = given.number("sigma");
  std::vector<law> laws = {normal{given.number("mu"), sigma}};
  for (const double mu :
       linear_grid(least, given.number("mu_max"), work.points(given.count("mu_points")))) {
    laws.emplace_back(normal{mu, sigma});
  }
  return laws;
}

std::vector<subject> off_zero(const parameters& given, const effort& work) {
  const double sigma = given.number("sigma");
  const double far = given.number("mu_far");
  const normal x{given.number("mu"), sigma};
  const std::string example = fmt::format("N({}, {}²)", x.location(), sigma);
  const std::string family = fmt::format("σ = {}, μ from 0 to {}", sigma, given.number("mu_max"));
  const std::string far_family =
      fmt::format("σ = {}, μ from {} to {}", sigma, far, given.number("mu_max"));
  const std::vector<law> laws = offset_laws(given, 0, work);
  return {
      {"H(X), exact", "cor:gauss_fp_ent", "exact", "none", "definition",
       "Figs. 1, 2; the measure of 1 to 3", example, family, against_exact(laws, second_value),
       at(x, both_error_bars), "error bars"},
      {"Approximation 1", "eq:diff_approx", "asymptotic", "the density hardly varies inside a cell",
       "Kostina 2017; app:FPN; Figs. 1, 2", all_that_follows, example, family,
       against_exact(laws, approximation_1), at(x, first_step_bound), "Poincaré inequality (ours)"},
      {"Approximation 2 on 𝕌", "eq:Ht_s_U", "theorem", "also: widths proportional to |x|",
       "thm:steps; Figs. 1, 2", all_that_follows, example, family,
       against_exact(laws, approximation_2_granular), at(x, two_steps_bound),
       "thm:steps, and Approximation 1"},
      {"Approximation 2", "eq:first_two_approx", "theorem",
       "also: hardly any overflow or underflow, E ≥ 4", "thm:steps; Figs. 1, 2", all_that_follows,
       example, family, against_exact(laws, approximation_2), at(x, whole_line_bound),
       whole_line_reason},
      {"Approximation 3", "eq:three_approxes", "asymptotic", "also: |μ| far larger than σ",
       "app:FPN_app3; Fig. 1", "outputs (Secs. IV, V)", example, far_family,
       against_exact(offset_laws(given, far, work), approximation_3)}};
}

subject zero_mean(const parameters& given, const effort& work) {
  const normal x{0, given.number("sigma")};
  std::vector<law> laws = {x};
  for (const double factor : log_grid(1, 2, work.points(given.count("sigma_points")))) {
    laws.emplace_back(normal{0, x.scale() * factor});
  }
  return {"H̃(p), mean zero",
          "eq:single_mean_0",
          "exact, given 1 and 2",
          "1 and 2 hold; normal with mean 0",
          "thm:single_gaussian; Fig. 1",
          "inputs; inference",
          fmt::format("N(0, {}²)", x.scale()),
          "σ over one octave",
          against_exact(laws,
                        [](const float_format& format, const law& /*x*/) {
                          return smooth_entropy_zero_mean(format.p()).value();
                        }),
          at(x, whole_line_bound),
          whole_line_reason};
}

subject slope(const parameters& given) {
  const std::vector<double>& sizes = given.list("n");
  const std::vector<double>& slopes = given.list("w");
  std::vector<law> laws;
  for (const double w : slopes) {
    for (const double n : sizes) laws.emplace_back(slope_law({.w = w}, n));
  }
  return {"H̃(ŵ), exact regression",
          "eq:landauer_exact_lr",
          "asymptotic",
          "1 to 3 hold; n > 2; |w| far larger than the deviation of ŵ",
          "fig:ex_landauer",
          "Secs. IV, VI",
          fmt::format("n = {}, w = {}", sizes.front(), slopes.front()),
          fmt::format("n = {}, w = {}", fmt::join(sizes, ", "), fmt::join(slopes, ", ")),
          against_exact(laws, approximation_3)};
}

// --- two registers ---

/// As for one register; the mass Q outside of 𝕌² is in rows and columns of at most 4·2^width cells.
double whole_plane_bound(const float_format& format, const regression_pair& pair) {
  const format_pair both{format, format};
  const double edge = format.granular_edge().to_double();
  const double Q = 2 * (ccdf(pair.x(), edge) + ccdf(pair.y(), edge));
  const double clipping = Q > 0 ? Q * (format.width() + 4 - std::log2(Q)) : 0;
  const bits step =
      smooth_joint_entropy(format.p(), format.p(), pair) - smooth_entropy_granular(both, pair);
  return (divergence_bound(both, pair) + smoothing_bound(both, pair)).value() + clipping +
         std::fabs(step.value());
}

std::vector<subject> pairs(const parameters& given, const effort& work) {
  std::vector<double> ratios = given.list("snr");
  if (work.quick) ratios.resize(1);
  std::vector<compare> roads;
  std::vector<compare> closed;
  for (const double snr : ratios) {
    const regression_pair pair{1, 1, 1 / std::sqrt(snr)};
    closed.emplace_back([pair](const float_format& format) {
      return comparison{
          joint_entropy(format_pair{format, format}, pair, bits{1e-9}).joint.value.value(),
          smooth_joint_entropy(format.p(), format.p(), pair).value()};
    });
  }
  const regression_pair first{1, 1, 1 / std::sqrt(ratios.front())};
  roads.emplace_back([first](const float_format& format) {
    // The identity is for fine cells only.
    const double second = format.p() < 20
                              ? nothing
                              : joint_entropy_by_identity({format, format}, first).value.value();
    return comparison{joint_entropy(format_pair{format, format}, first).joint.value.value(),
                      second};
  });
  const std::string example = fmt::format("SNR {}", ratios.front());
  return {{"H(X, Y), exact", "cor:joint_ent", "exact", "none", "definition",
           "Figs. 1, 2; the measure of 1 to 3", example, example, roads,
           [first](const float_format& format) {
             const format_pair both{format, format};
             return (joint_entropy(both, first).joint.error +
                     joint_entropy_by_identity(both, first).error)
                 .value();
           },
           "error bars"},
          {"H̃(X, Y)", "eq:approx_joint_ent_SNR", "exact, given 1 and 2",
           "1 and 2 hold; SNR not too large", "thm:double_gaussian; Fig. 2", "input of training",
           example, fmt::format("SNR {}", fmt::join(ratios, ", ")), closed,
           [first](const float_format& format) { return whole_plane_bound(format, first); },
           whole_line_reason}};
}

// --- stochastic gradient descent ---

struct sgd_case {
  law exact;
  law approximate;
};

/// One case for each slope and number of steps, in that order.
std::vector<sgd_case> sgd_cases(const parameters& given, const char* steps, sgd_model model,
                                const effort& work) {
  std::vector<sgd_case> cases;
  for (const double w : given.list("w_sgd")) {
    for (const double k : given.list(steps)) {
      work.pause();
      if (work.quick && !cases.empty()) return cases;
      const descent how{given.number("eta"), given.number("batch"), given.number("w0")};
      cases.push_back({sgd_exact{{.w = w}, how, k}, sgd_law({.w = w}, how, k, model)});
    }
  }
  return cases;
}

std::string sgd_family(const parameters& given, const char* steps) {
  return fmt::format("k = {}, w = {}", fmt::join(given.list(steps), ", "),
                     fmt::join(given.list("w_sgd"), ", "));
}

std::string sgd_example(const parameters& given, const char* steps) {
  return fmt::format("k = {}, w = {}, η = {}, B = {}", given.list(steps).front(),
                     given.list("w_sgd").front(), given.number("eta"), given.number("batch"));
}

std::vector<subject> sgd(const parameters& given, const effort& work) {
  std::vector<compare> stationary;
  for (const sgd_case& one : sgd_cases(given, "late_steps", sgd_model::stationary, work)) {
    stationary.emplace_back([one](const float_format& format) {
      return comparison{exact_entropy(format, one.exact).value.value(),
                        exact_entropy(format, one.approximate).value.value()};
    });
  }
  std::vector<compare> under_way;
  for (const sgd_case& one : sgd_cases(given, "steps", sgd_model::ou, work)) {
    under_way.emplace_back([one](const float_format& format) {
      return comparison{exact_entropy(format, one.exact).value.value(),
                        approximation_3(format, one.approximate)};
    });
  }
  return {{"SGD in the end, its law", "eq:SGD_final_dist", "numerical",
           "large batches, small steps, ŵ near w", "fig:assymp_fit, fig:sgd_w_2x2", "Sec. V.A",
           sgd_example(given, "late_steps"), sgd_family(given, "late_steps"), stationary},
          {"H̃(ŵ) after k steps of SGD", "eq:sgd_landauer_noneq", "numerical",
           "1 to 3 hold; k ≥ 100 or so", "fig:sgd_w_2x2", "Secs. V.B, VI",
           sgd_example(given, "steps"), sgd_family(given, "steps"), under_way}};
}

// --- the table ---

/// The error that is largest in magnitude, with its sign.
double worst(const subject& row, const float_format& format, const effort& work) {
  double result = nothing;
  for (const compare& one : row.cases) {
    work.pause();
    const double error = one(format).error();
    if (!(std::fabs(error) <= std::fabs(result))) result = std::isnan(error) ? result : error;
  }
  return result;
}

std::vector<subject> subjects(const parameters& given, const effort& work) {
  std::vector<subject> all = off_zero(given, work);
  const auto append = [&all](std::vector<subject> more) {
    for (subject& one : more) all.push_back(std::move(one));
  };
  append({zero_mean(given, work)});
  append(pairs(given, work));
  append({slope(given)});
  append(sgd(given, work));
  return all;
}

std::vector<table> audit(const parameters& given, const effort& work) {
  const std::vector<int> precisions = given.integers("p");
  const int E = given.integer("E");
  std::vector<column> columns = {{"quantity", "", "what is approximated, or how"},
                                 {"equation", "", "label of the paper"},
                                 {"status", "", "status, as the paper has it"},
                                 {"assumption", "", "what must hold"},
                                 {"validated_by", "", "validated by"},
                                 {"used_in", "", "used in"},
                                 {"example", "", "where it was measured, at the last p"},
                                 {"exact", "bits", "exact entropy of the example"},
                                 {"approximate", "bits", "approximate entropy of the example"},
                                 {"error", "bits", "approximate minus exact"},
                                 {"bound", "bits", "largest error that a theorem allows here"},
                                 {"bound_from", "", "the theorem"},
                                 {"family", "", "where the largest error was looked for"}};
  for (const int p : precisions) {
    columns.push_back({fmt::format("worst_p{}", p), "bits",
                       fmt::format("largest error in the family at p = {}", p)});
  }
  table rows(columns);
  const float_format finest{precisions.back(), E};
  for (const subject& row : subjects(given, work)) {
    const comparison example = row.cases.front()(finest);
    std::vector<cell> cells = {row.quantity,
                               row.equation,
                               row.status,
                               row.assumption,
                               row.validated_by,
                               row.used_in,
                               row.example,
                               example.exact,
                               example.approximate,
                               example.error(),
                               row.bound ? row.bound(finest) : nothing,
                               row.bound_from,
                               row.family};
    for (const int p : precisions) cells.emplace_back(worst(row, {p, E}, work));
    rows.add(std::move(cells));
  }
  return {rows};
}

}  // namespace

figure approx_audit() {
  return {.label = "tab:approx_audit",
          .settings = parameters(
              {{"p", {3, 7, 24}, origin::chosen, "coarse, medium, single precision"},
               {"E", {8}, origin::chosen, "single precision"},
               {"mu", {10}, origin::chosen, "an example off zero"},
               {"sigma", {1}, origin::chosen, "unit deviation"},
               {"mu_max", {100}, origin::chosen, "as in the figures against the mean"},
               {"mu_far", {3}, origin::chosen, "three deviations"},
               {"mu_points", {101}, origin::chosen, "a step of one"},
               {"sigma_points", {33}, origin::chosen, "over one octave"},
               {"snr", {1, 0.0625, 4, 25, 1e4}, origin::chosen, "those of the paper's figures"},
               {"n", {10, 3, 30, 100, 1000}, origin::chosen, "the example, then others"},
               {"w", {1, 0.25, 5}, origin::chosen, "the example, then others"},
               {"eta", {0.01}, origin::chosen, "as in the paper's fits"},
               {"batch", {10}, origin::chosen, "as in the paper's scaling"},
               {"w0", {1}, origin::chosen, "where SGD begins"},
               {"w_sgd", {2, 5}, origin::chosen, "the example, then others"},
               {"late_steps", {2000, 200}, origin::chosen, "the example, then others"},
               {"steps", {100, 500}, origin::chosen, "the example, then others"}}),
          .cost = 5.5,
          .compute = audit};
}

}  // namespace ktln2::paper
