#pragma once

#include <optional>
#include <vector>

#include "ktln2/distribution/law.hpp"
#include "ktln2/format/storage.hpp"
#include "ktln2/measure/code_table.hpp"
#include "ktln2/measure/estimator.hpp"

namespace ktln2::measure {

/// A field of a register, or as much of it as lies among the 16 leading bits, which are all that is
/// counted: its entropy given the fields above.
struct counted_field {
  const char* name = "";  ///< "sign", "exponent" or "mantissa"
  int bits = 0;           ///< that the field has
  int counted_bits = 0;   ///< of these, its leading ones
  bounded<ktln2::bits> measured;
  bounded<ktln2::bits> modelled;  ///< of a given law
};

/// What a register holds for the numbers of a column, one after another.
class stored_column {
 public:
  explicit stored_column(storage where);

  /// Needs a number, perhaps an infinity.
  void add(double x);

  [[nodiscard]] const storage& where() const { return where_; }
  [[nodiscard]] const code_table& codes() const { return codes_; }
  /// Every field that the register has; what is not sign and exponent is the mantissa.
  [[nodiscard]] std::vector<counted_field> fields(const law& model,
                                                  estimator how = best_estimator) const;
  /// All numbers so far are multiples of this power of ten, from 1e-15 to 1e15, the largest such
  /// one. Nothing if there is none, and while all are 0.
  [[nodiscard]] std::optional<double> unit() const;

 private:
  storage where_;
  code_table codes_;
  int decimals_;
};

}  // namespace ktln2::measure
