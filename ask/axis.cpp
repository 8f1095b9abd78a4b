#include "ask/axis.hpp"

#include <cmath>
#include <stdexcept>

#include "ask/words.hpp"
#include "core/attempt.hpp"
#include "core/parse.hpp"

namespace ktln2::ask {
namespace {

/// "normal:mu=0,sigma=2,laplace" is normal:mu=0,sigma=2 and laplace: a setting belongs to the law
/// before it.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> values;
  for (std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const bool is_setting = equals != std::string::npos && part.find(':') > equals;
    if (is_setting && !values.empty()) {
      values.back() += "," + part;
    } else {
      values.push_back(std::move(part));
    }
  }
  return values;
}

bool is_number(const std::string& text) {
  return !mistake_in([&] { (void)parse_number("", text); });
}

/// All of them can be counted in double.
constexpr double most_values = 0x1p53;

/// The number so far from `from` to `to`, which may be further apart than double's range.
double by_distance(double from, double to, double share) {
  const double distance = to - from;
  return std::isfinite(distance) ? from + distance * share : from * (1 - share) + to * share;
}

/// The same with equal ratios.
double by_ratio(double from, double to, double share) {
  const double ratio = to / from;
  return std::isnormal(ratio) ? from * std::pow(ratio, share)
                              : std::pow(from, 1 - share) * std::pow(to, share);
}

}  // namespace

axis::axis(const std::string& text) : text_{text} {
  const std::size_t equals = text.find('=');
  const auto refuse = [&] {
    throw std::domain_error(
        "sweep: --over must be KEY=FROM:TO:COUNT, KEY=FROM:TO:COUNT:log, KEY=FROM:TO or KEY=A,B,C, "
        "got '" +
        text + "'");
  };
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) refuse();
  key_ = text.substr(0, equals);
  const std::string values = text.substr(equals + 1);
  const std::string where = "sweep: --over " + key_;
  const std::vector<std::string> parts = split(values, ':');
  // What begins with a name is a law, or several, and no range.
  const bool is_list =
      parts.size() == 1 || values.find(',') != std::string::npos ||
      !(parts[0].empty() || std::string("+-.0123456789").find(parts[0][0]) != std::string::npos);
  if (is_list) {
    words_ = split_list(values);
    for (const std::string& word : words_) {
      if (word.empty()) throw std::domain_error(where + ": expected a value, got ''");
    }
    size_ = words_.size();
    return;
  }
  is_log_ = parts.size() == 4 && parts[3] == "log";
  if (parts.size() > 3 && !is_log_) refuse();
  from_ = parse_number(where, parts[0]);
  to_ = parse_number(where, parts[1]);
  if (parts.size() == 2) {
    if (from_ != std::floor(from_) || to_ != std::floor(to_) || from_ > to_ ||
        to_ - from_ >= most_values) {
      throw std::domain_error(where + ": FROM:TO needs whole numbers, the smaller one first (or " +
                              "FROM:TO:COUNT), got " + values);
    }
    size_ = static_cast<std::uint64_t>(to_ - from_) + 1;
    return;
  }
  const uint128 count = parse_count(where, parts[2]);
  if (count < 1 || count > static_cast<uint128>(most_values)) {
    throw std::domain_error(where + ": COUNT must be from 1 to 2^53, got " + parts[2]);
  }
  size_ = static_cast<std::uint64_t>(count);
  if (is_log_ && !(from_ > 0 && to_ > 0)) {
    throw std::domain_error(where + ": a logarithmic range needs ends > 0, got " + parts[0] + ":" +
                            parts[1]);
  }
}

double axis::number_at(std::uint64_t i) const {
  const auto last = static_cast<double>(size_ - 1);
  const auto at = static_cast<double>(i);
  if (last > 0 && i + 1 == size_) return to_;
  const double share = last == 0 ? 0 : at / last;
  const double value = is_log_ ? by_ratio(from_, to_, share) : by_distance(from_, to_, share);
  return is_whole_ ? std::round(value) : value;
}

std::string axis::word(std::uint64_t i) const {
  return words_.empty() ? plain(number_at(i)) : words_[i];
}

json axis::value(std::uint64_t i) const {
  if (words_.empty()) return number(number_at(i));
  return is_number(words_[i]) ? number(parse_number("", words_[i])) : json(words_[i]);
}

}  // namespace ktln2::ask
