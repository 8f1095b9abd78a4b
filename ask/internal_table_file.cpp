#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ask/internal.hpp"
#include "ask/json.hpp"
#include "core/parse.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2::ask {
namespace {

/// Reads a table line by line.
class internal_reader {
 public:
  internal_reader(std::string where, const float_format& format)
      : where_{std::move(where)},
        format_{format},
        entropies_(static_cast<std::size_t>(format.size())),
        lines_(entropies_.size()) {}

  std::vector<double> read(std::string_view text) {
    line_reader lines{text};
    while (const auto line = lines.next()) read_line(line->number, line->text);
    for (std::size_t place = 0; place < lines_.size(); ++place) {
      if (lines_[place] != 0) continue;
      throw std::domain_error(
          fmt::format("{}: expected all {} states of {}, there is no line for {}", where_,
                      lines_.size(), format_.name(), value_at(place)));
    }
    return std::move(entropies_);
  }

 private:
  [[nodiscard]] std::string value_at(std::size_t place) const {
    return decimal(format_.value(state_at_place(format_, place)));
  }

  void read_line(std::size_t number, std::string_view line) {
    const std::string where = fmt::format("{}, line {}", where_, number);
    const std::string_view first = take_column(line);
    const std::string_view second = take_column(line);
    if (second.empty() || !take_column(line).empty()) {
      throw std::domain_error(where + ": expected the value of a state and its internal entropy");
    }
    const double value = parse_number(where, first);
    const double entropy = parse_number(where, second);
    const register_fields state = format_.quantize(value);
    const auto place = static_cast<std::size_t>(place_of_state(format_, state));
    if (format_.value(state).to_double() != value) {
      throw std::domain_error(fmt::format("{}: {} is no state of {}, the nearest is {}", where,
                                          ktln2::shown(value), format_.name(), value_at(place)));
    }
    if (lines_[place] != 0) {
      throw std::domain_error(fmt::format("{}: the state {} is in line {} already", where,
                                          ktln2::shown(value), lines_[place]));
    }
    if (!(std::fabs(entropy) <= most_internal_entropy)) {
      throw std::domain_error(
          fmt::format("{}: an internal entropy must be from -1e100 to 1e100, got {}", where,
                      ktln2::shown(entropy)));
    }
    entropies_[place] = entropy;
    lines_[place] = number;
  }

  std::string where_;
  float_format format_;
  std::vector<double> entropies_;
  std::vector<std::size_t> lines_;  ///< in which each state was; 0 for none
};

}  // namespace

internal_table parse_internal_table(std::string_view text, const std::string& where,
                                    const float_format& format, double reset) {
  return {format, internal_reader{where, format}.read(text), reset};
}

}  // namespace ktln2::ask
