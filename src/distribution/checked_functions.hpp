#pragma once

#include "ktln2/distribution/custom_law.hpp"

namespace ktln2 {

/// The user's functions, checked at every call while the law is made.
class checked_functions {
 public:
  explicit checked_functions(const law_functions& given);

  [[noreturn]] void refuse(const std::string& what) const;

  [[nodiscard]] double pdf(double z) const;
  [[nodiscard]] bool has_cdf() const { return given_.cdf || given_.ccdf; }
  /// P(Z < z), from whichever function is given.
  [[nodiscard]] double cdf(double z) const;
  [[nodiscard]] double ccdf(double z) const;

 private:
  [[nodiscard]] double probability(const char* which, const law_functions::function& f,
                                   double z) const;

  const law_functions& given_;
};

/// Where a law has its mass, and over what length; a power of two, and a multiple of it.
struct frame {
  double center;
  double length;
};

/// From the distribution function, or by trying octaves of the density.
frame first_frame(const checked_functions& of, const law_functions& given);

/// Around the median: a quarter of the mass is below `low`, a quarter above `high`.
frame frame_of_quartiles(const checked_functions& of, const law_functions& given, double low,
                         double median, double high);

}  // namespace ktln2
