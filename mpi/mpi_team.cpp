#include "mpi_team.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <queue>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace ktln2::cli {
namespace {

// A message is either an order, {index, begin, end} of a block (begin = end: go home), or its
// rows, which begin with the index of the block. A maker that throws sends what it threw.
enum tag : int { order_tag = 1, rows_tag, failure_tag };

using order = std::array<std::uint64_t, 3>;

/// How long somebody waits who has nothing to do but to look for messages. MPI's own waiting would
/// take a whole core from those who work.
constexpr std::chrono::microseconds pause{200};

void send_order(int rank, const order& what) {
  MPI_Send(what.data(), 3, MPI_UINT64_T, rank, order_tag, MPI_COMM_WORLD);
}

/// Waits for a message without taking a core.
MPI_Status next_message(int from) {
  MPI_Status status;
  for (int is_there = 0;;) {
    MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    if (is_there != 0) return status;
    std::this_thread::sleep_for(pause);
  }
}

/// Sends rows, or what was thrown instead. The next block is begun while they are still on their
/// way.
class sender {
 public:
  sender() = default;
  ~sender() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  sender(const sender&) = delete;
  sender& operator=(const sender&) = delete;
  sender(sender&&) = delete;
  sender& operator=(sender&&) = delete;

  void send(int tag, std::uint64_t index, const std::string& text) {
    if (text.size() > std::size_t{1} << 30U)
      throw std::runtime_error("a block of rows is too long");
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    bytes_.assign(sizeof index, '\0');
    std::copy_n(reinterpret_cast<const char*>(&index), sizeof index, bytes_.begin());  // NOLINT
    bytes_ += text;
    MPI_Isend(bytes_.data(), static_cast<int>(bytes_.size()), MPI_BYTE, 0, tag, MPI_COMM_WORLD,
              &request_);
  }

 private:
  std::string bytes_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// What process 0 works on itself, in a thread, so that its ears stay open.
class own_worker {
 public:
  explicit own_worker(const row_maker& make) : thread_{[this, &make] { work(make); }} {}
  ~own_worker() {
    {
      const std::lock_guard lock{mutex_};
      is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  own_worker(const own_worker&) = delete;
  own_worker& operator=(const own_worker&) = delete;
  own_worker(own_worker&&) = delete;
  own_worker& operator=(own_worker&&) = delete;

  struct result {
    std::uint64_t index;
    std::string rows;
    std::exception_ptr failure;
  };

  void give(const order& what) {
    {
      const std::lock_guard lock{mutex_};
      orders_.push(what);
    }
    changed_.notify_one();
  }
  std::optional<result> take() {
    const std::lock_guard lock{mutex_};
    if (results_.empty()) return {};
    result oldest = std::move(results_.front());
    results_.pop();
    return oldest;
  }

 private:
  void work(const row_maker& make) {
    for (;;) {
      order mine{};
      {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return is_over_ || !orders_.empty(); });
        if (is_over_) return;
        mine = orders_.front();
        orders_.pop();
      }
      result made{mine[0], {}, nullptr};
      try {
        made.rows = make(mine[1], mine[2]);
      } catch (...) {
        made.failure = std::current_exception();
      }
      const std::lock_guard lock{mutex_};
      results_.push(std::move(made));
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<order> orders_;
  std::queue<result> results_;
  bool is_over_ = false;
  std::thread thread_;  // the last member: it uses the others
};

/// Hands out blocks and puts their rows in order.
class writer {
 public:
  writer(const row_range& rows, const row_maker& make, const row_taker& take,
         const stop_token& stop, int size)
      : rows_{rows}, take_{take}, stop_{stop}, own_{make}, load_(static_cast<std::size_t>(size)) {}

  void run() {
    while (taken_ < handed_out_ || has_more()) {
      hand_out();
      const bool own = hear_own();
      const bool others = hear_others();
      if (!own && !others) std::this_thread::sleep_for(pause);
    }
  }

  /// The others still work on what they were given: it has to be fetched before they go home.
  void drain() {
    while (std::any_of(load_.begin() + 1, load_.end(), [](int blocks) { return blocks > 0; })) {
      if (!hear_others()) std::this_thread::sleep_for(pause);
    }
  }

 private:
  [[nodiscard]] bool has_more() const {
    return handed_out_ < rows_.blocks() && !failed_ && !stop_.stop_requested();
  }
  /// Behind a slow block only so many others may wait for their turn.
  [[nodiscard]] bool has_room() const { return handed_out_ - taken_ < 64 * load_.size(); }
  order next_order() {
    const std::uint64_t i = handed_out_++;
    return {i, rows_.begin_of(i), rows_.end_of(i)};
  }
  /// Two at once for each, so that nobody waits for the next one.
  void hand_out() {
    for (const int wanted : {1, 2}) {
      for (std::size_t rank = 0; rank < load_.size(); ++rank) {
        if (load_[rank] >= wanted || !has_more() || !has_room()) continue;
        if (rank == 0) {
          own_.give(next_order());
        } else {
          send_order(static_cast<int>(rank), next_order());
        }
        ++load_[rank];
      }
    }
  }

  bool hear_others() {
    MPI_Status status;
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return false;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    --load_[static_cast<std::size_t>(status.MPI_SOURCE)];
    std::uint64_t index = 0;
    std::copy_n(bytes.begin(), sizeof index, reinterpret_cast<char*>(&index));  // NOLINT
    bytes.erase(0, sizeof index);
    if (status.MPI_TAG == failure_tag) {
      arrived(index, {}, std::make_exception_ptr(std::runtime_error(bytes)));
    } else {
      arrived(index, std::move(bytes), nullptr);
    }
    return true;
  }

  bool hear_own() {
    auto made = own_.take();
    if (!made) return false;
    --load_[0];
    arrived(made->index, std::move(made->rows), made->failure);
    return true;
  }

  /// Takes all blocks whose turn has come.
  void arrived(std::uint64_t index, std::string rows, std::exception_ptr failure) {
    waiting_[index] = {std::move(rows), std::move(failure)};
    for (auto next = waiting_.find(taken_); next != waiting_.end(); next = waiting_.find(taken_)) {
      const auto [bytes, problem] = std::move(next->second);
      waiting_.erase(next);
      ++taken_;
      if (failed_) continue;
      failed_ = true;  // should the next line throw
      if (problem) std::rethrow_exception(problem);
      take_(bytes);
      failed_ = false;
    }
  }

  const row_range rows_;
  const row_taker& take_;
  const stop_token stop_;
  own_worker own_;
  std::uint64_t handed_out_ = 0;
  std::uint64_t taken_ = 0;
  std::vector<int> load_;  ///< blocks that each process has
  bool failed_ = false;
  std::map<std::uint64_t, std::pair<std::string, std::exception_ptr>> waiting_;
};

}  // namespace

mpi_team::mpi_team() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

void mpi_team::run(const row_range& rows, const row_maker& make, const row_taker& take,
                   const stop_token& stop) {
  if (!writes()) return serve(make);
  std::exception_ptr problem;
  {
    writer all{rows, make, take, stop, size_};
    try {
      all.run();
    } catch (...) {
      problem = std::current_exception();
    }
    all.drain();
  }
  send_home();
  if (problem) std::rethrow_exception(problem);
}

void mpi_team::send_home() {
  for (int rank = 1; rank < size_ && !is_over_; ++rank) send_order(rank, {});
  is_over_ = true;
}

void mpi_team::leave() {
  if (writes()) return send_home();
  if (is_over_) return;
  serve([](std::uint64_t, std::uint64_t) -> std::string {
    throw std::runtime_error("one of the processes failed");
  });
}

/// Works on blocks until there are none.
void mpi_team::serve(const row_maker& make) {
  sender reply;
  while (!is_over_) {
    (void)next_message(0);
    order mine{};
    MPI_Recv(mine.data(), 3, MPI_UINT64_T, 0, order_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    is_over_ = mine[1] == mine[2];
    if (is_over_) return;
    std::string rows;
    try {
      rows = make(mine[1], mine[2]);
    } catch (const std::exception& failure) {
      reply.send(failure_tag, mine[0], failure.what());
      continue;
    }
    reply.send(rows_tag, mine[0], rows);
  }
}

}  // namespace ktln2::cli
