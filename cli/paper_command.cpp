#include <cmath>
#include <stdexcept>

#include "claim_json.hpp"
#include "commands.hpp"
#include "core/parse.hpp"
#include "paper/claims/numbers.hpp"
#include "paper/figures/contents.hpp"
#include "paper/report/run.hpp"
#include "paper/typeset/formula.hpp"
#include "progress.hpp"

namespace ktln2::cli {
namespace {

using ask::json;

/// LABEL.NAME=VALUE or LABEL.NAME=VALUE,VALUE,...
paper::override_setting parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.substr(0, equals).rfind('.');
  if (equals == std::string::npos || dot == std::string::npos || dot == 0) {
    throw std::domain_error("paper: --set must be LABEL.NAME=VALUE[,VALUE...], got '" + text + "'");
  }
  paper::override_setting result{text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), {}};
  for (const std::string& value : ask::split(text.substr(equals + 1), ',')) {
    result.values.push_back(parse_number("paper: --set " + text.substr(0, equals), value));
  }
  return result;
}

paper::run_request read(const ask::words& asked) {
  const ask::reader given{asked};
  paper::run_request result;
  result.out = given.word("out");
  if (result.out.empty()) throw std::domain_error("paper: --out must name a directory, got ''");
  result.only = given.list("only");
  for (const std::string& text : given.list("set")) result.settings.push_back(parse_setting(text));
  if (given.has("claims")) result.claims = given.word("claims");
  if (given.has("explorer")) result.explorer = given.word("explorer");
  result.work.quick = given.flag("quick");
  result.work.seed = given.whole("seed");
  if (given.has("threads")) result.threads = static_cast<unsigned>(given.whole("threads", 1, 1024));
  return result;
}

/// A bar on a terminal; otherwise a line on stderr as each stage begins.
class display {
 public:
  void operator()(const paper::progress& now) {
    if (now.stage != stage_) {
      stage_ = now.stage;
      bar_.restart();
      if (isatty(STDERR_FILENO) == 0) fmt::print(stderr, "ktln2: {} ...\n", stage_);
    }
    bar_.show(now.share, now.last.empty() ? now.stage : now.stage + ": " + now.last);
  }

 private:
  progress_bar bar_;
  std::string stage_;
};

int count(const paper::run_summary& summary, paper::verdict v) {
  int result = 0;
  for (const auto& c : summary.claims) result += c.result == v ? 1 : 0;
  return result;
}

int computed(const paper::run_summary& summary) {
  int result = 0;
  for (const auto& f : summary.figures) result += f.is_computed ? 1 : 0;
  return result;
}

void print_summary(const paper::run_summary& summary) {
  const int fresh = computed(summary);
  const auto all = static_cast<int>(summary.figures.size());
  print(fmt::format("Figures  {} computed, {} up to date, in {:.1f} s\n", fresh, all - fresh,
                    summary.figure_seconds));
  if (summary.no_drawing.empty()) {
    print(fmt::format("Drawings {} drawn, {} up to date, in {:.1f} s\n", summary.drawn,
                      all - summary.drawn, summary.drawing_seconds));
  }
  print(fmt::format("Claims   {} hold, {} hold with a qualification, {} fail, in {:.1f} s\n",
                    count(summary, paper::verdict::holds),
                    count(summary, paper::verdict::qualified),
                    count(summary, paper::verdict::fails), summary.claim_seconds));
  for (const auto& c : summary.claims) {
    if (c.result != paper::verdict::fails) continue;
    print(fmt::format("  fails  {}  {}\n", c.what.label, paper::prose_to_text(c.what.says)));
  }
  print(fmt::format("Report   {}\n", (summary.out / "index.html").string()));
}

ask::report report_of(const paper::run_summary& summary) {
  ask::report made{"paper"};
  made.add("out", json(summary.out.string()));
  made.add("quick", json(summary.work.quick));
  made.add("seed", json(summary.work.seed));
  made.add("figures", json(summary.figures.size()));
  made.add("computed", json(computed(summary)));
  made.add("drawn", json(summary.drawn));
  made.add("seconds", json{{"figures", ask::number(summary.figure_seconds)},
                           {"claims", ask::number(summary.claim_seconds)},
                           {"drawing", ask::number(summary.drawing_seconds)}});
  json claims = json::array();
  for (const auto& c : summary.claims) claims.push_back(to_json(c));
  made.add("claims", std::move(claims));
  if (!summary.no_drawing.empty()) {
    made.set_warnings([&] { return std::vector<std::string>{summary.no_drawing}; });
  }
  return made;
}

void complain_of_unexpected(const paper::run_summary& summary) {
  int wrong = 0;
  for (const auto& c : summary.claims) {
    if (c.is_expected()) continue;
    ++wrong;
    warn(fmt::format("claim '{}' [{}] {}, found: {}", c.what.id, c.what.label, name_of(c.result),
                     paper::prose_to_text(c.found.found)));
  }
  if (wrong > 0) {
    throw std::runtime_error(fmt::format("paper: {} claims did not come out as expected", wrong));
  }
}

/// What --only can name.
void list_figures(style how) {
  table rows({"label", "number", "title"});
  json list = json::array();
  const auto add = [&](const paper::entry& one, const char* indent) {
    const std::string number = paper::printed_number(one.label);
    const std::string title = paper::prose_to_text(one.title);
    rows.add({indent + one.label, number, title});
    list.push_back({{"label", one.label}, {"number", number}, {"title", title}});
  };
  const char* const indent = how == style::text ? "  " : "";
  for (const paper::content& block : paper::contents()) {
    add(block.whole, "");
    for (const paper::entry& panel : block.panels) add(panel, indent);
  }
  if (how == style::csv) return print(rows.csv());
  if (how == style::text) return print(rows.text());
  ask::report made{"paper"};
  made.add("figures", std::move(list));
  print_json(made);
}

}  // namespace

void run_paper(const ask::words& asked, style how) {
  if (ask::reader{asked}.flag("list")) return list_figures(how);
  paper::run_request request = read(asked);
  static constexpr const char* message =
      "paper: interrupted; what is finished is kept, and the same command goes on from there";
  const interrupt_guard guard{[] { fmt::print(stderr, "\nktln2: {}\n", message); }};
  request.work.stop = stop_token{interrupt_guard::flag()};
  paper::run_summary summary;
  try {
    display progress;
    summary = paper::run(request, [&](const paper::progress& now) { progress(now); });
  } catch (const stopped&) {
    throw interrupted_work(message);
  }
  if (!summary.no_drawing.empty()) warn(summary.no_drawing);
  if (how == style::json) {
    print_json(report_of(summary));
  } else if (how == style::csv) {
    table rows({"id", "label", "verdict", "paper", "found"});
    for (const auto& c : summary.claims) {
      rows.add({c.what.id, c.what.label, std::string(name_of(c.result)),
                paper::prose_to_text(c.what.paper), paper::prose_to_text(c.found.found)});
    }
    print(rows.csv());
  } else {
    print_summary(summary);
  }
  complain_of_unexpected(summary);
}

}  // namespace ktln2::cli
