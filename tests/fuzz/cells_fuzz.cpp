// Text taken apart into cells, in parts, against libcsv.
#include "../data/libcsv_cells.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  for (const char delimiter : {',', '\t'}) {
    for (const std::size_t length : {std::size_t{1}, std::size_t{7}, input.size() + 1}) {
      fuzz::require(splits_like_libcsv(input, delimiter, length));
    }
  }
}
