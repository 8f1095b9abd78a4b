#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"

namespace ktln2::paper {

/// A parameter of a figure, or of all panels of a group, to be changed.
struct override_setting {
  std::string label;
  std::string name;
  std::vector<double> values;
};

struct run_request {
  std::filesystem::path out = "out/paper";
  std::vector<std::string> only = {};  ///< labels; none means everything
  std::vector<override_setting> settings = {};
  std::optional<std::filesystem::path> claims = {};  ///< a file in place of the built-in claims
  std::optional<std::filesystem::path> explorer =
      {};  ///< its file, for the report to have beside it
  effort work = {};
  unsigned threads = 0;  ///< 0: as many as the machine has
};

/// How far a stage is. Told after every step and now and then in between, by one thread at a time.
struct progress {
  std::string stage;  ///< "figures", "claims", "drawing"
  std::string last;   ///< what was finished now; empty if nothing was
  double share;       ///< of the stage, from 0 to 1
  double seconds;     ///< since the stage began
};

/// Of the exact entropies in the data of a figure.
struct error_bars {
  std::size_t count = 0;
  double largest = 0;  ///< in bits
};

/// What became of one figure.
struct figure_result {
  figure what;
  std::vector<std::string> files = {};  ///< data, relative to the output directory
  std::vector<table> tables = {};       ///< of a table of the paper, which the report typesets
  error_bars bars = {};
  bool is_computed = false;  ///< in this run; otherwise it was there already
  double seconds = 0;        ///< that its data took, in the run that computed it
  bool is_drawn = false;     ///< figures/NAME.svg and .pdf are there and up to date
};

struct run_summary {
  std::filesystem::path out;
  effort work = {};
  std::vector<figure_result> figures = {};
  std::vector<checked_claim> claims = {};
  double figure_seconds = 0;
  double claim_seconds = 0;
  double drawing_seconds = 0;
  unsigned threads = 0;                  ///< that did it; 0 if unknown
  int drawn = 0;                         ///< in this run
  std::set<std::string> overviews = {};  ///< drawings over several figures that are up to date
  std::string explorer = {};    ///< the file of it beside the report; empty if there is none
  std::string no_drawing = {};  ///< why there are no drawings; empty if there are

  /// Did every claim come out as it should?
  [[nodiscard]] bool is_green() const;
};

/// Computes the figures that are asked for and not there yet, draws them, looks at the claims and
/// writes the report. Every file is written aside and renamed; what an interrupted run has
/// finished, the next one keeps. Throws `stopped` after Ctrl-C, std::domain_error for the user's
/// mistakes.
run_summary run(const run_request& request, const std::function<void(const progress&)>& tell);

}  // namespace ktln2::paper
