#include "core/number_list.hpp"

#include <stdexcept>
#include <string>

#include "core/parse.hpp"

namespace ktln2 {

std::vector<double> parse_numbers(std::string_view where, std::string_view text) {
  std::vector<double> numbers;
  while (true) {
    const std::size_t stroke = text.find('/');
    numbers.push_back(parse_number(where, text.substr(0, stroke)));
    if (stroke == std::string_view::npos) return numbers;
    text.remove_prefix(stroke + 1);
  }
}

std::vector<double> parse_numbers(std::string_view where, std::string_view text,
                                  std::size_t count) {
  std::vector<double> numbers = parse_numbers(where, text);
  if (numbers.size() == 1) numbers.resize(count, numbers.front());
  if (numbers.size() != count) {
    throw std::domain_error(std::string(where) + ": expected one number or " +
                            std::to_string(count) + ", as in 1/-2/0.5, got " +
                            std::to_string(numbers.size()));
  }
  return numbers;
}

}  // namespace ktln2
