#include "ktln2/simulation/code_entropy.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "ktln2/format/number_quantize.hpp"

namespace ktln2::simulation {
namespace {

/// Beyond it the sample does not show the entropy.
constexpr double most_unseen = 0.05;

double real(std::uint64_t count) { return static_cast<double>(count); }

/// The lengths of the runs of equal neighbors.
template <class Code>
std::vector<std::uint64_t> run_lengths(const std::vector<Code>& codes) {
  std::vector<std::uint64_t> lengths;
  for (auto at = codes.begin(); at != codes.end();) {
    const auto next =
        std::find_if(at, codes.end(), [&first = *at](const Code& code) { return code != first; });
    lengths.push_back(static_cast<std::uint64_t>(next - at));
    at = next;
  }
  return lengths;
}

struct totals {
  double samples = 0;
  double codes = 0;
  double singletons = 0;
};

/// With one observation left out; `times` is how often its code was seen.
totals without_one(const totals& all, double times) {
  return {all.samples - 1, all.codes - (times == 1 ? 1 : 0),
          all.singletons - (times == 1 ? 1 : 0) + (times == 2 ? 1 : 0)};
}

double natural_logarithm(double times) { return std::log(times); }

/// G(n) = ψ(n) + (-1)^n/2 (ψ((n+1)/2) - ψ(n/2))
double grassberger_logarithm(double times) {
  if (times > 1e6) return std::log(times);  // to 1e-12
  using boost::math::digamma;
  const double alternating = (digamma((times + 1) / 2) - digamma(times / 2)) / 2;
  const bool even = std::fmod(times, 2) == 0;
  return digamma(times) + (even ? alternating : -alternating);
}

/// -p ln p / (1 - (1-p)^N) with p the share times the coverage
double chao_shen_term(double times, const totals& all) {
  if (times == 0) return 0;
  // A sample of singletons only would have no coverage at all.
  const double singletons = std::min(all.singletons, all.samples - 1);
  const double p = times / all.samples * (1 - singletons / all.samples);
  if (p <= 0 || p >= 1) return 0;  // one observation; one code
  return -p * std::log(p) / -std::expm1(all.samples * std::log1p(-p));
}

/// An estimator with its jackknife error, both in nats.
struct estimate {
  double value;
  double error;
};

/// `leave_out(times)` is the estimate without one of the observations of a code seen so often.
template <class LeaveOut>
estimate jackknife(const occupancy& seen, double samples, double value, LeaveOut leave_out) {
  if (samples < 2) return {value, 0};
  double mean = 0;
  double square = 0;
  double weight = 0;
  for (const repeated& entry : seen) {
    const double count = real(entry.times) * real(entry.codes);
    const double left = leave_out(real(entry.times)) - value;
    weight += count;
    const double step = count / weight * (left - mean);
    square += count * (left - mean) * (left - mean - step);
    mean += step;
  }
  return {value, std::sqrt(std::max(0.0, square) * (samples - 1) / samples)};
}

/// For estimators Σ n (ln N - g(n))/N + correction(totals); g is near ln n. Without one observation
/// ln N changes, which is added at the end.
template <class Logarithm, class Correction>
estimate separable(const occupancy& seen, const totals& all, Logarithm g, Correction correction) {
  const double log_samples = std::log(all.samples);
  const auto term = [&](double times) { return times > 0 ? times * (log_samples - g(times)) : 0; };
  double sum = 0;
  for (const repeated& entry : seen) sum += real(entry.codes) * term(real(entry.times));
  const auto value = [&](double total, const totals& of) {
    return total / of.samples + (std::log(of.samples) - log_samples) + correction(of);
  };
  return jackknife(seen, all.samples, value(sum, all), [&](double times) {
    return value(sum - term(times) + term(times - 1), without_one(all, times));
  });
}

estimate chao_shen(const occupancy& seen, const totals& all) {
  const auto sum = [&](const totals& of) {
    double total = 0;
    for (const repeated& entry : seen) {
      total += real(entry.codes) * chao_shen_term(real(entry.times), of);
    }
    return total;
  };
  // Without one observation the totals are one of three.
  const double once = sum(without_one(all, 1));
  const double twice = sum(without_one(all, 2));
  const double often = sum(without_one(all, 3));
  return jackknife(seen, all.samples, sum(all), [&](double times) {
    const totals left = without_one(all, times);
    const double whole = times == 1 ? once : times == 2 ? twice : often;
    return whole - chao_shen_term(times, left) + chao_shen_term(times - 1, left);
  });
}

}  // namespace

occupancy occupancy_of(std::vector<std::uint64_t> counts) {
  std::sort(counts.begin(), counts.end());
  occupancy seen;
  for (const std::uint64_t times : counts) {
    if (times == 0) continue;
    if (seen.empty() || seen.back().times != times) seen.push_back({times, 0});
    ++seen.back().codes;
  }
  return seen;
}

occupancy occupancy_of(const storage& where, const sample& results) {
  if (const auto* const kept = where.number()) {
    std::vector<std::uint64_t> codes(results.size());
    quantize_codes(kept->format, results.sorted(), codes, kept->rule);
    std::sort(codes.begin(), codes.end());  // one NaN may stand for both ends
    return occupancy_of(run_lengths(codes));
  }
  const float_format& format = *where.ideal();
  // The quantizer is monotone: in a sorted sample equal codes are neighbors.
  if (format.width() <= 64) {
    std::vector<std::uint64_t> codes(results.size());
    quantize_codes(format, results.sorted(), codes);
    return occupancy_of(run_lengths(codes));
  }
  std::vector<register_code> codes;
  codes.reserve(results.size());
  for (const double x : results.sorted()) codes.push_back(format.encode(format.quantize(x)));
  return occupancy_of(run_lengths(codes));
}

occupancy occupancy_of(const storage& where, const std::vector<std::vector<double>>& columns) {
  std::vector<std::vector<double>> rows(columns.at(0).size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (const std::vector<double>& column : columns) {
      const std::optional<wide> kept = where.rounded(column[t]);
      // NaN has no place in an order: the largest number stands for it.
      rows[t].push_back(kept ? kept->to_double() : std::numeric_limits<double>::max());
    }
  }
  std::sort(rows.begin(), rows.end());
  return occupancy_of(run_lengths(rows));
}

code_entropy entropy_of(const occupancy& seen, double log2_size) {
  code_entropy found;
  for (const repeated& entry : seen) {
    found.samples += entry.times * entry.codes;
    found.codes += entry.codes;
    if (entry.times == 1) found.singletons = entry.codes;
  }
  if (found.samples == 0) throw std::domain_error("entropy_of: samples must be > 0, got 0");
  const totals all{real(found.samples), real(found.codes), real(found.singletons)};
  found.unseen = all.singletons / all.samples;
  found.undersampled = found.unseen > most_unseen;

  const double hidden = found.unseen * std::max(1.0, log2_size - std::log2(all.samples));
  const auto in_bits = [](const estimate& nats, double allowance) -> measured_entropy {
    return {bits{nats.value / std::numbers::ln2}, bits{nats.error / std::numbers::ln2 + allowance}};
  };
  const auto none = [](const totals&) { return 0.0; };
  const auto bias = [](const totals& of) { return (of.codes - 1) / (2 * of.samples); };
  const double leading_bias = bias(all) / std::numbers::ln2;
  const estimate plug_in = separable(seen, all, natural_logarithm, none);
  if (!found.undersampled) {
    found.plug_in = in_bits(plug_in, hidden + leading_bias);
    found.miller_madow = in_bits(separable(seen, all, natural_logarithm, bias), hidden);
  }
  double left_over = 0;  // n (G(n) - ln n) is about 1/(4n)
  for (const repeated& entry : seen) left_over += real(entry.codes) / (4 * real(entry.times));
  // G alternates between even and odd n, which spoils its own jackknife; to leading order the two
  // estimators vary alike.
  estimate grassberger = separable(seen, all, grassberger_logarithm, none);
  grassberger.error = plug_in.error;
  found.grassberger = in_bits(grassberger, hidden + left_over / all.samples / std::numbers::ln2);
  found.chao_shen = in_bits(chao_shen(seen, all), hidden + leading_bias);
  return found;
}

code_entropy entropy_of(const storage& where, const sample& results) {
  return entropy_of(occupancy_of(where, results), where.width());
}

}  // namespace ktln2::simulation
