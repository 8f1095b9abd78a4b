#include "paper/report/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <stdexcept>

#include "ktln2/core/parallel.hpp"
#include "paper/figures/figures.hpp"
#include "paper/report/drawing.hpp"
#include "paper/report/files.hpp"
#include "paper/report/ledger.hpp"
#include "paper/report/report.hpp"

namespace ktln2::paper {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

double since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// Runs all jobs on some threads, the long ones first. The first exception stops the rest.
class crew {
 public:
  struct job {
    std::string name;
    double cost;
    std::function<void()> work;
  };

  crew(std::string stage, unsigned threads, const std::function<void(const progress&)>& tell)
      : stage_{std::move(stage)}, threads_{threads}, tell_{tell} {}

  void run(std::vector<job> jobs) {
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const job& a, const job& b) { return a.cost > b.cost; });
    double total = 0;
    for (const job& one : jobs) total += one.cost;
    double done = 0;
    std::mutex guard;
    parallel_for(jobs.size(), threads_, [&](std::size_t i) {
      jobs[i].work();
      const std::lock_guard lock(guard);
      done += jobs[i].cost;
      tell_({stage_, jobs[i].name, total > 0 ? done / total : 1, since(start_)});
    });
  }

 private:
  std::string stage_;
  unsigned threads_;
  const std::function<void(const progress&)>& tell_;
  clock::time_point start_ = clock::now();
};

/// Those asked for, with the parameters that were asked for.
std::vector<figure> figures_to_make(const run_request& request) {
  std::vector<figure> result = chosen(request.only);
  for (const override_setting& change : request.settings) {
    bool is_used = false;
    const std::string label = whole_label(change.label);
    for (figure& one : result) {
      if (one.label != label && one.parent != label) continue;
      one.settings.set(change.name, change.values);
      is_used = true;
    }
    if (!is_used) {
      throw std::domain_error("paper: --set must name a figure that is made, got '" + change.label +
                              "'");
    }
  }
  return result;
}

error_bars error_bars_of(const std::vector<table>& tables) {
  error_bars result;
  for (const table& t : tables) {
    for (const column& c : t.columns()) {
      if (!c.is_error_bar || c.unit != "bits") continue;
      for (const double bar : t.numbers(c.name)) {
        if (std::isnan(bar)) continue;
        ++result.count;
        result.largest = std::max(result.largest, bar);
      }
    }
  }
  return result;
}

void compute(figure_result& result, const effort& work, const fs::path& out,
             const std::string& print) {
  const auto start = clock::now();
  std::vector<table> tables;
  try {
    tables = result.what.compute(result.what.settings, work);
  } catch (const stopped&) {
    throw;
  } catch (const std::domain_error& mistake) {
    throw std::domain_error(result.what.label + ": " + mistake.what());
  } catch (const std::exception& failure) {
    throw std::runtime_error(result.what.label + ": " + failure.what());
  }
  result.files.clear();
  for (const table& t : tables) {
    result.files.push_back("data/" + result.what.name() + (t.name().empty() ? "" : "." + t.name()) +
                           ".csv");
    write_whole(out / result.files.back(), t.csv(preamble(result.what, work, print)));
  }
  result.bars = error_bars_of(tables);
  if (result.what.is_table()) result.tables = std::move(tables);
  result.is_computed = true;
  result.seconds = since(start);
}

/// Computes what is not there yet. Figures that were not asked for, but that an earlier run left,
/// are part of the report too.
void make_data(run_summary& summary, const std::vector<figure>& wanted, unsigned threads,
               const std::function<void(const progress&)>& tell) {
  const auto start = clock::now();
  ledger known(summary.out);
  std::vector<std::string> to_compute;
  for (const figure& f : figures()) {
    const auto asked = std::find_if(wanted.begin(), wanted.end(),
                                    [&](const figure& one) { return one.label == f.label; });
    figure_result result{.what = asked == wanted.end() ? f : *asked};
    const std::string print = fingerprint(result.what, summary.work);
    const bool is_known = known.knows(result, print);
    if (asked == wanted.end() && !is_known) continue;
    to_compute.push_back(is_known ? "" : print);
    summary.figures.push_back(std::move(result));
  }
  std::mutex guard;
  std::vector<crew::job> jobs;
  for (std::size_t i = 0; i < to_compute.size(); ++i) {
    if (to_compute[i].empty()) continue;
    figure_result& result = summary.figures[i];
    jobs.push_back({result.what.label, result.what.cost, [&, print = to_compute[i]] {
                      compute(result, summary.work, summary.out, print);
                      const std::lock_guard lock(guard);
                      known.add(result, print);
                    }});
  }
  crew("figures", threads, tell).run(std::move(jobs));
  summary.figure_seconds = since(start);
}

std::vector<claim> read_claims(const run_request& request) {
  if (!request.claims) return claims();
  std::error_code error;
  if (!fs::is_regular_file(*request.claims, error)) {
    throw std::domain_error("paper: --claims: cannot read '" + request.claims->string() + "'");
  }
  return parse_claims(contents_of(*request.claims), request.claims->string());
}

/// Of a report that has not all figures, the claims that those it has show.
void drop_claims_not_shown(std::vector<claim>& all, const std::vector<figure_result>& present) {
  if (present.size() == figures().size()) return;
  std::set<std::string> shown;
  for (const figure_result& one : present) shown.insert({one.what.label, one.what.parent});
  std::erase_if(all, [&](const claim& c) {
    return !shown.contains(c.label) &&
           std::none_of(c.figures.begin(), c.figures.end(),
                        [&](const std::string& label) { return shown.contains(label); });
  });
}

void check_claims(run_summary& summary, const std::vector<claim>& all, unsigned threads,
                  const std::function<void(const progress&)>& tell) {
  const auto start = clock::now();
  summary.claims.resize(all.size());
  std::vector<crew::job> jobs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    jobs.push_back({all[i].id, 1, [&summary, &all, i] {
                      summary.work.pause();
                      summary.claims[i] = examine(all[i], summary.work);
                    }});
  }
  crew("claims", threads, tell).run(std::move(jobs));
  summary.claim_seconds = since(start);
}

/// Its text; empty if none was given.
std::string read_explorer(const run_request& request) {
  if (!request.explorer) return "";
  std::string page = contents_of(*request.explorer);
  if (page.empty()) {
    throw std::domain_error("paper: --explorer must be the explorer's file, got '" +
                            request.explorer->string() + "', which cannot be read or is empty");
  }
  return page;
}

}  // namespace

bool run_summary::is_green() const {
  return std::all_of(claims.begin(), claims.end(),
                     [](const checked_claim& c) { return c.is_expected(); });
}

run_summary run(const run_request& request, const std::function<void(const progress&)>& tell) {
  run_summary summary{.out = request.out, .work = request.work};
  const std::vector<figure> wanted = figures_to_make(request);
  std::vector<claim> all = read_claims(request);
  const std::string explorer = read_explorer(request);
  const unsigned threads = request.threads > 0 ? request.threads : hardware_threads();

  summary.threads = threads;
  const output_directory directory(summary.out);
  make_data(summary, wanted, request.threads, tell);
  drop_claims_not_shown(all, summary.figures);
  check_claims(summary, all, request.threads, tell);
  draw(summary, threads, tell);
  if (!explorer.empty()) {
    summary.explorer = "explorer.html";
    write_whole(summary.out / summary.explorer, explorer);
  }
  write_whole(summary.out / "index.html", report_page(summary));
  return summary;
}

}  // namespace ktln2::paper
