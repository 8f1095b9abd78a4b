#include "ktln2/core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace ktln2 {
namespace {

constexpr unsigned thread_counts[] = {0, 1, 2, 7};

/// Unequal, so that later calls overtake earlier ones.
double some_work(std::size_t i) {
  double x = static_cast<double>(i);
  for (std::size_t k = 0; k < (i % 5) * 2000; ++k) x = std::sqrt(x * x + 1e-9);
  return x;
}

/// How many are inside at once, and the most that ever were.
class crowd {
 public:
  void enter() {
    const int now = ++inside_;
    int most = most_;
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void leave() { --inside_; }
  [[nodiscard]] int most() const { return most_; }

 private:
  std::atomic<int> inside_ = 0;
  std::atomic<int> most_ = 0;
};

TEST(parallel, the_machine_runs_at_least_one_thread) { EXPECT_GE(hardware_threads(), 1U); }

TEST(parallel_for, calls_each_index_once) {
  for (const unsigned threads : thread_counts) {
    for (const std::size_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> calls(count);
      parallel_for(count, threads, [&](std::size_t i) {
        some_work(i);
        ++calls[i];
      });
      EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto& c) { return c == 1; }))
          << threads << " threads, " << count << " indices";
    }
  }
}

TEST(parallel_for, begins_in_ascending_order) {
  for (const unsigned threads : thread_counts) {
    std::mutex guard;
    std::vector<std::size_t> begun;
    parallel_for(500, threads, [&](std::size_t i) {
      {
        const std::lock_guard lock(guard);
        begun.push_back(i);
      }
      some_work(i);
    });
    // Between taking an index and noting it another thread may note its own.
    const std::size_t slack = std::max(threads, hardware_threads());
    for (std::size_t k = 0; k < begun.size(); ++k) {
      EXPECT_LE(begun[k], k + slack) << threads << " threads";
    }
    if (threads == 1) {
      EXPECT_TRUE(std::is_sorted(begun.begin(), begun.end()));
    }
  }
}

TEST(parallel_for, runs_no_more_at_once_than_asked) {
  for (const int threads : {1, 2, 7}) {
    crowd here;
    parallel_for(400, static_cast<unsigned>(threads), [&](std::size_t i) {
      here.enter();
      some_work(i);
      here.leave();
    });
    EXPECT_LE(here.most(), threads);
  }
}

TEST(parallel_for, rethrows_the_first_exception_and_begins_no_more) {
  for (const unsigned threads : thread_counts) {
    std::atomic<int> calls = 0;
    try {
      parallel_for(100'000, threads, [&](std::size_t i) {
        ++calls;
        if (i == 3) throw std::domain_error("three");
        some_work(i);
      });
      FAIL() << "nothing was thrown";
    } catch (const std::domain_error& error) {
      EXPECT_STREQ(error.what(), "three");
    }
    EXPECT_LT(calls, 50'000) << threads << " threads";
  }
}

TEST(parallel_for, may_be_nested) {
  for (const unsigned threads : thread_counts) {
    std::vector<std::vector<double>> rows(20, std::vector<double>(30));
    parallel_for(rows.size(), threads, [&](std::size_t i) {
      parallel_for(rows[i].size(), threads,
                   [&, i](std::size_t k) { rows[i][k] = some_work(i * 30 + k); });
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < rows[i].size(); ++k) {
        ASSERT_EQ(rows[i][k], some_work(i * 30 + k));
      }
    }
  }
}

TEST(parallel_in_order, the_results_come_in_order_for_any_number_of_threads) {
  for (const unsigned threads : thread_counts) {
    for (const std::size_t count : {0, 1, 2, 3000}) {
      std::vector<double> results;
      const std::size_t done = parallel_in_order(count, threads, [&](std::size_t i) {
        return [&results, x = some_work(i)] { results.push_back(x); };
      });
      EXPECT_EQ(done, count);
      ASSERT_EQ(results.size(), count) << threads << " threads";
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(results[i], some_work(i));
    }
  }
}

TEST(parallel_in_order, only_a_bounded_number_waits) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::atomic<int> under_way = 0;
    std::atomic<int> most = 0;
    parallel_in_order(2000, threads, [&](std::size_t i) -> std::function<void()> {
      const int now = ++under_way;
      int before = most;
      while (now > before && !most.compare_exchange_weak(before, now)) {
      }
      if (i % 100 == 0) some_work(4), some_work(4), some_work(4);  // those behind it wait
      return [&] { --under_way; };
    });
    EXPECT_LE(most, 4 * static_cast<int>(threads));
  }
}

TEST(parallel_in_order, runs_no_more_at_once_than_asked) {
  for (const int threads : {1, 2, 7}) {
    crowd working;
    crowd finishing;
    parallel_in_order(400, static_cast<unsigned>(threads),
                      [&](std::size_t i) -> std::function<void()> {
                        working.enter();
                        some_work(i);
                        working.leave();
                        return [&] {
                          finishing.enter();
                          finishing.leave();
                        };
                      });
    EXPECT_LE(working.most(), threads);
    EXPECT_EQ(finishing.most(), 1);
  }
}

TEST(parallel_in_order, a_stop_leaves_no_gap) {
  for (const unsigned threads : thread_counts) {
    std::atomic<bool> flag = false;
    std::vector<std::size_t> results;
    const std::size_t done = parallel_in_order(
        1'000'000, threads,
        [&](std::size_t i) {
          some_work(i);
          if (i == 50) flag = true;
          return [&results, i] { results.push_back(i); };
        },
        stop_token{flag});
    EXPECT_EQ(done, results.size());
    EXPECT_GE(done, 51U) << "what was begun is finished";
    EXPECT_LE(done, 51U + 4 * std::max(threads, hardware_threads()));
    for (std::size_t i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], i);
  }
}

TEST(parallel_in_order, nothing_is_begun_once_stopped) {
  const std::atomic<bool> flag = true;
  const std::size_t done = parallel_in_order(
      10, 2,
      [](std::size_t) -> std::function<void()> {
        ADD_FAILURE() << "begun";
        return [] {};
      },
      stop_token{flag});
  EXPECT_EQ(done, 0U);
}

TEST(parallel_in_order, rethrows_from_the_work_and_from_the_turn) {
  for (const unsigned threads : thread_counts) {
    for (const bool in_turn : {false, true}) {
      std::vector<std::size_t> results;
      const auto run = [&] {
        parallel_in_order(100'000, threads, [&](std::size_t i) -> std::function<void()> {
          if (!in_turn && i == 20) throw std::domain_error("twenty");
          some_work(i);
          return [&results, in_turn, i] {
            if (in_turn && i == 20) throw std::domain_error("twenty");
            results.push_back(i);
          };
        });
      };
      EXPECT_THROW(run(), std::domain_error);
      EXPECT_LE(results.size(), 20U);
      for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i], i);
    }
  }
}

TEST(parallel_in_order, may_be_nested) {
  std::vector<double> sums;
  parallel_in_order(12, 3, [&](std::size_t i) {
    std::vector<double> terms;
    parallel_in_order(40, 2, [&](std::size_t k) {
      return [&terms, x = some_work(i + k)] { terms.push_back(x); };
    });
    return [&sums, sum = std::accumulate(terms.begin(), terms.end(), 0.0)] { sums.push_back(sum); };
  });
  ASSERT_EQ(sums.size(), 12U);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double expected = 0;
    for (std::size_t k = 0; k < 40; ++k) expected += some_work(i + k);
    EXPECT_EQ(sums[i], expected);
  }
}

TEST(parallel_for, works_as_before_after_an_exception) {
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(parallel_for(100, 2,
                              [](std::size_t i) {
                                if (i == 20) throw std::domain_error("20");
                              }),
                 std::domain_error);
    std::atomic<int> calls = 0;
    parallel_for(100, 2, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls, 100);
  }
}

}  // namespace
}  // namespace ktln2
