#include "ktln2/simulation/trial.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/format/number_quantize.hpp"
#include "ktln2/format/value_steps.hpp"
#include "ktln2/simulation/normal_pairs.hpp"

namespace ktln2::simulation {
namespace {

constexpr std::size_t max_tile = 256;
/// Loops over trials go in steps of a fixed length, which the compiler turns into vector code.
constexpr std::size_t step = 16;
/// Numbers drawn between two looks at the clock of the caller.
constexpr std::uint64_t points_per_report = std::uint64_t{1} << 20;

constexpr std::uint64_t max_count = 1'000'000'000'000'000;
/// Squares and products of data within these bounds stay far inside of double's range.
constexpr double largest_scale = 1e100;
constexpr double smallest_scale = 1e-100;

void require_count(const char* where, const char* name, std::uint64_t value, std::uint64_t high) {
  if (value < 1 || value > high) {
    throw std::domain_error(std::string(where) + ": " + name + " must be from 1 to " +
                            std::to_string(high) + ", got " + std::to_string(value));
  }
}

/// `or_else` names what the caller takes, too.
void require_scale(const char* where, const char* name, double value, const char* or_else = "") {
  if (!(value >= smallest_scale && value <= largest_scale)) {
    throw std::domain_error(std::string(where) + ": " + name + " must be " + or_else +
                            "from 1e-100 to 1e100, got " + shown(value));
  }
}

void require_location(const char* where, const char* name, double value) {
  if (!(std::fabs(value) <= largest_scale)) {
    throw std::domain_error(std::string(where) + ": " + name +
                            " must be from -1e100 to 1e100, got " + shown(value));
  }
}

void check_model(const char* where, const linear_model& model) {
  require_location(where, "w", model.w);
  require_scale(where, "sigma_x", model.sigma_x);
  require_scale(where, "sigma_xi", model.sigma_xi);
}

void check_one(const slope_trial& t) {
  require_count("slope", "n", t.n, max_count);
  check_model("slope", t.model);
}

/// A whole number, once it is checked.
std::uint64_t batch_of(const sgd_trial& t) { return static_cast<std::uint64_t>(t.how.batch); }

void check_one(const sgd_trial& t) {
  require_count("sgd", "steps", t.steps, max_count);
  if (!(t.how.batch >= 0 && t.how.batch <= 1e18 && t.how.batch == std::floor(t.how.batch))) {
    throw std::domain_error("sgd: batch must be a whole number from 1 to " +
                            std::to_string(max_count) + ", got " + shown(t.how.batch));
  }
  require_count("sgd", "batch", batch_of(t), max_count);
  if (t.steps > max_count / batch_of(t)) {
    throw std::domain_error("sgd: steps times batch must be at most " + std::to_string(max_count) +
                            ", got " + std::to_string(t.steps) + " times " +
                            std::to_string(batch_of(t)));
  }
  require_scale("sgd", "eta", t.how.eta);
  require_location("sgd", "w0", t.how.w0);
  if (t.how.w0_sigma != 0) require_scale("sgd", "w0_sigma", t.how.w0_sigma, "0 or ");
  check_model("sgd", t.model);
}

void check_one(const average_trial& t) {
  require_count("average", "n", t.n, max_count);
  require_location("average", "mu", t.mu);
  require_scale("average", "sigma", t.sigma);
}

std::uint64_t points_of(const slope_trial& t) { return t.n; }
std::uint64_t points_of(const sgd_trial& t) {
  return t.steps * batch_of(t) + (t.how.has_random_start() ? 1 : 0);
}
std::uint64_t points_of(const average_trial& t) { return t.n / 2 + t.n % 2; }

/// The arithmetic of a format: its quantizer, by a table where arrays would go one by one and the
/// work is worth it.
class rounder {
 public:
  rounder(storage where, double points) : where_{std::move(where)} {
    const auto* const number = where_.number();
    if (number == nullptr || has_array_kernel(number->format, number->rule)) return;
    has_nan_ = number->format.nan_code().has_value();
    const double most = std::fmin(points, value_steps::most_in_table);
    steps_ = value_steps::of(number->format, number->rule, most);
  }

  void operator()(std::span<double> numbers) const {
    const auto is_nan = [](double x) { return std::isnan(x); };
    const bool is_refused = !has_nan_ && std::any_of(numbers.begin(), numbers.end(), is_nan);
    if (!steps_ || is_refused) return one_by_one(numbers);
    steps_->store(numbers);
  }

 private:
  void one_by_one(std::span<double> numbers) const {
    if (where_.ideal() != nullptr) return quantize_values(*where_.ideal(), numbers, numbers);
    quantize_values(where_.number()->format, numbers, numbers, where_.number()->rule);
  }

  storage where_;
  std::optional<value_steps> steps_;
  bool has_nan_ = false;
};

/// Double's rounding before that of the arithmetic is harmless up to p = 26, and every result of an
/// operation is in double's range.
void check_arithmetic(const storage& where) {
  require_in_range("simulate: arithmetic", "p", where.p(), 1, 26);
  if (where.ideal() != nullptr) {
    require_in_range("simulate: arithmetic", "E", where.ideal()->exponent_bits(), 1, 10);
    return;
  }
  const number_format& format = where.number()->format;
  if (format.max().exponent() < 512 && format.min_positive().exponent() > -512) return;
  throw std::domain_error("simulate: arithmetic in " + format.name() +
                          ": expected numbers within 2^-511 and 2^511");
}

/// What the threads share.
class shared_work {
 public:
  shared_work(double total, const std::function<bool(double)>& progress)
      : total_{total}, progress_{progress} {}

  /// Returns whether to go on.
  bool report(std::uint64_t points) {
    const std::uint64_t done = done_.fetch_add(points) + points;
    if (progress_) {
      const std::unique_lock lock(mutex_, std::try_to_lock);
      if (lock.owns_lock() && !stopped_ && !progress_(static_cast<double>(done) / total_)) stop();
    }
    return !stopped_;
  }
  void stop() { stopped_ = true; }
  [[nodiscard]] stop_token token() const { return stop_token{stopped_}; }

 private:
  double total_;
  const std::function<bool(double)>& progress_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> stopped_ = false;
};

/// The numbers of up to 256 trials that run in step. Arrays of a fixed length in one struct: the
/// compiler knows that they do not overlap.
struct lanes {
  using numbers = double[max_tile];
  alignas(64) numbers x;
  alignas(64) numbers y;
  alignas(64) numbers product;
  alignas(64) numbers sxx;
  alignas(64) numbers sxy;
  alignas(64) numbers result;
};

/// One thread's tile of trials.
class tile {
 public:
  tile(const normal_pairs& normals, const std::optional<rounder>& format, shared_work& work)
      : normals_{normals}, format_{format}, work_{work} {}

  /// Runs the trials `first` … `first + count - 1`; false if it was stopped.
  template <class Trial>
  bool run(const Trial& what, std::uint64_t first, std::size_t count) {
    first_ = first;
    count_ = count;
    padded_ = (count + step - 1) / step * step;
    return format_ ? compute_rounded(what) : compute(what);
  }
  [[nodiscard]] std::span<const double> results() const { return {a_.result, count_}; }

 private:
  /// op(i) for every trial, and for some more up to a multiple of `step`.
  template <class Operation>
  void each(Operation op) {
    for (std::size_t i = 0; i < padded_; i += step) {
      for (std::size_t j = 0; j < step; ++j) op(i + j);
    }
  }
  void round(double* numbers) { (*format_)({numbers, padded_}); }

  /// The pair of normals with that index; false if it is time to stop.
  bool draw(std::uint64_t index) {
    normals_.fill(first_, index, {a_.x, padded_}, {a_.y, padded_});
    unreported_ += count_;
    if (unreported_ < points_per_report) return true;
    return work_.report(std::exchange(unreported_, 0));
  }
  bool draw_point(const linear_model& from, std::uint64_t index) {
    if (!draw(index)) return false;
    each([&](std::size_t i) {
      a_.x[i] *= from.sigma_x;
      a_.y[i] = from.w * a_.x[i] + from.sigma_xi * a_.y[i];
    });
    return true;
  }

  bool compute(const slope_trial& t) {
    each([&](std::size_t i) { a_.sxx[i] = a_.sxy[i] = 0; });
    for (std::uint64_t k = 0; k < t.n; ++k) {
      if (!draw_point(t.model, k)) return false;
      each([&](std::size_t i) {
        a_.sxx[i] += a_.x[i] * a_.x[i];
        a_.sxy[i] += a_.x[i] * a_.y[i];
      });
    }
    each([&](std::size_t i) { a_.result[i] = a_.sxy[i] / a_.sxx[i]; });
    return true;
  }

  /// The pair after those of all points is the start's.
  bool draw_start(const sgd_trial& t) {
    each([&](std::size_t i) { a_.result[i] = t.how.w0; });
    if (!t.how.has_random_start()) return true;
    if (!draw(t.steps * batch_of(t))) return false;
    each([&](std::size_t i) { a_.result[i] += t.how.w0_sigma * a_.x[i]; });
    return true;
  }

  bool compute(const sgd_trial& t) {
    const double rate = t.how.eta / t.how.batch;
    const std::uint64_t batch = batch_of(t);
    if (!draw_start(t)) return false;
    std::uint64_t index = 0;
    for (std::uint64_t k = 0; k < t.steps; ++k) {
      each([&](std::size_t i) { a_.sxx[i] = a_.sxy[i] = 0; });
      for (std::uint64_t b = 0; b < batch; ++b, ++index) {
        if (!draw_point(t.model, index)) return false;
        each([&](std::size_t i) {
          a_.sxx[i] += a_.x[i] * a_.x[i];
          a_.sxy[i] += a_.x[i] * a_.y[i];
        });
      }
      // ŵ - (η/B)(ŵ S_xx - S_xy), with the terms in ŵ together: an infinite ŵ stays infinite.
      each([&](std::size_t i) {
        a_.result[i] = a_.result[i] * (1 - rate * a_.sxx[i]) + rate * a_.sxy[i];
      });
    }
    return true;
  }

  bool compute(const average_trial& t) {
    each([&](std::size_t i) { a_.sxy[i] = 0; });
    for (std::uint64_t k = 0; k < t.n; k += 2) {
      if (!draw(k / 2)) return false;
      each([&](std::size_t i) { a_.sxy[i] += t.mu + t.sigma * a_.x[i]; });
      if (k + 1 < t.n) each([&](std::size_t i) { a_.sxy[i] += t.mu + t.sigma * a_.y[i]; });
    }
    const double divisor = t.sum ? 1 : static_cast<double>(t.n);
    each([&](std::size_t i) { a_.result[i] = a_.sxy[i] / divisor; });
    return true;
  }

  bool draw_rounded_point(const linear_model& from, std::uint64_t index) {
    if (!draw_point(from, index)) return false;
    round(a_.x);
    round(a_.y);
    return true;
  }
  /// sum ← Q(sum + Q(term)), or just Q(term) for the first.
  template <class Term>
  void add_rounded(double* sum, bool is_first, Term term) {
    each([&](std::size_t i) { a_.product[i] = term(i); });
    round(a_.product);
    if (is_first) {
      std::copy_n(a_.product, padded_, sum);
    } else {
      each([&](std::size_t i) { sum[i] += a_.product[i]; });
      round(sum);
    }
  }
  [[nodiscard]] double rounded(double x) const {
    (*format_)({&x, 1});
    return x;
  }

  bool compute_rounded(const slope_trial& t) {
    for (std::uint64_t k = 0; k < t.n; ++k) {
      if (!draw_rounded_point(t.model, k)) return false;
      add_rounded(a_.sxx, k == 0, [&](std::size_t i) { return a_.x[i] * a_.x[i]; });
      add_rounded(a_.sxy, k == 0, [&](std::size_t i) { return a_.x[i] * a_.y[i]; });
    }
    each([&](std::size_t i) { a_.result[i] = a_.sxy[i] / a_.sxx[i]; });
    round(a_.result);
    return true;
  }

  bool compute_rounded(const sgd_trial& t) {
    const double rate = rounded(t.how.eta / t.how.batch);
    const std::uint64_t batch = batch_of(t);
    if (!draw_start(t)) return false;
    round(a_.result);
    std::uint64_t index = 0;
    for (std::uint64_t k = 0; k < t.steps; ++k) {
      for (std::uint64_t b = 0; b < batch; ++b, ++index) {
        if (!draw_rounded_point(t.model, index)) return false;
        each([&](std::size_t i) { a_.sxx[i] = a_.result[i] * a_.x[i]; });
        round(a_.sxx);
        each([&](std::size_t i) { a_.sxx[i] -= a_.y[i]; });
        round(a_.sxx);
        add_rounded(a_.sxy, b == 0, [&](std::size_t i) { return a_.sxx[i] * a_.x[i]; });
      }
      each([&](std::size_t i) { a_.product[i] = rate * a_.sxy[i]; });
      round(a_.product);
      each([&](std::size_t i) { a_.result[i] -= a_.product[i]; });
      round(a_.result);
    }
    return true;
  }

  bool compute_rounded(const average_trial& t) {
    for (std::uint64_t k = 0; k < t.n; k += 2) {
      if (!draw(k / 2)) return false;
      add_rounded(a_.sxy, k == 0, [&](std::size_t i) { return t.mu + t.sigma * a_.x[i]; });
      if (k + 1 < t.n) {
        add_rounded(a_.sxy, false, [&](std::size_t i) { return t.mu + t.sigma * a_.y[i]; });
      }
    }
    const double divisor = t.sum ? 1 : rounded(static_cast<double>(t.n));
    each([&](std::size_t i) { a_.result[i] = a_.sxy[i] / divisor; });
    if (!t.sum) round(a_.result);
    return true;
  }

  lanes a_{};
  normal_pairs normals_;
  const std::optional<rounder>& format_;
  shared_work& work_;
  std::uint64_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t padded_ = 0;
  std::uint64_t unreported_ = 0;
};

/// Tiles that no thread is using. One that was used keeps count of what it has not reported yet.
class spare_tiles {
 public:
  spare_tiles(const normal_pairs& normals, const std::optional<rounder>& format, shared_work& work)
      : normals_{normals}, format_{format}, work_{work} {}

  std::unique_ptr<tile> take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return std::make_unique<tile>(normals_, format_, work_);
    std::unique_ptr<tile> taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }
  void give_back(std::unique_ptr<tile> used) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(used));
  }

 private:
  const normal_pairs& normals_;
  const std::optional<rounder>& format_;
  shared_work& work_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<tile>> spare_;
};

template <class Trial>
std::vector<double> run(const Trial& what, const settings& settings) {
  check_one(what);
  check(settings);
  const unsigned wanted = settings.threads > 0 ? settings.threads : hardware_threads();
  const std::uint64_t trials = settings.trials;
  // Few trials are shared out evenly.
  const std::uint64_t share = (trials + wanted - 1) / wanted;
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>(settings.tile, (share + step - 1) / step * step));

  // What is asked for may be more than fits into memory, what is done before Ctrl-C not: it grows.
  std::vector<double> results;
  bool is_cut = false;
  const double points = static_cast<double>(points_of(what)) * static_cast<double>(trials);
  shared_work work(points, settings.progress);
  const normal_pairs normals{settings.seed};
  std::optional<rounder> arithmetic;
  if (settings.arithmetic) arithmetic.emplace(*settings.arithmetic, points);
  spare_tiles tiles(normals, arithmetic, work);
  const auto run_tile = [&](std::size_t number) -> std::function<void()> {
    const std::uint64_t first = number * std::uint64_t{size};
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, trials - first));
    std::unique_ptr<tile> mine = tiles.take();
    bool is_whole = false;
    try {
      is_whole = mine->run(what, settings.first_trial + first, count);
    } catch (...) {
      work.stop();  // the others need not go on
      throw;
    }
    std::vector<double> mine_in_turn(mine->results().begin(), mine->results().end());
    tiles.give_back(std::move(mine));
    return [&results, &is_cut, is_whole, values = std::move(mine_in_turn)] {
      is_cut = is_cut || !is_whole;
      if (!is_cut) results.insert(results.end(), values.begin(), values.end());
    };
  };
  parallel_in_order((trials + size - 1) / size, settings.threads, run_tile, work.token());
  return results;
}

}  // namespace

void check(const trial& what) {
  std::visit([](const auto& known) { check_one(known); }, what);
}

void check(const settings& set) {
  require_count("simulate", "trials", set.trials, 1'000'000'000);
  if (set.first_trial > max_count) {
    throw std::domain_error("simulate: first trial must be at most " + std::to_string(max_count) +
                            ", got " + std::to_string(set.first_trial));
  }
  require_in_range("simulate", "threads", set.threads, 0, 1024);
  require_in_range("simulate", "tile", static_cast<long long>(set.tile), 1, max_tile);
  if (set.arithmetic) check_arithmetic(*set.arithmetic);
}

std::vector<double> simulate(const trial& what, const settings& set) {
  return std::visit([&](const auto& known) { return run(known, set); }, what);
}

}  // namespace ktln2::simulation
