// What Ctrl-C does to commands that are at work: they end soon, with the status of that signal.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace std::chrono_literals;
using program::json;

/// Interrupts a command when it is ready, and waits for its end.
template <class Ready>
program::outcome interrupted(const program::process& started, const Ready& is_ready) {
  while (!started.is_over() && !is_ready()) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(started.is_over()) << "too quick to be interrupted";
  const auto start = std::chrono::steady_clock::now();
  started.interrupt();
  while (!started.is_over() && std::chrono::steady_clock::now() - start < 10s) {
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, program::soon);
  if (!started.is_over()) started.signal(SIGKILL);
  return started.wait();
}

/// When it has used a second of the processor.
program::outcome interrupted(const std::string& line) {
  SCOPED_TRACE(line);
  const program::process started(program::words(line));
  return interrupted(started, [&] { return started.time_at_work() >= 1s; });
}

/// A pipe with a name, open at both ends for as long as it lives, and as short as can be.
class named_pipe {
 public:
  explicit named_pipe(std::string path) : path_{std::move(path)} {
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
    descriptor_ = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    room_ = fcntl(descriptor_, F_SETPIPE_SZ, 4096);
    EXPECT_GT(room_, 0);
  }
  ~named_pipe() { close(descriptor_); }
  named_pipe(const named_pipe&) = delete;
  named_pipe& operator=(const named_pipe&) = delete;
  named_pipe(named_pipe&&) = delete;
  named_pipe& operator=(named_pipe&&) = delete;

  [[nodiscard]] const char* path() const { return path_.c_str(); }
  void put(std::string_view text) const {
    EXPECT_EQ(write(descriptor_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] int waiting() const {
    int bytes = 0;
    ioctl(descriptor_, FIONREAD, &bytes);
    return bytes;
  }
  [[nodiscard]] bool is_empty() const { return waiting() == 0; }
  [[nodiscard]] bool is_full() const { return waiting() >= room_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  int room_ = 0;
};

TEST(interrupt, ends_a_figure_of_the_paper) {
  for (const char* what :
       {"fig:MMC_SGD --set fig:MMC_SGD.points=1000",
        "fig:profit_ex --set fig:profit_ex.w=1e9 --set fig:profit_ex.points=100000"}) {
    const scratch folder;
    const program::outcome result =
        interrupted(std::string("paper --only ") + what + " --out " + folder.path("out"));
    EXPECT_EQ(result.status, 130);
    EXPECT_TRUE(program::has(result.err, "ktln2: paper: interrupted; what is finished is kept"));
  }
}

TEST(interrupt, ends_a_search_inside_a_row_of_a_sweep) {
  for (const char* line :
       {"mismatch sgd p8e8 --law exact --over w=1,2,3", "mismatch islands p5e5 --over w=1,2,3",
        "entropy p24e8 sgd:steps=1000,batch=1,law=exact --over eta=0.1:0.3:40"}) {
    const program::outcome result = interrupted(std::string("sweep ") + line);
    EXPECT_EQ(result.status, 130) << line;
  }
  const program::outcome whole = interrupted(
      "sweep entropy p24e8 sgd:steps=1000,batch=1,law=exact --json --over eta=0.1:0.3:40");
  EXPECT_EQ(json::parse(whole.out).at("warnings"), json::array({"interrupted"}));
}

TEST(interrupt, ends_rows_that_nobody_reads) {
  for (const char* style : {"", " --json"}) {
    SCOPED_TRACE(style);
    const scratch folder;
    const named_pipe out{folder.path("pipe")};
    const std::string line = "sweep entropy p24e8 normal --over sigma=1e-9:1e6:100000:log";
    const program::process started(program::words(line + style), out.path());
    EXPECT_EQ(interrupted(started, [&] { return out.is_full(); }).status, 130);
  }
}

TEST(interrupt, ends_the_wait_for_standard_input) {
  for (const char* line :
       {"measure - --dtype bfloat16", "quantize p8e8 -", "fit - --x 1 --y 2", "measure -"}) {
    SCOPED_TRACE(line);
    const scratch folder;
    const named_pipe in{folder.path("pipe")};
    in.put("1,2\n");
    const program::process started(program::words(line), nullptr, in.path());
    // It has taken what there was, and waits for more.
    const program::outcome result = interrupted(started, [&] { return in.is_empty(); });
    EXPECT_TRUE(result.status == 130 || result.status == -1) << result.status;  // by the signal
    EXPECT_EQ(result.out, "");
  }
}

TEST(interrupt, ends_trials_that_take_long) {
  const program::outcome result =
      interrupted("simulate sgd p8e8 --steps 1e6 --trials 1e4 --arithmetic format --threads 1");
  EXPECT_EQ(result.status, 130);
}

}  // namespace
