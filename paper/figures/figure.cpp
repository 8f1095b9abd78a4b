#include "paper/figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ktln2::paper {

int whole_number(const std::string& name, double value) {
  if (!(std::abs(value) <= 1e9) || value != std::floor(value)) {
    throw std::domain_error(fmt::format("paper: {} must be a whole number, got {}", name, value));
  }
  return static_cast<int>(value);
}

const parameter& parameters::at(const std::string& name) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const auto& p) { return p.name == name; });
  if (found == all_.end()) throw std::logic_error("no parameter '" + name + "'");
  return *found;
}

const std::vector<double>& parameters::list(const std::string& name) const {
  return at(name).values;
}

double parameters::number(const std::string& name) const {
  const std::vector<double>& values = list(name);
  if (values.size() != 1) {
    throw std::domain_error(
        fmt::format("paper: {} must be one number, got {} of them", name, values.size()));
  }
  return values[0];
}

std::vector<int> parameters::integers(const std::string& name) const {
  std::vector<int> result;
  for (const double value : list(name)) result.push_back(whole_number(name, value));
  return result;
}

int parameters::integer(const std::string& name) const {
  const std::vector<int> values = integers(name);
  if (values.size() != 1) {
    throw std::domain_error(
        fmt::format("paper: {} must be one number, got {} of them", name, values.size()));
  }
  return values[0];
}

int parameters::count(const std::string& name) const {
  const int value = integer(name);
  if (value < 1 || value > 1000000) {
    throw std::domain_error(fmt::format("paper: {} must be from 1 to 1e6, got {}", name, value));
  }
  return value;
}

void parameters::set(const std::string& name, std::vector<double> values) {
  for (parameter& p : all_) {
    if (p.name != name) continue;
    if (p.values == values) return;
    p.values = std::move(values);
    p.from = origin::set;
    p.note.clear();
    return;
  }
  std::string known;
  for (const parameter& p : all_) known += (known.empty() ? "" : ", ") + p.name;
  throw std::domain_error("paper: no parameter '" + name + "', expected one of " + known);
}

int effort::points(int full, int least) const {
  return quick ? std::min(full, std::max(full / 10, least)) : full;
}

std::string figure::name() const { return label.substr(label.find(':') + 1); }

std::vector<int> thinned(const std::vector<int>& all, const effort& work) {
  if (!work.quick || all.size() <= 3) return all;
  return {all.front(), all[all.size() / 2], all.back()};
}

std::vector<double> linear_grid(double first, double last, int count) {
  if (!(first <= last)) {
    throw std::domain_error(
        fmt::format("paper: a range must not end before it begins, got {} to {}", first, last));
  }
  std::vector<double> result;
  for (int i = 0; i + 1 < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    result.push_back(first + share * (last - first));
  }
  result.push_back(last);
  return result;
}

std::vector<double> log_grid(double first, double last, int count) {
  if (!(first > 0) || !(first <= last)) {
    throw std::domain_error(
        fmt::format("paper: a range of positive numbers must go from small to large, got {} to {}",
                    first, last));
  }
  std::vector<double> result = linear_grid(std::log2(first), std::log2(last), count);
  for (double& x : result) x = std::exp2(x);
  result.front() = first;
  result.back() = last;
  return result;
}

std::vector<double> whole_log_grid(double first, double last, int count) {
  std::vector<double> result = log_grid(first, last, count);
  for (double& x : result) x = std::round(x);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace ktln2::paper
