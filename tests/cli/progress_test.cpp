// What a terminal sees of commands that take long, and how it ends them.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include <array>
#include <functional>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::outcome;

/// A program whose stdin, stdout and stderr are a terminal.
class on_terminal {
 public:
  explicit on_terminal(const std::string& line) {
    program::arguments words = program::words(line);
    std::string name = KTLN2_PROGRAM;
    std::vector<char*> argv{name.data()};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    child_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (child_ == 0) {
      execv(name.c_str(), argv.data());
      _exit(127);
    }
  }
  ~on_terminal() { close(terminal_); }
  on_terminal(const on_terminal&) = delete;
  on_terminal& operator=(const on_terminal&) = delete;
  on_terminal(on_terminal&&) = delete;
  on_terminal& operator=(on_terminal&&) = delete;

  /// Reads until the text has come, or the program is over.
  bool waits_for(const std::string& text) {
    while (seen_.find(text) == std::string::npos) {
      if (!read_some()) return false;
    }
    return true;
  }
  void type(char key) const { EXPECT_EQ(write(terminal_, &key, 1), 1); }
  void signal(int which) const { kill(child_, which); }
  /// Reads on to the end: the exit status.
  int ends() {
    while (read_some()) {
    }
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  bool read_some() {
    pollfd source{terminal_, POLLIN, 0};
    if (poll(&source, 1, 60'000) <= 0) return false;
    std::array<char, 4096> some{};
    const ssize_t count = read(terminal_, some.data(), some.size());
    if (count > 0) seen_.append(some.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string seen_;
};

/// What the lines of the terminal show in the end, when all that was erased is gone.
std::string left_over(const std::string& seen) {
  std::string shown;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen.compare(i, 4, "\r\x1b[K") == 0) {
      shown.erase(shown.rfind('\n') + 1);  // npos + 1 is 0
      i += 3;
    } else {
      shown += seen[i];
    }
  }
  return shown;
}

TEST(progress, shows_the_time_of_what_takes_long_and_erases_it) {
  on_terminal run{"mismatch exact p3e4 --constant 500 --landscape 40"};
  EXPECT_TRUE(run.waits_for(" s ..."));
  EXPECT_EQ(run.ends(), 0);
  const std::string left = left_over(run.seen());
  EXPECT_EQ(left.find(" s ..."), std::string::npos) << left;
  EXPECT_EQ(left.find("Variational mismatch cost"), 0U) << left;
}

TEST(progress, shows_the_share_where_it_is_known) {
  on_terminal run{"sweep cost sgd p8e8 --over steps=1:200:400"};
  EXPECT_TRUE(run.waits_for("of 400 rows"));
  run.type('\x03');
  EXPECT_EQ(run.ends(), 130);
  for (const std::string& row : program::lines(left_over(run.seen()))) {
    EXPECT_EQ(row.find("·"), std::string::npos) << row;
  }
}

TEST(progress, is_silent_for_what_is_quick_and_where_no_terminal_is) {
  on_terminal quick{"entropy p8e5 normal"};
  EXPECT_EQ(quick.ends(), 0);
  EXPECT_EQ(quick.seen().find('\x1b'), std::string::npos);
  EXPECT_EQ(program::run("mismatch exact p8e8 --constant 500").err, "");
}

/// Whatever it is that takes long. One signal goes the way of the other, which the first one shows.
TEST(progress_campaign, ends_at_once) {
  const scratch folder;
  const std::string endless = folder.file("endless.f32", "");
  std::filesystem::resize_file(endless, std::uintmax_t{1} << 42U);   // sparse
  const std::string slow = "sgd:steps=1e5,batch=1,law=exact,eta=1";  // already to be read
  std::string sizes;
  for (int n = 100'000; n < 600'000; n += 10'000) sizes += " " + std::to_string(n);
  std::vector<std::string> all{
      "mismatch exact p3e4 --landscape 500",
      "mismatch sgd p8e8 --law exact --landscape 50",
      "mismatch islands p5e5",
      "entropy p24e8 mixture:1@" + slow + "/1@" + slow + "/1@" + slow,
      "scaling sgd p8e8 --law exact --energy-price 1e10 --inference-price 10 --at" + sizes,
      "simulate sgd p8e8 --steps 1e6 --trials 1e4 --arithmetic format",
      "cost streaming p4e3 --n 5000",
      "measure " + endless + " --kind raw --dtype F32"};
  if (KTLN2_HAS_CERTIFICATE) all.emplace_back("entropy p64e15 slope:n=3 --certify --bits");
  for (const std::string& line : all) {
    for (const int signal : {SIGINT, SIGTERM}) {
      if (signal == SIGTERM && line != all.front()) continue;
      SCOPED_TRACE(line);
      on_terminal run{line};
      if (!run.waits_for("\r\x1b[K")) {
        ADD_FAILURE() << "too quick to be interrupted: " << run.seen();
        continue;
      }
      const auto start = std::chrono::steady_clock::now();
      if (signal == SIGINT) {
        run.type('\x03');
      } else {
        run.signal(signal);
      }
      EXPECT_EQ(run.ends(), 128 + signal);
      EXPECT_LT(std::chrono::steady_clock::now() - start, program::soon);
      EXPECT_TRUE(program::has(left_over(run.seen()), "interrupted")) << run.seen();
    }
  }
}

}  // namespace
