#include "progress.hpp"

#include <fmt/format.h>
#include <poll.h>
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

}  // namespace

interrupt_guard::interrupt_guard(std::function<void()> last_words, const std::vector<int>& signals)
    : last_words_{std::move(last_words)} {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : signals) {
    handled_.push_back({signal, {}});
    sigaction(signal, &action, &handled_.back().before);
  }
  // Signals go on to come to the threads that work: they interrupt what those wait for.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // no thread to be had: then the work has to hear by itself
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
  if (ended_.wait_for(lock, 100ms, is_over)) return;
  say_last_words();
  std::_Exit(interrupted_work::status());
}

/// By another thread, which may wait for ever: for one who writes, or for one who does not read.
void interrupt_guard::say_last_words() {
  using namespace std::chrono_literals;
  const auto spoken = std::make_shared<std::promise<void>>();
  try {
    std::thread([this, spoken] {
      writing_.lock();  // for good: nothing comes after them
      last_words_();
      std::fflush(nullptr);
      spoken->set_value();
    }).detach();
  } catch (const std::system_error&) {
    return;
  }
  spoken->get_future().wait_for(100ms);
}

bool takes_more(int descriptor) {
  pollfd asked{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return poll(&asked, 1, 0) > 0;
}

int interrupt_guard::signal() { return by_signal.load(); }

const std::atomic<bool>& interrupt_guard::flag() { return interrupted; }

progress_bar::progress_bar() : is_on_terminal_{isatty(STDERR_FILENO) != 0} {}

progress_bar::~progress_bar() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
}

void progress_bar::show(double share, const std::string& what) {
  const auto now = clock::now();
  if (!is_on_terminal_ || now < next_ || !(share > 0)) return;
  next_ = now + std::chrono::milliseconds(200);
  is_shown_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string bar;
  for (int i = 0; i < 30; ++i) bar += i < static_cast<int>(share * 30) ? "█" : "·";
  fmt::print(stderr, "\r\x1b[K{} {:3.0f} %   {:.0f} s left   {}", bar, 100 * share,
             elapsed * (1 - share) / share, what);
}

void progress_bar::restart() {
  start_ = clock::now();
  next_ = start_;
}

}  // namespace ktln2::cli
