#include "paper/report/run.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "message_of.hpp"
#include "paper/figures/figures.hpp"
#include "paper/report/files.hpp"
#include "paper_labels.hpp"
#include "scratch_folder.hpp"

namespace ktln2::paper::testing {
namespace {

namespace fs = std::filesystem;

/// Put together, so that nothing takes it for a citation.
const std::string no_label = std::string("fig:") + "nothing";

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// An output directory of its own for every test, and no drawings, which have a test of their own.
class run_of_the_paper : public ::testing::Test {
 protected:
  void SetUp() override { setenv("KTLN2_PYTHON", "/bin/false", 1); }
  void TearDown() override { unsetenv("KTLN2_PYTHON"); }

  run_summary run_it() const {
    return run(request, [](const progress&) {});
  }

  static int computed(const run_summary& summary) {
    int result = 0;
    for (const figure_result& one : summary.figures) result += one.is_computed ? 1 : 0;
    return result;
  }

  /// When every file of the data was written.
  std::map<std::string, fs::file_time_type> times() const {
    std::map<std::string, fs::file_time_type> result;
    for (const auto& entry : fs::directory_iterator(request.out / "data")) {
      if (entry.path().extension() == ".csv") {
        result[entry.path().filename().string()] = entry.last_write_time();
      }
    }
    return result;
  }

  scratch folder;
  run_request request{.out = folder.folder() / "out",
                      .only = {"fig:eps0_C0_vs_p", "fig:fp_exact_approx"},
                      .work = {.quick = true},
                      .threads = 1};
};

TEST_F(run_of_the_paper, computes_nothing_twice) {
  const run_summary first = run_it();
  const auto before = times();
  EXPECT_EQ(computed(first), 5);
  const run_summary second = run_it();
  EXPECT_EQ(computed(second), 0);
  EXPECT_EQ(times(), before);
  EXPECT_EQ(second.figures.size(), first.figures.size());
  for (std::size_t i = 0; i < first.figures.size(); ++i) {
    EXPECT_EQ(second.figures[i].files, first.figures[i].files);
    EXPECT_EQ(second.figures[i].seconds, first.figures[i].seconds);
  }
}

/// All but the times.
std::string timeless(const std::string& page) {
  return std::regex_replace(page, std::regex("(&lt; )?[0-9.]+ s\\b"), "");
}

TEST_F(run_of_the_paper, reports_what_was_kept_as_what_was_computed) {
  request.only = {"tab:cyclic_device", "fig:fp_off_zero"};
  EXPECT_EQ(computed(run_it()), 2);
  const std::string first = contents(request.out / "index.html");
  EXPECT_EQ(computed(run_it()), 0);
  EXPECT_EQ(timeless(contents(request.out / "index.html")), timeless(first));
  EXPECT_NE(first.find("<table class=\"data"), std::string::npos);
  EXPECT_NE(first.find("among 96 exact entropies"), std::string::npos);
}

TEST_F(run_of_the_paper, computes_again_what_other_settings_change) {
  run_it();
  request.settings = {{"fig:fp_exact_approx_sigma", "p", {5}}};
  EXPECT_EQ(computed(run_it()), 1);
  EXPECT_NE(
      contents(request.out / "data/fp_exact_approx_sigma.csv").find("p = 5 (set by the user)"),
      std::string::npos);
  request.settings.clear();
  EXPECT_EQ(computed(run_it()), 1);
  request.work.quick = false;
  EXPECT_EQ(computed(run_it()), 5);
}

TEST_F(run_of_the_paper, goes_on_where_it_was_interrupted) {
  std::atomic<bool> stop = false;
  request.work.stop = stop_token{stop};
  std::set<std::string> finished;
  EXPECT_THROW(run(request,
                   [&](const progress& now) {
                     finished.insert(now.last);
                     stop = finished.size() == 2;
                   }),
               stopped);
  EXPECT_FALSE(fs::exists(request.out / "index.html"));
  for (const auto& entry : fs::directory_iterator(request.out / "data")) {
    EXPECT_NE(entry.path().filename().string().front(), '.') << entry.path();
  }
  stop = false;
  const run_summary rest = run_it();
  for (const figure_result& one : rest.figures) {
    EXPECT_EQ(one.is_computed, !finished.contains(one.what.label)) << one.what.label;
  }
  EXPECT_TRUE(fs::exists(request.out / "index.html"));
}

TEST_F(run_of_the_paper, trusts_no_data_that_it_cannot_vouch_for) {
  run_it();
  const fs::path data = request.out / "data";
  std::ofstream(data / "C0_vs_p.csv") << "# label fig:C0_vs_p\nE,p\n";
  fs::remove(data / "eps0_vs_p.csv");
  EXPECT_EQ(computed(run_it()), 2);
  std::ofstream(data / "ledger.json") << "{\"C0_vs_p\": [1, 2";
  EXPECT_EQ(computed(run_it()), 5);
  for (const char* entry : {R"({"files": ["../../etc/passwd"], "seconds": 1})", R"({"files": 3})",
                            R"({"files": ["data/C0_vs_p.csv"], "seconds": "long"})",
                            R"({"files": ["data/C0_vs_p.csv"], "seconds": 1})", "[1]"}) {
    std::ofstream(data / "ledger.json") << "{\"C0_vs_p\": " << entry << "}";
    EXPECT_EQ(computed(run_it()), 5) << entry;
  }
}

TEST_F(run_of_the_paper, computes_again_what_was_edited_by_hand) {
  run_it();
  const fs::path file = request.out / "data/C0_vs_p.csv";
  std::string text = contents(file);
  text.back() = '7';
  std::ofstream(file) << text << '\n';
  const run_summary again = run_it();
  for (const figure_result& one : again.figures) {
    EXPECT_EQ(one.is_computed, one.what.label == "fig:C0_vs_p") << one.what.label;
  }
}

TEST_F(run_of_the_paper, survives_a_ledger_of_any_depth) {
  fs::create_directories(request.out / "data");
  std::ofstream(request.out / "data/ledger.json")
      << "{\"a\": " << std::string(1000000, '[') << std::string(1000000, ']') << "}";
  EXPECT_EQ(computed(run_it()), 5);
}

TEST_F(run_of_the_paper, draws_from_its_own_files_with_its_own_code_only) {
  unsetenv("KTLN2_PYTHON");
  request.only = {"fig:C0_vs_p"};
  fs::create_directories(request.out / "draw");
  fs::create_directories(request.out / "data");
  const fs::path seen = request.out / "seen";
  for (const char* name : {"matplotlib.py", "numpy.py", "csv.py", "argparse.py"}) {
    std::ofstream(request.out / "draw" / name) << "open('" << seen.string() << "', 'w')\n";
  }
  std::ofstream(request.out / "data/C0_vs_p.planted.csv") << "no,table\n1\n";
  EXPECT_EQ(run_it().drawn, 1);
  EXPECT_FALSE(fs::exists(seen));
}

TEST_F(run_of_the_paper, sweeps_up_what_a_killed_run_left) {
  run_it();
  const fs::path left[] = {request.out / "data/.ktln2-4711-C0_vs_p.csv",
                           request.out / "figures/.ktln2-4711-C0_vs_p.pdf",
                           request.out / ".ktln2-4711-index.html"};
  for (const fs::path& file : left) std::ofstream(file) << "half";
  const fs::path other = request.out / "data/.gitignore";  // somebody else's
  std::ofstream(other) << "*";
  run_it();
  for (const fs::path& file : left) EXPECT_FALSE(fs::exists(file)) << file;
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(run_of_the_paper, keeps_the_figures_of_an_earlier_run_in_the_report) {
  run_it();
  request.only = {"fig:C0_vs_p"};
  EXPECT_EQ(run_it().figures.size(), 5U);
  fs::remove_all(request.out);
  EXPECT_EQ(run_it().figures.size(), 1U);
}

TEST_F(run_of_the_paper, is_alone_in_its_directory) {
  run_it();
  const int lock = open((request.out / ".lock").c_str(), O_RDWR);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  try {
    run_it();
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "another run is writing to " + request.out.string());
  }
  close(lock);
}

TEST_F(run_of_the_paper, has_data_and_claims_without_matplotlib) {
  const run_summary summary = run_it();
  EXPECT_NE(summary.no_drawing.find("install matplotlib"), std::string::npos);
  EXPECT_FALSE(summary.claims.empty());
  EXPECT_TRUE(fs::exists(request.out / "index.html"));
}

TEST_F(run_of_the_paper, draws_what_is_not_drawn_yet) {
  unsetenv("KTLN2_PYTHON");
  request.only = {"fig:C0_vs_p"};
  const run_summary first = run_it();
  ASSERT_EQ(first.no_drawing, "");
  EXPECT_EQ(first.drawn, 1);
  EXPECT_TRUE(fs::exists(request.out / "figures/C0_vs_p.svg"));
  EXPECT_TRUE(fs::exists(request.out / "figures/C0_vs_p.pdf"));
  const std::string drawn = contents_of(request.out / "figures/C0_vs_p.svg");
  EXPECT_NE(drawn.find(">E = 6</text>"), std::string::npos) << "letters are text";
  EXPECT_NE(drawn.find("@font-face { font-family: 'DejaVu Sans'; font-style: oblique"),
            std::string::npos);
  EXPECT_NE(drawn.find("(prefers-color-scheme: dark)"), std::string::npos);
  const run_summary second = run_it();
  EXPECT_EQ(second.drawn, 0);
  EXPECT_TRUE(second.figures[0].is_drawn);
  request.settings = {{"fig:C0_vs_p", "E", {3, 4}}};
  EXPECT_EQ(run_it().drawn, 1);
}

using run_of_the_paper_campaign = run_of_the_paper;

TEST_F(run_of_the_paper_campaign, draws_over_the_data_of_figures_that_are_there) {
  unsetenv("KTLN2_PYTHON");
  request.only = {"extra:mismatch_bound"};
  const run_summary made = run_it();
  EXPECT_EQ(made.drawn, 1);
  EXPECT_EQ(made.overviews, std::set<std::string>{"opening_bound"});
  EXPECT_NE(
      contents_of(request.out / "figures/opening_bound.svg").find("a bound that holds</text>"),
      std::string::npos);
  EXPECT_NE(contents_of(request.out / "index.html").find("href=\"figures/opening_bound.svg\""),
            std::string::npos);
}

TEST_F(run_of_the_paper, turns_red_for_a_broken_claim) {
  const fs::path file = folder.path("broken_claims.toml");
  const char* text =
      "[[claim]]\nid = 'a'\nlabel = 'eq:single_mean_0'\nsays = 's'\npaper = 'p'\nhow = 'h'\n"
      "check = 'zero_mean_offset'\nfigures = ['fig:C0_vs_p']\nnumbers = {{value = {}, tolerance = "
      "0.005}}\n";
  request.claims = file;
  const auto with_value = [&](const std::string& value) {
    std::string filled = text;
    filled.replace(filled.find("{}"), 2, value);
    filled.replace(filled.find("{{"), 2, "{");
    filled.replace(filled.find("}}"), 2, "}");
    std::ofstream(file) << filled;
    return run_it().is_green();
  };
  EXPECT_TRUE(with_value("2.46"));
  EXPECT_FALSE(with_value("2.64"));
}

TEST_F(run_of_the_paper, has_the_explorer_beside_it) {
  request.only = {"fig:fp_diag"};
  run_it();
  EXPECT_EQ(contents(request.out / "index.html").find("explorer.html"), std::string::npos);
  request.explorer = request.out / "given.html";
  EXPECT_THROW(run_it(), std::domain_error);
  std::ofstream(*request.explorer) << "<p>the explorer</p>";
  run_it();
  EXPECT_EQ(contents(request.out / "explorer.html"), "<p>the explorer</p>");
  EXPECT_NE(contents(request.out / "index.html").find("href=\"explorer.html#format=p10e4\""),
            std::string::npos);
}

TEST_F(run_of_the_paper, refuses_what_is_no_figure_or_parameter) {
  request.only = {no_label};
  EXPECT_THROW(run_it(), std::domain_error);
  request.only = {"fig:C0_vs_p"};
  request.settings = {{"fig:eps0_vs_p", "E", {4}}};
  EXPECT_THROW(run_it(), std::domain_error);
  request.settings = {{"fig:C0_vs_p", "nothing", {4}}};
  EXPECT_THROW(run_it(), std::domain_error);
  request.settings = {{"fig:C0_vs_p", "E", {4.5}}};
  EXPECT_THROW(run_it(), std::domain_error);
}

TEST(the_figures, are_labels_of_the_paper_each_once_or_extra) {
  std::set<std::string> labels;
  for (const figure& one : figures()) EXPECT_TRUE(labels.insert(one.label).second) << one.label;
  for (const group& one : groups()) EXPECT_TRUE(labels.insert(one.label).second) << one.label;
  for (const figure& one : figures()) {
    EXPECT_TRUE(one.parent.empty() || labels.contains(one.parent)) << one.parent;
    for (const parameter& p : one.settings.all()) {
      EXPECT_TRUE(p.from != origin::chosen || !p.note.empty()) << one.label << ' ' << p.name;
    }
  }
  // Every figure and table of the paper is there.
  std::size_t count = 0;
  for (const std::string& label : labels_of_the_paper()) {
    if (!label.starts_with("fig:") && !label.starts_with("tab:")) continue;
    ++count;
    EXPECT_TRUE(labels.contains(label)) << label;
  }
  const auto extra = std::count_if(figures().begin(), figures().end(),
                                   [](const figure& one) { return one.is_extra(); });
  EXPECT_EQ(count + static_cast<std::size_t>(extra), labels.size());
}

/// Throws nothing but what becomes a message with the label of the figure.
void compute_or_refuse(figure one, const std::string& name, double value) {
  one.settings.set(name, {value});
  SCOPED_TRACE(one.label + '.' + name + '=' + std::to_string(value));
  try {
    for (const table& t : one.compute(one.settings, {.quick = true})) {
      EXPECT_FALSE(t.columns().empty());
    }
  } catch (const std::domain_error& refusal) {
    EXPECT_STRNE(refusal.what(), "");
  }
}

TEST(the_figures, take_or_refuse_odd_parameters) {
  for (const figure& one : figures()) {
    if (one.cost > 0.05) continue;
    for (const parameter& p : one.settings.all()) {
      for (const double value : {0.0, -1.0, 1e300}) compute_or_refuse(one, p.name, value);
    }
  }
}

TEST(the_figures, refuse_what_cannot_be_drawn) {
  const auto refusal = [](const std::string& label, const std::string& name, double value) {
    figure one = chosen({label}).at(0);
    one.settings.set(name, {value});
    return message_of<std::domain_error>([&] { one.compute(one.settings, {.quick = true}); });
  };
  EXPECT_EQ(refusal("fig:fp_off_zero", "points", 0), "paper: points must be from 1 to 1e6, got 0");
  EXPECT_EQ(refusal("fig:z_fit_3", "bins", -1), "paper: bins must be from 1 to 1e6, got -1");
  EXPECT_EQ(refusal("fig:fp_off_zero", "mu_min", 0),
            "paper: a range of positive numbers must go from small to large, got 0 to 1000");
  EXPECT_EQ(refusal("fig:app_mu_p3_E4", "mu_max", -200),
            "paper: a range must not end before it begins, got -100 to -200");
  EXPECT_EQ(refusal("fig:MMC_Ex", "points", 1), "paper: points must be from 2 to 1000, got 1");
  EXPECT_EQ(refusal("fig:MMC_Ex", "sigma_x_min", 5),
            "paper: the bounds of a map must leave room between them");
  EXPECT_EQ(refusal("fig:profit_ex", "sigma_x", 1e300),
            "paper: the profit is out of range for these parameters");
  EXPECT_EQ(refusal("fig:eps0_vs_p", "E", 15),
            "paper: epsilon_0 is below the range of a double at E = 15");
}

}  // namespace
}  // namespace ktln2::paper::testing
