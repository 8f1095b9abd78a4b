#include "progress.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

namespace ktln2::cli {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<int> by_signal = 0;
// A signal handler may set them.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void interrupt(int signal) {
  by_signal.store(signal);
  interrupted.store(true);
}

/// A thread to which no signal comes: they go on to come to those that work, and interrupt what
/// these wait for. None where there is none to be had.
std::thread deaf_thread(std::function<void()> work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread made;
  try {
    made = std::thread(std::move(work));
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

/// The columns of the terminal behind stderr.
std::size_t columns_of_terminal() {
  winsize size{};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

}  // namespace

interrupt_guard::interrupt_guard(std::function<void()> last_words,
                                 std::chrono::milliseconds patience)
    : last_words_{std::move(last_words)}, patience_{patience} {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) {
    handled_.push_back({signal, {}});
    sigaction(signal, &action, &handled_.back().before);
  }
  // Without the thread the work has to hear by itself.
  watcher_ = deaf_thread([this] { watch(); });
}

interrupt_guard::~interrupt_guard() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  for (const handled& one : handled_) sigaction(one.signal, &one.before, nullptr);
}

void interrupt_guard::watch() {
  using namespace std::chrono_literals;
  const auto is_over = [this] { return is_over_; };
  std::unique_lock lock(mutex_);
  while (!interrupted.load()) {
    if (ended_.wait_for(lock, 20ms, is_over)) return;
  }
  if (ended_.wait_for(lock, patience_, is_over)) return;
  say_last_words();
  std::_Exit(interrupted_work::status());
}

/// By another thread, which may wait for ever: for one who writes, or for one who does not read.
void interrupt_guard::say_last_words() {
  using namespace std::chrono_literals;
  const auto spoken = std::make_shared<std::promise<void>>();
  std::thread speaker = deaf_thread([this, spoken] {
    writing_.lock();  // for good: nothing comes after them
    last_words_();
    std::fflush(nullptr);
    spoken->set_value();
  });
  if (!speaker.joinable()) return;
  speaker.detach();
  spoken->get_future().wait_for(100ms);
}

bool takes_more(int descriptor) {
  pollfd asked{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return poll(&asked, 1, 0) > 0;
}

int interrupt_guard::signal() { return by_signal.load(); }

const std::atomic<bool>& interrupt_guard::flag() { return interrupted; }

progress_bar::progress_bar() {
  if (isatty(STDERR_FILENO) != 0) ticker_ = deaf_thread([this] { tick(); });
}

progress_bar::~progress_bar() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (ticker_.joinable()) ticker_.join();
  erase();
}

void progress_bar::tick() {
  using namespace std::chrono_literals;
  const auto is_over = [this] { return is_over_; };
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, 200ms, is_over)) {
    if (clock::now() - start_ >= 1s || is_shown_) write();
  }
}

void progress_bar::write() {
  const double elapsed = std::chrono::duration<double>(clock::now() - start_).count();
  std::string line;
  std::size_t width = 0;
  if (share_ > 0) {
    for (int i = 0; i < 30; ++i) line += i < static_cast<int>(share_ * 30) ? "█" : "·";
    const std::string rest =
        fmt::format(" {:3.0f} %   {:.0f} s left", 100 * share_, elapsed * (1 - share_) / share_);
    width = 30 + rest.size();
    line += rest;
  } else {
    line = fmt::format("{:.0f} s ...", elapsed);
    width = line.size();
  }
  // A line that is broken in two could not be erased.
  const std::size_t room = columns_of_terminal();
  if (!what_.empty() && width + 3 + what_.size() < room) line += "   " + what_;
  fmt::print(stderr, "\r\x1b[K{}", line);
  is_shown_ = true;
}

void progress_bar::erase() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
  is_shown_ = false;
}

void progress_bar::show(double share, const std::string& what) {
  const std::lock_guard lock(mutex_);
  share_ = share;
  what_ = what;
}

void progress_bar::restart() {
  const std::lock_guard lock(mutex_);
  start_ = clock::now();
  share_ = 0;
  what_.clear();
}

std::unique_lock<std::mutex> progress_bar::hidden() {
  std::unique_lock lock(mutex_);
  erase();
  return lock;
}

at_work::at_work(const std::string& command)
    : at_work([command] { fmt::print(stderr, "ktln2: {}: interrupted\n", command); }) {}

at_work::at_work(std::function<void()> last_words, std::chrono::milliseconds patience) {
  const auto say = [this, told = std::move(last_words)] {
    const auto quiet = bar_.hidden();
    told();
  };
  guard_.emplace(say, patience);
}

}  // namespace ktln2::cli
