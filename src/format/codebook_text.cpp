#include "ktln2/format/codebook_text.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/parse.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

/// A line that holds a value.
struct codebook_line {
  std::size_t number;
  double value;
  std::optional<double> edge;
};

class codebook_reader {
 public:
  explicit codebook_reader(std::string_view name) : name_{name} {}

  codebook read(std::string_view text) {
    line_reader lines{text};
    while (const auto line = lines.next()) read_line(line->number, line->text);
    if (lines_.empty()) throw std::domain_error(name_ + ": there must be at least one value");
    check_edges();
    return made();
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    throw std::domain_error(where(line) + what);
  }
  [[nodiscard]] std::string where(std::size_t line) const {
    return name_ + ", line " + std::to_string(line) + ": ";
  }
  [[nodiscard]] double number(std::size_t line, std::string_view column) const {
    return parse_number(name_ + ", line " + std::to_string(line), column);
  }

  void read_line(std::size_t at, std::string_view line) {
    const std::string_view first = take_column(line);
    if (first.empty()) return;
    const std::string_view second = take_column(line);
    if (!take_column(line).empty()) refuse(at, "expected a value and at most one edge, got more");
    if (lines_.size() == most_codebook_values) {
      refuse(at, "there must be at most " + std::to_string(most_codebook_values) + " values");
    }
    codebook_line made{at, number(at, first), {}};
    if (!second.empty()) made.edge = number(at, second);
    if (!lines_.empty() && !(lines_.back().value < made.value)) {
      refuse(at, "each value must be greater than the one before, got " + shown(made.value) +
                     " after " + shown(lines_.back().value));
    }
    lines_.push_back(made);
  }

  /// The last cell has none.
  void check_edges() const {
    const codebook_line& last = lines_.back();
    if (last.edge) {
      refuse(last.number, "the last cell has no upper edge, got " + shown(*last.edge));
    }
    for (std::size_t i = 0; i + 1 < lines_.size(); ++i) {
      const codebook_line& line = lines_[i];
      if (line.edge.has_value() != lines_.front().edge.has_value()) {
        refuse(line.number, std::string(line.edge ? "has an upper edge" : "has no upper edge") +
                                ", unlike line " + std::to_string(lines_.front().number) +
                                ": all lines but the last need one, or none");
      }
      if (line.edge) check_edge(i);
    }
  }

  void check_edge(std::size_t i) const {
    const double edge = *lines_[i].edge;
    const double next = lines_[i + 1].value;
    if (edge < lines_[i].value || edge > next) {
      refuse(lines_[i].number, "the upper edge of " + shown(lines_[i].value) +
                                   " must lie between it and the next value " + shown(next) +
                                   ", got " + shown(edge));
    }
    if (i > 0 && !(*lines_[i - 1].edge < edge)) {
      refuse(lines_[i].number, "each edge must be greater than the one before, got " + shown(edge) +
                                   " after " + shown(*lines_[i - 1].edge));
    }
  }

  [[nodiscard]] codebook made() const {
    std::vector<double> values;
    std::vector<double> edges;
    for (const codebook_line& line : lines_) {
      values.push_back(line.value);
      if (line.edge) edges.push_back(*line.edge);
    }
    return edges.empty() ? codebook(std::move(values)) : codebook(std::move(values), edges);
  }

  std::string name_;
  std::vector<codebook_line> lines_;
};

}  // namespace

codebook parse_codebook(std::string_view text, std::string_view name) {
  return codebook_reader{name}.read(text);
}

}  // namespace ktln2
