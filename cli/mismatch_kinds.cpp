#include "mismatch_kinds.hpp"

#include <sstream>

#include "core/parse.hpp"

namespace ktln2::cli {

variational_bounds read_bounds(option_reader& options) {
  const auto text = options.take("bounds");
  variational_bounds bounds;
  if (!text) return bounds;
  std::vector<double> numbers;
  std::istringstream stream(*text + ",");
  for (std::string word; std::getline(stream, word, ',');) {
    numbers.push_back(parse_number(options.where("bounds"), word));
  }
  if (numbers.size() != 4) {
    throw std::domain_error(options.where("bounds") +
                            " needs four numbers (sigma_x from, to, sigma_xi from, to), got '" +
                            *text + "'");
  }
  bounds = {numbers[0], numbers[1], numbers[2], numbers[3]};
  require_valid(bounds);
  return bounds;
}

int small_count(option_reader& options, const char* name, std::uint64_t otherwise) {
  const std::uint64_t value = options.count(name, otherwise);
  constexpr std::uint64_t most = 1000000;
  if (value > most) {
    throw std::domain_error(options.where(name) + " must be at most 1e6, got " +
                            std::to_string(value));
  }
  return static_cast<int>(value);
}

std::string amount(nats value) { return fmt::format("{:.7f}", value.value()); }
std::string in_units(nats value) {
  return fmt::format("{:.4e}", to_joules_per_kelvin(value).value());
}

bool is_inside(const variational_bounds& bounds, double sigma_x, double sigma_xi) {
  return bounds.sigma_x_low <= sigma_x && sigma_x <= bounds.sigma_x_high &&
         bounds.sigma_xi_low <= sigma_xi && sigma_xi <= bounds.sigma_xi_high;
}

json_value shown(const variational_bounds& bounds) {
  return {number(bounds.sigma_x_low), number(bounds.sigma_x_high), number(bounds.sigma_xi_low),
          number(bounds.sigma_xi_high)};
}

std::string place(const variational_optimum& one) {
  const auto mark = [](bool at_bound) { return at_bound ? " (at its bound)" : ""; };
  return fmt::format("sigma_x = {:.9g}{}, sigma_xi = {:.9g}{}", one.sigma_x,
                     mark(one.sigma_x_at_bound), one.sigma_xi, mark(one.sigma_xi_at_bound));
}

}  // namespace ktln2::cli
