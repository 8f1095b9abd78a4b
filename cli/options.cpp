#include "options.hpp"

#include <cmath>
#include <stdexcept>

#include "ktln2/core/parse.hpp"

namespace ktln2::cli {

std::optional<std::string> option_reader::take(const std::string& name) {
  const auto found = left_.find(name);
  if (found == left_.end()) return {};
  std::string text = found->second;
  left_.erase(found);
  return text;
}

double option_reader::number(const std::string& name, double otherwise) {
  const auto text = take(name);
  return text ? parse_number(where(name), *text) : otherwise;
}

std::uint64_t option_reader::count(const std::string& name, std::uint64_t otherwise) {
  const auto text = take(name);
  if (!text) return otherwise;
  const uint128 value = parse_count(where(name), *text);
  if (value >> 64 != 0) {
    throw std::domain_error(where(name) + " must be below 2^64, got " + *text);
  }
  return static_cast<std::uint64_t>(value);
}

void option_reader::expect_no_more() const {
  if (left_.empty()) return;
  throw std::domain_error(command_ + ": " + kind_ + " has no option --" + left_.begin()->first +
                          " (see ktln2 " + command_ + " --help)");
}

kelvin read_temperature(option_reader& options) {
  const auto given_temperature = options.take("temperature");
  const auto given_kbt = options.take("kbt");
  if (given_temperature && given_kbt) {
    throw std::domain_error(options.command() + ": give --temperature or --kbt, not both");
  }
  if (given_temperature) {
    const double temperature = parse_number(options.where("temperature"), *given_temperature);
    if (!(temperature > 0)) {
      throw std::domain_error(options.where("temperature") + " must be > 0, got " +
                              *given_temperature);
    }
    return kelvin{temperature};
  }
  if (!given_kbt) return kelvin{300};
  const double kbt = parse_number(options.where("kbt"), *given_kbt);
  const double temperature = kbt / boltzmann_constant.value();
  if (!(kbt > 0) || !std::isfinite(temperature) || !(temperature > 0)) {
    throw std::domain_error(options.where("kbt") + " must be > 0 and within range, got " +
                            *given_kbt);
  }
  return kelvin{temperature};
}

entropy_kind read_entropy(option_reader& options) {
  const std::string kind = options.take("entropy").value_or("exact");
  if (kind != "exact" && kind != "smooth") {
    throw std::domain_error(options.where("entropy") + " must be exact or smooth, got '" + kind +
                            "'");
  }
  return kind == "exact" ? entropy_kind::exact : entropy_kind::smooth;
}

register_formats read_formats(option_reader& options, const float_format& format) {
  const auto other = [&](const char* name) {
    const auto text = options.take(name);
    return text ? float_format::parse(*text) : format;
  };
  const float_format y = other("y-format");
  return {{format, y}, other("model-format")};
}

}  // namespace ktln2::cli
