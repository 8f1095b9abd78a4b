#include "paper/report/drawing.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "embedded.hpp"
#include "paper/report/files.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system's unistd.h

namespace ktln2::paper {
namespace {

namespace fs = std::filesystem;

/// A program that was started, whose standard output is read line by line.
class child {
 public:
  explicit child(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
    output_ = ends[0];
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    // A shell starts what runs in the background deaf to interrupts; the child must hear ours.
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    sigset_t heard{};
    sigemptyset(&heard);
    sigaddset(&heard, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &heard);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (posix_spawnp(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ) != 0) {
      pid_ = -1;
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
  }
  ~child() {
    close(output_);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  child(child&&) = delete;
  child& operator=(child&&) = delete;

  /// Nothing at the end, and once it is to stop.
  std::optional<std::string> line(const stop_token& stop = {}) {
    std::size_t end = unread_.find('\n');
    while (end == std::string::npos) {
      if (!read_more(stop)) return std::nullopt;
      end = unread_.find('\n');
    }
    std::string result = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return result;
  }

  void interrupt() const {
    if (pid_ > 0) kill(pid_, SIGINT);
  }

  /// Waits for the end: was it a good one?
  bool succeeds() {
    int status = -1;
    if (pid_ <= 0 || waitpid(pid_, &status, 0) != pid_) status = -1;
    pid_ = -1;
    return status == 0;
  }

 private:
  bool read_more(const stop_token& stop) {
    constexpr int milliseconds = 50;
    pollfd source{output_, POLLIN, 0};
    while (poll(&source, 1, milliseconds) <= 0) {
      if (stop.stop_requested()) return false;
    }
    std::array<char, 4096> some{};
    const ssize_t count = read(output_, some.data(), some.size());
    if (count > 0) unread_.append(some.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  pid_t pid_ = -1;
  int output_ = -1;
  std::string unread_;
};

/// A Python that has matplotlib; empty if there is none. The environment may name another one.
std::string python() {
  std::vector<std::string> candidates = {"python3", "/usr/bin/python3"};
  if (const char* named = std::getenv("KTLN2_PYTHON")) candidates = {named};
  for (const std::string& candidate : candidates) {
    // Not a file that happens to lie in the current directory, which comes first in Python's path.
    child trial({candidate, "-B", "-c",
                 "import sys; sys.path.pop(0); import importlib.util as u; "
                 "sys.exit(u.find_spec('matplotlib') is None)"});
    while (trial.line()) {
    }
    if (trial.succeeds()) return candidate;
  }
  return "";
}

}  // namespace

void draw(run_summary& summary, unsigned threads,
          const std::function<void(const progress&)>& tell) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (const embedded::file& file : embedded::files()) {
    if (file.name.ends_with(".py")) write_whole(summary.out / "draw" / file.name, file.text);
  }
  const std::string interpreter = python();
  if (interpreter.empty()) {
    summary.no_drawing =
        "no figures were drawn: install matplotlib (on Debian: apt install python3-matplotlib) and "
        "run the same command again";
    return;
  }
  std::map<std::string, figure_result*> by_name;
  const fs::path out = fs::absolute(summary.out);  // its name could be taken for an option
  std::vector<std::string> words = {
      interpreter, "-B", (out / "draw" / "draw.py").string(), "--jobs", std::to_string(threads),
      out.string()};
  for (figure_result& result : summary.figures) {
    by_name[result.what.name()] = &result;
    words.push_back(result.what.name());
  }
  child artist(words);
  std::size_t done = 0;
  // One line a figure: "drawn NAME", or "kept NAME" for a drawing that was up to date.
  while (const std::optional<std::string> line = artist.line(summary.work.stop)) {
    const std::size_t space = line->find(' ');
    const auto found =
        space == std::string::npos ? by_name.end() : by_name.find(line->substr(space + 1));
    if (found == by_name.end()) continue;
    found->second->is_drawn = true;
    if (line->starts_with("drawn")) ++summary.drawn;
    ++done;
    const double share = static_cast<double>(done) / static_cast<double>(by_name.size());
    tell({"drawing", line->starts_with("drawn") ? found->second->what.label : "", share, passed()});
  }
  if (summary.work.stop.stop_requested()) artist.interrupt();
  const bool is_good = artist.succeeds();
  summary.work.pause();
  if (!is_good) throw std::runtime_error("drawing failed; the reason stands above");
  summary.drawing_seconds = passed();
}

}  // namespace ktln2::paper
