#include "paper/report/run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "ktln2/core/parallel.hpp"
#include "ktln2/core/version.hpp"
#include "paper/figures/figures.hpp"
#include "paper/report/data_file.hpp"
#include "paper/report/drawing.hpp"
#include "paper/report/report.hpp"

namespace ktln2::paper {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

double since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// FNV-1a.
class digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    state_ = (state_ ^ 0xffU) * 0x100000001b3U;  // so that ("ab", "c") is not ("a", "bc")
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

/// Changes with the program: data that another one computed are computed again.
const std::string& program_digest() {
  static const std::string value = [] {
    digest d;
    d.add(version);
    d.add(contents_of("/proc/self/exe"));
    return d.text();
  }();
  return value;
}

/// Changes with everything that the data of a figure depend on.
std::string fingerprint(const figure& f, const effort& work) {
  digest d;
  d.add(program_digest());
  d.add(f.label);
  d.add(work.quick ? "quick" : "full");
  if (f.is_random) d.add(std::to_string(work.seed));
  for (const parameter& p : f.settings.all()) {
    d.add(p.name);
    for (const double value : p.values) d.add(fmt::format("{}", value));
  }
  return d.text();
}

std::string shown(const parameter& p) {
  const char* from = p.from == origin::stated   ? "stated in the paper"
                     : p.from == origin::chosen ? "chosen here"
                                                : "set by the user";
  return fmt::format("parameter {} = {} ({}{})", p.name, fmt::join(p.values, ", "), from,
                     p.note.empty() ? "" : "; " + p.note);
}

std::vector<std::string> preamble(const figure& f, const effort& work, const std::string& print) {
  std::vector<std::string> lines = {"label " + f.label, "title " + f.title};
  for (const parameter& p : f.settings.all()) lines.push_back(shown(p));
  if (f.is_random) lines.push_back(fmt::format("seed {}", work.seed));
  if (work.quick) lines.emplace_back("coarse grid: --quick");
  lines.push_back(fmt::format("program ktln2 {}", version));
  lines.push_back("fingerprint " + print);
  return lines;
}

bool has_fingerprint(const fs::path& file, const std::string& print) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line) && line.starts_with('#')) {
    if (line == "# fingerprint " + print) return true;
  }
  return false;
}

/// What earlier runs left: which files belong to a figure, and how long they took.
class ledger {
 public:
  explicit ledger(const fs::path& out) : file_{out / "data" / "ledger.json"} {
    entries_ = nlohmann::ordered_json::parse(contents_of(file_), nullptr, false);
    if (!entries_.is_object()) entries_ = nlohmann::ordered_json::object();
  }

  /// Fills in what is known; false unless all files are there and belong to these settings.
  bool knows(figure_result& result, const fs::path& out, const std::string& print) const {
    const auto entry = entries_.find(result.what.name());
    if (entry == entries_.end()) return false;
    try {
      entry->at("seconds").get_to(result.seconds);
      entry->at("files").get_to(result.files);
    } catch (const nlohmann::json::exception&) {
      return false;  // not what a run writes
    }
    return !result.files.empty() &&
           std::all_of(result.files.begin(), result.files.end(), [&](const std::string& name) {
             return name.starts_with("data/") && name.find("..") == std::string::npos &&
                    has_fingerprint(out / name, print);
           });
  }

  void add(const figure_result& result) {
    entries_[result.what.name()] = {{"seconds", result.seconds}, {"files", result.files}};
    write_whole(file_, entries_.dump(1) + '\n');
  }

 private:
  fs::path file_;
  nlohmann::ordered_json entries_;
};

/// How files that are being written are called, here and in draw.py: what a run that was killed
/// left can be told from what is the user's.
constexpr std::string_view aside_mark = ".ktln2-";

void remove_leftovers(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code ignored;
    if (entry.path().filename().string().starts_with(aside_mark)) fs::remove(entry.path(), ignored);
  }
}

/// The directory and its folders, for one run at a time, without what a run that was killed left.
class output_directory {
 public:
  explicit output_directory(const fs::path& out) {
    for (const char* folder : {"data", "figures", "draw"}) {
      std::error_code error;
      fs::create_directories(out / folder, error);
      if (error) throw std::runtime_error("cannot make the directory " + (out / folder).string());
    }
    lock_ = open((out / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock_ < 0) throw std::runtime_error("cannot write to " + out.string());
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      close(lock_);
      throw std::runtime_error("another run is writing to " + out.string());
    }
    for (const char* folder : {"", "data", "figures", "draw"}) remove_leftovers(out / folder);
  }
  ~output_directory() { close(lock_); }
  output_directory(const output_directory&) = delete;
  output_directory& operator=(const output_directory&) = delete;
  output_directory(output_directory&&) = delete;
  output_directory& operator=(output_directory&&) = delete;

 private:
  int lock_ = -1;
};

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
    for (figure& one : result) {
      if (one.label != change.label && one.parent != change.label) continue;
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

void compute(figure_result& result, const effort& work, const fs::path& out,
             const std::string& print) {
  const auto start = clock::now();
  std::vector<table> tables;
  try {
    tables = result.what.compute(result.what.settings, work);
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
    const bool is_known = known.knows(result, summary.out, print);
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
                      known.add(result);
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

}  // namespace

bool run_summary::is_green() const {
  return std::all_of(claims.begin(), claims.end(),
                     [](const checked_claim& c) { return c.is_expected(); });
}

void write_whole(const fs::path& file, std::string_view text) {
  const fs::path aside =
      file.parent_path() / fmt::format("{}{}-{}", aside_mark, getpid(), file.filename().string());
  std::ofstream stream(aside, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) fs::rename(aside, file, error);
  if (!stream || error) {
    std::error_code ignored;
    fs::remove(aside, ignored);
    throw std::runtime_error("cannot write " + file.string());
  }
}

run_summary run(const run_request& request, const std::function<void(const progress&)>& tell) {
  run_summary summary{.out = request.out, .work = request.work};
  const std::vector<figure> wanted = figures_to_make(request);
  std::vector<claim> all = read_claims(request);
  const unsigned threads = request.threads > 0 ? request.threads : hardware_threads();

  summary.threads = threads;
  const output_directory directory(summary.out);
  make_data(summary, wanted, threads, tell);
  drop_claims_not_shown(all, summary.figures);
  check_claims(summary, all, threads, tell);
  draw(summary, threads, tell);
  write_whole(summary.out / "index.html", report_page(summary));
  return summary;
}

}  // namespace ktln2::paper
