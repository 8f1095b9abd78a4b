#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/number_cells.hpp"

namespace ktln2::ask {

/// A law over the values that a register can hold, where most of it is: as a picture shows it.
struct stored_density {
  /// The mean density between two points.
  struct step {
    double left = 0;
    double right = 0;
    double density = 0;
  };
  /// What is stored alike. Of an outermost cell, which has no end, the part that would be no wider
  /// than its neighbor; the probability is that of all of it.
  struct cell {
    double left = 0;
    double right = 0;
    std::optional<double> value = {};        ///< what is stored
    std::optional<double> probability = {};  ///< nothing where rounding is left to chance
  };
  /// Neighboring cells of equal width.
  struct band {
    double left = 0;
    double right = 0;
    double width = 0;
  };

  double left = 0;
  double right = 0;
  bool is_log = false;     ///< a law of positive numbers of very different sizes
  bool has_atoms = false;  ///< then the steps are few and wide
  std::vector<step> steps = {};
  std::vector<cell> cells = {};  ///< none where they are too many to be seen
  std::vector<band> bands = {};  ///< those wide enough to be seen
};

/// What is stored for x; nothing for NaN.
using stored_value = std::function<std::optional<wide>(double x)>;

/// Empty where the law's numbers are beyond what a double can tell apart.
stored_density stored_density_of(const law& x, const partition& cells, const stored_value& value,
                                 const stop_token& stop = {});

}  // namespace ktln2::ask
