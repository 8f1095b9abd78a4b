#include "ktln2/distribution/sample_text.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/parse.hpp"

namespace ktln2 {
namespace {

/// No double needs as many digits.
constexpr std::size_t longest_number = 1200;

std::string_view without_blanks(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  line.remove_prefix(begin);
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

}  // namespace

std::vector<double> parse_samples(std::string_view text, std::string_view name) {
  std::vector<double> samples;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::string_view word = without_blanks(line.substr(0, line.find('#')));
    if (!word.empty()) {
      const std::string where = std::string(name) + ", line " + std::to_string(number);
      if (word.size() > longest_number) {
        throw std::domain_error(where + ": expected a number, got " + std::to_string(word.size()) +
                                " characters");
      }
      samples.push_back(parse_number(where, word));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (samples.empty()) {
    throw std::domain_error(std::string(name) + ": there must be at least one number");
  }
  return samples;
}

}  // namespace ktln2
