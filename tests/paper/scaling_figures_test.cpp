#include <gtest/gtest.h>

#include "figure_data.hpp"
#include "reference_file.hpp"

namespace ktln2::paper::testing {
namespace {

/// The last point of a curve, n = n_max, against the reference.
void expect_end(const std::string& label, const std::string& varied, double value,
                const std::string& column, double n, const std::string& id) {
  const table data = tables_of(label, {{varied, {value}}, {"n_max", {n}}}).at(0);
  const double truth = reference("scaling.json", id);
  EXPECT_NEAR(at(data, {{varied, value}, {"n", n}}, column), truth, 1e-12 * std::abs(truth) + 1e-15)
      << id;
}

TEST(fig_profit_ex, has_the_profit_of_the_reference) {
  expect_end("fig:profit_ex", "rho_J", 5e16, "profit", 57, "H.uEx.rJ5e16.n57");
  expect_end("fig:profit_ex", "rho_J", 1e17, "profit", 100.5, "H.uEx.rJ1e17.n100.5");
  expect_end("fig:profit_sgd", "rho_J", 1e16, "profit", 470, "H.uSGD.rJ1e16.n470");
  expect_end("fig:profit_sgd_eta", "eta", 0.01, "profit", 470, "H.uSGD.eta0.01.n470");
  expect_end("fig:profit_sgd_B", "B", 20, "profit", 940, "H.uSGD.B20.n940");
}

TEST(fig_ddn_profit_ex, has_the_derivative_of_the_reference) {
  expect_end("fig:ddn_profit_ex", "rho_J", 1e16, "derivative", 100.5, "H.duEx.rJ1e16.n100.5");
  expect_end("fig:ddn_profit_sgd", "rho_J", 5e16, "derivative", 1234.5, "H.duSGD.rJ5e16.n1234.5");
  expect_end("fig:ddn_profit_sgd_eta", "eta", 0.1, "derivative", 100, "H.duSGD.eta0.1.n100");
  expect_end("fig:ddn_profit_sgd_B", "B", 50, "derivative", 500, "H.duSGD.B50.n500");
}

TEST(fig_ddn_profit_ex, dotted_lines_are_at_the_zeros) {
  const table exact = tables_of("fig:ddn_profit_ex").at(1);
  EXPECT_NEAR(at(exact, {{"rho_J", 1e17}}, "n"), reference("scaling.json", "H.ntEx.rJ1e17"), 1e-9);
  const table sgd = tables_of("fig:ddn_profit_sgd").at(1);
  EXPECT_NEAR(at(sgd, {{"rho_J", 5e16}}, "n"), reference("scaling.json", "H.ntSGD.rJ5e16"), 1e-9);
  const table dear = tables_of("fig:ddn_profit_sgd", {{"rho_J", {2e17}}}).at(1);
  EXPECT_THROW(static_cast<void>(at(dear, {{"rho_J", 2e17}}, "n")), std::logic_error);
  const table batches = tables_of("fig:ddn_profit_sgd_B").at(1);
  EXPECT_NEAR(at(batches, {{"B", 5}}, "n"), reference("scaling.json", "H.ntSGD.B5"), 1e-9);
}

TEST(fig_profit_ex, best_sizes_do_not_depend_on_the_approximation) {
  const table optima =
      tables_of("fig:profit_ex", {{"rho_J", {1e15, 5e15, 1e16, 5e16, 1e17, 5e17}}}).at(1);
  EXPECT_EQ(optima.numbers("n"), (std::vector<double>{265, 119, 84, 38, 27, 13}));
  EXPECT_EQ(optima.numbers("n_exact"), optima.numbers("n"));
}

TEST(fig_profit_sgd, exact_moments_move_the_best_sizes_by_a_batch) {
  const table optima = tables_of("fig:profit_sgd", {{"rho_J", {1e16, 5e16, 1e17, 5e17}}}).at(1);
  EXPECT_EQ(optima.numbers("n"), (std::vector<double>{420, 250, 160, 10}));
  EXPECT_EQ(optima.numbers("n_entropies"), optima.numbers("n"));
  EXPECT_EQ(optima.numbers("n_exact"), (std::vector<double>{410, 240, 150, 10}));
}

TEST(fig_profit_sgd, dear_energy_leaves_a_single_batch) {
  const table sizes = tables_of("fig:profit_sgd").at(2);
  EXPECT_EQ(sizes.numbers("n").front(), 420);
  EXPECT_EQ(sizes.numbers("n").back(), 10);
}

TEST(fig_profit_sgd_eta, the_best_size_has_a_peak) {
  const std::vector<table> all =
      tables_of("fig:profit_sgd_eta", {{"eta", {0.01, 0.015, 0.02, 0.025, 0.03}}});
  EXPECT_EQ(all.at(1).numbers("n"), (std::vector<double>{10, 140, 300, 310, 300}));
  EXPECT_EQ(all.at(2).numbers("eta").front(), 0.008);
  EXPECT_EQ(all.at(2).numbers("n").front(), 10);
}

TEST(fig_profit_sgd_B, large_batches_end_after_the_first) {
  const std::vector<table> all = tables_of("fig:profit_sgd_B");
  EXPECT_EQ(at(all.at(1), {{"B", 10}}, "n"), 250);
  EXPECT_EQ(at(all.at(1), {{"B", 50}}, "n"), 50);
  EXPECT_EQ(at(all.at(2), {{"B", 100}}, "n"), 100);
}

TEST(fig_MMC, the_cost_is_that_of_the_reference) {
  const std::map<std::string, std::vector<double>> small = {{"sigma_x_max", {1}},
                                                            {"sigma_xi_max", {2}}};
  const table exact = tables_of("fig:MMC_Ex", small).at(0);
  EXPECT_NEAR(at(exact, {{"sigma_x", 1}, {"sigma_xi", 2}}, "mmc"),
              reference("mismatch.json", "I.ex.mmc.a1.sx1.sxi2"), 1e-9);
  const table sgd = tables_of("fig:MMC_SGD", small).at(0);
  EXPECT_NEAR(at(sgd, {{"sigma_x", 1}, {"sigma_xi", 2}}, "mmc"),
              reference("mismatch.json", "I.sgd.nonasym.mmc.a1.sx1.sxi2"), 1e-9);
}

TEST(extra_mismatch_bound, has_the_counterexample_of_the_claim_and_a_bound_that_holds) {
  const table data = tables_of("extra:mismatch_bound", {{"sigma_x_min", {1}}}).at(0);
  EXPECT_NEAR(at(data, {{"sigma_x", 1}}, "paper"), 0.875946, 1e-5);
  EXPECT_NEAR(at(data, {{"sigma_x", 1}}, "mismatch"), 0.384069, 1e-5);
  EXPECT_NEAR(at(data, {{"sigma_x", 1}}, "corrected"), 0.286143, 1e-5);
  const std::vector<double> bound = data.numbers("corrected");
  const std::vector<double> cost = data.numbers("mismatch");
  for (std::size_t i = 0; i < cost.size(); ++i) EXPECT_LE(bound[i], cost[i]) << i;
}

TEST(fig_MMC_campaign, the_optima_are_on_the_edge) {
  struct expected {
    std::string label;
    std::vector<double> sigma_xi;  ///< α = 1, 0.5, 2.5
    double exact;                  ///< with exact entropies, α = 1
    double least_constant;
  };
  for (const expected& one :
       {expected{"fig:MMC_Ex", {1.070557, 1.265119, 0.833538}, 1.041003, 346.1},
        expected{"fig:MMC_SGD", {1.794124, 2.127571, 1.413285}, 1.790927, 1811.3}}) {
    SCOPED_TRACE(one.label);
    const table optima = tables_of(one.label, {}, false).at(2);
    const std::vector<double> found = optima.numbers("sigma_xi");
    EXPECT_EQ(optima.numbers("sigma_x"), std::vector<double>(4, 0.75));
    EXPECT_EQ(optima.numbers("at_bound"), std::vector<double>(4, 1));
    EXPECT_NEAR(found.at(0), one.sigma_xi[0], 1e-6);
    EXPECT_NEAR(found.at(1), one.exact, 1e-5);
    EXPECT_NEAR(found.at(2), one.sigma_xi[1], 1e-6);
    EXPECT_NEAR(found.at(3), one.sigma_xi[2], 1e-6);
    EXPECT_NEAR(optima.numbers("least_C").at(0), one.least_constant, 0.05);
  }
}

}  // namespace
}  // namespace ktln2::paper::testing
