#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paper/report/run.hpp"

namespace ktln2::paper {

/// A drawing over the data of several figures: small multiples, or what the report opens with.
struct overview {
  std::string name;                  ///< of its file, and of the function that draws it
  std::vector<std::string> sources;  ///< names of figures
};

/// Those for which a run has the data.
std::vector<overview> overviews_of(const run_summary& summary);

/// Figures whose panels stand in small multiples, since they are many of one kind.
struct fold {
  std::string_view prefix;                  ///< of their labels, without "fig:"
  std::vector<std::string_view> overviews;  ///< in their place
  std::string_view heading;                 ///< of what words.md says about them
};

/// The fold of a figure, if it has one and its overviews are drawn; otherwise nothing.
const fold* fold_of(const run_summary& summary, std::string_view label);

}  // namespace ktln2::paper
