#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>

#include "commands.hpp"
#include "core/parse.hpp"
#include "progress.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system's unistd.h

namespace ktln2::cli {
namespace {

/// One parameter and the values it takes: KEY=FROM:TO:COUNT[:log].
struct axis {
  std::string key;
  std::vector<double> values;
};

axis parse_axis(const std::string& text) {
  const auto fail = [&] {
    throw std::domain_error(
        "sweep: --over must be KEY=FROM:TO:COUNT or KEY=FROM:TO:COUNT:log, got '" + text + "'");
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) fail();
  std::vector<std::string> parts{""};
  for (const char c : text.substr(equals + 1)) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  const bool is_log = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !is_log) fail();
  const std::string where = "sweep: --over " + text.substr(0, equals);
  const double from = parse_number(where, parts[0]);
  const double to = parse_number(where, parts[1]);
  const uint128 count = parse_count(where, parts[2]);
  if (count < 1 || count > 1000000) {
    throw std::domain_error(where + ": COUNT must be from 1 to 1e6, got " + parts[2]);
  }
  if (is_log && !(from > 0 && to > 0)) {
    throw std::domain_error(where + ": a logarithmic range needs ends > 0, got " + parts[0] + ":" +
                            parts[1]);
  }
  axis result{text.substr(0, equals), {}};
  static const std::set<std::string> whole{"p", "E", "n", "steps", "batch", "trials", "seed"};
  const auto last = static_cast<double>(count - 1);
  for (double i = 0; i <= last; ++i) {
    const double share = last == 0 ? 0 : i / last;
    double value = is_log ? from * std::pow(to / from, share) : from + (to - from) * share;
    if (i == last && last > 0) value = to;
    result.values.push_back(whole.count(result.key) > 0 ? std::round(value) : value);
  }
  return result;
}

bool is_format(const std::string& word) {
  const std::size_t e = word.find('e');
  const auto digits = [](const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  return word.size() > 3 && word[0] == 'p' && e != std::string::npos &&
         digits(word.substr(1, e - 1)) && digits(word.substr(e + 1));
}

/// "normal:mu=0" with sigma set to 2: "normal:mu=0,sigma=2".
std::string with_setting(const std::string& law, const std::string& key, const std::string& value) {
  const std::size_t colon = law.find(':');
  std::string result = law.substr(0, colon) + ":";
  bool is_set = false;
  if (colon != std::string::npos) {
    std::string rest = law.substr(colon + 1) + ",";
    for (std::size_t comma = 0; (comma = rest.find(',')) != std::string::npos;
         rest.erase(0, comma + 1)) {
      const std::string setting = rest.substr(0, comma);
      if (setting.empty()) continue;
      const bool is_this = setting.substr(0, setting.find('=')) == key;
      if (result.back() != ':') result += ',';
      result += is_this ? fmt::format("{}={}", key, value) : setting;
      is_set = is_set || is_this;
    }
  }
  if (!is_set) result += fmt::format("{}{}={}", result.back() == ':' ? "" : ",", key, value);
  return result;
}

/// The words of a command with one parameter set: p and E of its format, a key of its law, or an
/// option.
std::vector<std::string> with_value(std::vector<std::string> words, const std::string& key,
                                    double number) {
  const std::string value = fmt::format("{}", number);
  const bool has_law = words[0] == "entropy" || words[0] == "law";
  if (key == "p" || key == "E") {
    const auto format = std::find_if(words.begin() + 1, words.end(), is_format);
    if (format == words.end()) {
      throw std::domain_error("sweep: --over " + key + " needs a format such as p24e8");
    }
    const std::size_t e = format->find('e');
    *format = key == "p" ? "p" + value + format->substr(e) : format->substr(0, e + 1) + value;
    return words;
  }
  if (has_law) {
    const auto law = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) {
      return !is_format(word) && word[0] != '-';
    });
    if (law == words.end()) throw std::domain_error("sweep: " + words[0] + " needs a distribution");
    *law = with_setting(*law, key, value);
    return words;
  }
  std::string option = "--" + key;
  std::replace(option.begin(), option.end(), '_', '-');
  const auto given = std::find(words.begin(), words.end(), option);
  if (given != words.end() && given + 1 != words.end()) {
    *(given + 1) = value;
  } else {
    words.insert(words.end(), {option, value});
  }
  return words;
}

struct outcome {
  int status = -1;  ///< -1 if a signal ended it
  std::string out;
  std::string err;
};

/// This program again, with other words.
outcome run_program(std::vector<std::string> words) {
  const auto temporary = [] {
    std::FILE* file = std::tmpfile();
    if (file == nullptr) throw std::runtime_error("sweep: no temporary file");
    return std::unique_ptr<std::FILE, int (*)(std::FILE*)>(file, std::fclose);
  };
  const auto out = temporary();
  const auto err = temporary();
  words.insert(words.begin(), "ktln2");
  words.emplace_back("--json");
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err.get()), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("sweep: cannot start the program again");
  int status = 0;
  waitpid(child, &status, 0);
  const auto content = [](std::FILE* file) {
    std::rewind(file);
    std::string text;
    char block[4096];
    while (const std::size_t n = std::fread(block, 1, sizeof block, file)) text.append(block, n);
    return text;
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(out.get()), content(err.get())};
}

/// Runs one after the other on each thread; hands the results on in order, as far as there are no
/// gaps.
class ordered_runs {
 public:
  ordered_runs(std::vector<std::vector<std::string>> all, unsigned threads)
      : all_{std::move(all)}, done_(all_.size()), results_(all_.size()) {
    for (unsigned i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~ordered_runs() {
    stop_ = true;
    for (std::thread& worker : workers_) worker.join();
  }
  ordered_runs(const ordered_runs&) = delete;
  ordered_runs(ordered_runs&&) = delete;
  ordered_runs& operator=(const ordered_runs&) = delete;
  ordered_runs& operator=(ordered_runs&&) = delete;

  /// Waits for result i; nothing if Ctrl-C came first.
  std::optional<outcome> wait(std::size_t i) {
    std::unique_lock lock{mutex_};
    while (!done_[i]) {
      if (interrupt_guard::flag() && running_ == 0) return {};
      changed_.wait_for(lock, std::chrono::milliseconds(100));
    }
    if (results_[i].status == -1 && interrupt_guard::flag()) return {};
    return std::move(results_[i]);
  }

 private:
  void work() {
    while (!stop_ && !interrupt_guard::flag()) {
      const std::size_t i = next_++;
      if (i >= all_.size()) return;
      ++running_;
      outcome result;
      try {
        result = run_program(all_[i]);
      } catch (const std::exception& error) {
        result = {1, "", error.what()};
      }
      const std::lock_guard lock{mutex_};
      results_[i] = std::move(result);
      done_[i] = true;
      --running_;
      changed_.notify_all();
    }
  }

  std::vector<std::vector<std::string>> all_;
  std::vector<char> done_;
  std::vector<outcome> results_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<int> running_ = 0;
  std::atomic<bool> stop_ = false;
};

/// What a row shows of a result: its numbers, not the text, the lists and what is inside of them.
bool is_column(const json_value& value) {
  return value.is_number() || value.is_null() || value == "inf" || value == "-inf";
}

std::string shown_entry(const json_value& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

}  // namespace

void run(const sweep_request& request, style how) {
  static const std::set<std::string> known{"entropy", "law",      "cost",
                                           "scaling", "mismatch", "simulate"};
  if (request.words.empty() || known.count(request.words[0]) == 0) {
    throw std::domain_error(
        "sweep: expected entropy, law, cost, scaling, mismatch or simulate, got '" +
        (request.words.empty() ? "" : request.words[0]) + "'");
  }
  if (request.over.empty() || request.over.size() > 2) {
    throw std::domain_error("sweep: needs --over KEY=FROM:TO:COUNT[:log] once or twice");
  }
  std::vector<axis> axes;
  for (const std::string& text : request.over) axes.push_back(parse_axis(text));
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  if (request.threads) {
    const uint128 asked = parse_count("sweep: --threads", *request.threads);
    if (asked < 1 || asked > 1024) {
      throw std::domain_error("sweep: --threads must be from 1 to 1024, got " + *request.threads);
    }
    threads = static_cast<unsigned>(asked);
  }

  const interrupt_guard guard;

  std::vector<std::vector<double>> points{{}};
  for (const axis& one : axes) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& point : points) {
      for (const double value : one.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  std::vector<std::vector<std::string>> commands;
  for (const std::vector<double>& point : points) {
    std::vector<std::string> words = request.words;
    for (std::size_t i = 0; i < axes.size(); ++i) words = with_value(words, axes[i].key, point[i]);
    commands.push_back(std::move(words));
  }

  const bool on_terminal = isatty(STDERR_FILENO) != 0;
  const auto start = std::chrono::steady_clock::now();

  json_value object = report("sweep");
  object["over"] = request.over;
  object["rows"] = json_value::array();
  std::vector<std::string> columns;
  std::size_t rows = 0;
  std::size_t warned = 0;
  ordered_runs runs{commands, threads};
  for (; rows < points.size(); ++rows) {
    const std::optional<outcome> result = runs.wait(rows);
    if (!result) break;
    if (result->status != 0) {
      std::string message = result->err.substr(0, result->err.find('\n'));
      if (message.starts_with("ktln2: ")) message.erase(0, 7);
      std::string at;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        at += fmt::format("{}{}={}", i == 0 ? "" : ", ", axes[i].key, points[rows][i]);
      }
      message = fmt::format("sweep: at {}: {}", at, message);
      if (result->status == 2) throw std::domain_error(message);
      throw std::runtime_error(message);
    }
    const json_value found = json_value::parse(result->out);
    warned += found.at("warnings").empty() ? 0 : 1;
    if (how == style::json) {
      json_value row;
      for (std::size_t i = 0; i < axes.size(); ++i) row[axes[i].key] = number(points[rows][i]);
      row["result"] = found;
      object["rows"].push_back(row);
    } else {
      if (rows == 0) {
        std::vector<std::string> headings;
        std::set<std::string> swept;
        for (const axis& one : axes) {
          headings.push_back(one.key);
          std::string name = one.key;
          std::replace(name.begin(), name.end(), '-', '_');
          swept.insert(name);
        }
        for (const auto& [name, value] : found.items()) {
          if (is_column(value) && swept.count(name) == 0) columns.push_back(name);
        }
        headings.insert(headings.end(), columns.begin(), columns.end());
        print(table(headings).csv());
      }
      std::vector<std::string> entries;
      for (const double value : points[rows]) entries.push_back(fmt::format("{}", value));
      for (const std::string& name : columns) {
        entries.push_back(found.contains(name) ? shown_entry(found.at(name)) : "");
      }
      print(table(entries).csv());
      std::fflush(stdout);
    }
    if (on_terminal) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      const auto done = static_cast<double>(rows + 1);
      fmt::print(stderr, "\r{} of {} rows, {:.0f} s left ", rows + 1, points.size(),
                 passed.count() / done * (static_cast<double>(points.size()) - done));
    }
  }
  if (on_terminal) fmt::print(stderr, "\r{:60}\r", "");
  if (rows < points.size()) {
    warn(fmt::format("interrupted: {} of {} rows are complete", rows, points.size()));
  }
  if (warned > 0) warn(fmt::format("{} of {} rows have warnings of their own", warned, rows));
  if (how == style::json) print_json(object);
}

}  // namespace ktln2::cli
