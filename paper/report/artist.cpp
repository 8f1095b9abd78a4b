#include "paper/report/artist.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system's unistd.h

namespace ktln2::paper {

child::child(std::vector<std::string> words) {
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

child::~child() {
  close(output_);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

std::optional<std::string> child::line(const stop_token& stop) {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    if (!read_more(stop)) return std::nullopt;
    end = unread_.find('\n');
  }
  std::string result = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return result;
}

void child::interrupt() const {
  if (pid_ > 0) kill(pid_, SIGINT);
}

void child::end() const {
  if (pid_ > 0) kill(pid_, SIGKILL);
}

bool child::succeeds() {
  int status = -1;
  if (pid_ <= 0 || waitpid(pid_, &status, 0) != pid_) status = -1;
  pid_ = -1;
  return status == 0;
}

bool child::read_more(const stop_token& stop) {
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

std::string python_that_draws(const stop_token& stop) {
  std::vector<std::string> candidates = {"python3", "/usr/bin/python3"};
  if (const char* named = std::getenv("KTLN2_PYTHON")) candidates = {named};
  for (const std::string& candidate : candidates) {
    // Not a file that happens to lie in the current directory, which comes first in Python's path.
    child trial({candidate, "-B", "-c",
                 "import sys; sys.path.pop(0); import importlib.util as u; "
                 "sys.exit(u.find_spec('matplotlib') is None)"});
    while (trial.line(stop)) {
    }
    if (stop.stop_requested()) trial.end();
    if (trial.succeeds()) return candidate;
  }
  return "";
}

}  // namespace ktln2::paper
