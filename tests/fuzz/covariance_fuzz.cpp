// Files that have the covariance of many features.
#include <cmath>

#include "ask/covariance_file.hpp"
#include "fuzz.hpp"
#include "ktln2/distribution/normal_vector.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    const ktln2::square_matrix found = ktln2::ask::parse_square(input, "covariance file");
    fuzz::require(found.size() >= 1);
    const ktln2::normal_vector z{"row", std::vector<double>(found.size(), 0.0), found};
    fuzz::require(std::isfinite(z.log_determinant()));
    for (std::size_t j = 0; j < z.size(); ++j) fuzz::require(z.deviation(j) > 0);
  });
}
