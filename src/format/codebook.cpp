#include "ktln2/format/codebook.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::domain_error("codebook: " + what); }

void check_ascending(const char* what, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    require_finite("codebook", what, numbers[i]);
    if (i > 0 && !(numbers[i - 1] < numbers[i])) {
      refuse("each " + std::string(what) + " must be greater than the one before, got " +
             shown(numbers[i]) + " after " + shown(numbers[i - 1]));
    }
  }
}

/// The cells between the edges, equally wide neighbors in one run.
std::vector<cell_run> bounded_runs(const wide* first, const wide* last) {
  std::vector<cell_run> runs;
  for (const wide* edge = first; edge < last; ++edge) {
    const wide& right = edge[1];
    const wide width = right - *edge;
    if (!runs.empty() && runs.back().width == width) {
      // A width may be rounded: what counts is that the run has the same edges.
      cell_run longer = runs.back();
      longer.right = right;
      ++longer.count;
      const wide end = longer.left + wide::from_integer(longer.count) * width;
      if (longer.edge(longer.count - 1) == *edge && end == right) {
        runs.back() = longer;
        continue;
      }
    }
    runs.push_back({*edge, right, width, 1});
  }
  return runs;
}

bool is_symmetric(const std::vector<wide>& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i] != -edges[edges.size() - 1 - i]) return false;
  }
  return true;
}

/// Of symmetric cells those above 0 are put into runs, and mirrored: so are then the blocks.
std::vector<cell_run> runs_between(const std::vector<wide>& edges) {
  const wide* const first = edges.data();
  const wide* const last = first + edges.size() - 1;
  if (!is_symmetric(edges)) return bounded_runs(first, last);
  const std::size_t half = edges.size() / 2;  // the first edge ≥ 0 of an odd number, > 0 of an even
  const std::vector<cell_run> above = bounded_runs(first + half, last);
  std::vector<cell_run> runs;
  runs.reserve(2 * above.size() + 1);
  for (const cell_run& run : above) {
    runs.push_back({-run.right, -run.left, run.width, run.count});
  }
  std::reverse(runs.begin(), runs.end());
  if (edges.size() % 2 == 0) {
    runs.push_back({-edges[half], edges[half], edges[half].scaled(1), 1});
  }
  runs.insert(runs.end(), above.begin(), above.end());
  return runs;
}

}  // namespace

codebook::codebook(std::vector<double> values) : values_{std::move(values)} {
  if (values_.empty()) refuse("there must be at least one value");
  check_ascending("value", values_);
  for (std::size_t i = 1; i < values_.size(); ++i) {
    edges_.push_back(midpoint(values_[i - 1], values_[i]));
  }
}

codebook::codebook(std::vector<double> values, const std::vector<double>& edges)
    : codebook(std::move(values)) {
  check_ascending("edge", edges);
  if (edges.size() + 1 != values_.size()) {
    refuse("there must be one edge between each two values: expected " +
           std::to_string(values_.size() - 1) + ", got " + std::to_string(edges.size()));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i] < values_[i] || edges[i] > values_[i + 1]) {
      refuse("the edge between " + shown(values_[i]) + " and " + shown(values_[i + 1]) +
             " must lie between them, got " + shown(edges[i]));
    }
  }
  edges_.assign(edges.begin(), edges.end());
}

std::size_t codebook::quantize(double x) const {
  if (x != x) throw std::domain_error("codebook: x must be a number, got nan");
  const auto above = x < 0 ? std::lower_bound(edges_.begin(), edges_.end(), wide(x))
                           : std::upper_bound(edges_.begin(), edges_.end(), wide(x));
  return static_cast<std::size_t>(above - edges_.begin());
}

partition codebook::cells() const {
  if (edges_.empty()) {
    return partition({{-infinity, infinity, infinity, 1}}, {values_.front(), values_.front()});
  }
  std::vector<cell_run> runs{{-infinity, edges_.front(), infinity, 1}};
  const std::vector<cell_run> inner = runs_between(edges_);
  runs.insert(runs.end(), inner.begin(), inner.end());
  runs.push_back({edges_.back(), infinity, infinity, 1});
  const wide first = values_.front();
  const wide last = values_.back();
  return partition(std::move(runs),
                   {first - (edges_.front() - first), last + (last - edges_.back())});
}

}  // namespace ktln2
