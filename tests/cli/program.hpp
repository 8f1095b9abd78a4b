#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <regex.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test_configuration.hpp"

/// Runs the program as a shell would, what it prints on stdout and on stderr kept apart.
namespace program {

using arguments = std::vector<std::string>;
using json = nlohmann::ordered_json;

inline double real(const json& value) { return value.get<double>(); }
inline double number(const json& object, const char* key) { return real(object.at(key)); }

struct outcome {
  int status;  ///< the exit status, -1 if a signal ended the program
  std::string out;
  std::string err;
};

inline std::string content(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char block[4096];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file)) text.append(block, n);
  return text;
}

/// How soon an interrupted program has to be over: 0.2 s on an idle machine, but tests run beside
/// others.
inline constexpr std::chrono::seconds soon{3};

/// A program under way. No shell is in between, so that every argument arrives as it is. With
/// `sink`, stdout goes to that file instead; stdin comes from the file `source`.
class process {
 public:
  explicit process(arguments words, const char* sink = nullptr, const char* source = "/dev/null") {
    if (!out_ || !err_) throw std::runtime_error("no temporary file");
    std::string name = KTLN2_PROGRAM;
    std::vector<char*> argv{name.data()};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, source, O_RDONLY, 0);
    if (sink != nullptr) {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, sink, O_WRONLY, 0);
    } else {
      posix_spawn_file_actions_adddup2(&actions, fileno(out_.get()), STDOUT_FILENO);
    }
    posix_spawn_file_actions_adddup2(&actions, fileno(err_.get()), STDERR_FILENO);
    const int problem = posix_spawn(&child_, name.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) throw std::runtime_error("cannot start " + name);
  }

  /// The lines on stdout so far. (pread: the program goes on writing where it was.)
  [[nodiscard]] std::ptrdiff_t lines_written() const {
    std::ptrdiff_t count = 0;
    char block[4096];
    off_t position = 0;
    for (ssize_t n = 0; (n = pread(fileno(out_.get()), block, sizeof block, position)) > 0;) {
      count += std::count(block, block + n, '\n');
      position += n;
    }
    return count;
  }

  /// The processor time that it took so far, all threads together.
  [[nodiscard]] std::chrono::duration<double> time_at_work() const {
    clockid_t clock{};
    timespec spent{};
    if (clock_getcpuclockid(child_, &clock) != 0) return {};
    clock_gettime(clock, &spent);
    return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
  }

  /// Ended, by itself or by a signal; wait() is still to be called.
  [[nodiscard]] bool is_over() const {
    siginfo_t state{};
    waitid(P_PID, static_cast<id_t>(child_), &state, WEXITED | WNOHANG | WNOWAIT);
    return state.si_pid == child_;
  }

  void signal(int which) const { kill(child_, which); }
  /// As Ctrl-C does.
  void interrupt() const { signal(SIGINT); }

  /// To be called once.
  [[nodiscard]] outcome wait() const {
    int status = 0;
    waitpid(child_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(out_.get()), content(err_.get())};
  }

 private:
  struct closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using temporary_file = std::unique_ptr<std::FILE, closing>;

  temporary_file out_{std::tmpfile()};
  temporary_file err_{std::tmpfile()};
  pid_t child_ = 0;
};

inline outcome run(arguments words, const char* sink = nullptr, const char* source = "/dev/null") {
  return process(std::move(words), sink, source).wait();
}

/// "entropy p24e8 normal" as a list of words; for arguments without blanks.
inline arguments words(const std::string& line) {
  std::istringstream stream(line);
  arguments list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

inline outcome run(const std::string& line) { return run(words(line)); }

/// What is left of a run that is interrupted as soon as it is `ready`, which is asked of the
/// process again and again: a busy machine makes it late, never too early.
template <typename Ready>
outcome run_interrupted(const std::string& line, const Ready& ready) {
  const process started(words(line));
  while (!started.is_over() && !ready(started)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  started.interrupt();
  return started.wait();
}

/// For messages about what failed.
inline std::string shown(const arguments& words) {
  std::string text = "ktln2";
  for (const std::string& word : words) {
    text += " '" + (word.size() < 80 ? word : word.substr(0, 80) + " ...") + "'";
  }
  return text;
}

inline std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string line; std::getline(stream, line);) list.push_back(line);
  return list;
}

/// The first match of a POSIX extended regular expression and of its groups; nothing if there is
/// none. (std::regex does not compile without warnings everywhere.)
inline std::vector<std::string> match(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED) != 0) {
    throw std::invalid_argument("bad pattern " + pattern);
  }
  std::vector<regmatch_t> found(compiled.re_nsub + 1);
  const bool matches = regexec(&compiled, text.c_str(), found.size(), found.data(), 0) == 0;
  regfree(&compiled);
  std::vector<std::string> groups;
  for (const regmatch_t& group : found) {
    if (!matches) break;
    const auto start = static_cast<std::size_t>(group.rm_so);
    groups.push_back(text.substr(start, static_cast<std::size_t>(group.rm_eo) - start));
  }
  return groups;
}

inline bool has(const std::string& text, const std::string& pattern) {
  return !match(text, pattern).empty();
}

/// What a command that must succeed, and silently, prints.
inline std::string output(const std::string& line) {
  const outcome result = run(line);
  EXPECT_EQ(result.status, 0) << line << ": " << result.err;
  EXPECT_EQ(result.err, "") << line;
  return result.out;
}

/// The JSON object that it prints, and nothing else. Throws where that is no JSON.
inline json object(const std::string& line) { return json::parse(output(line + " --json")); }

/// Rows of a CSV table without quoted entries, the headings first.
inline std::vector<std::vector<std::string>> rows(const std::string& line) {
  std::vector<std::vector<std::string>> table;
  for (const std::string& text : lines(output(line + " --csv"))) {
    table.emplace_back();
    std::size_t start = 0;
    std::size_t comma = text.find(',');
    while (comma != std::string::npos) {
      table.back().push_back(text.substr(start, comma - start));
      start = comma + 1;
      comma = text.find(',', start);
    }
    table.back().push_back(text.substr(start));
  }
  return table;
}

/// All the digits of a double.
inline std::string digits17(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// The query is the user's mistake: exit status 2, nothing on stdout, and one line on stderr that
/// begins with this message.
inline void expect_refused(const std::string& query, const std::string& message) {
  SCOPED_TRACE(query);
  const outcome result = run(query);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.err.find("ktln2: " + message), 0U) << result.err;
}

}  // namespace program
