#include "options.hpp"

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

}  // namespace ktln2::cli
