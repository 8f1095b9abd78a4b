#include "ktln2/measure/stored_column.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::measure {
namespace {

constexpr int most_decimals = 15;
constexpr int most_leading_bits = 16;

double power_of_ten(int exponent) {
  double result = 1;
  for (int i = 0; i < exponent; ++i) result *= 10;  // exact up to 10^22
  return result;
}

/// Is x the double that is nearest to a multiple of 10^-decimals?
bool is_multiple(double x, int decimals) {
  if (decimals <= 0) return std::fmod(x, power_of_ten(-decimals)) == 0;
  const double power = power_of_ten(decimals);
  const double nearest = std::nearbyint(x * power);
  return std::fabs(nearest) < 0x1p53 && nearest / power == x;
}

std::uint32_t leading_code(const storage& where, double x, int kept) {
  const int dropped = where.width() - kept;
  if (where.ideal() != nullptr) {
    const float_format& format = *where.ideal();
    return static_cast<std::uint32_t>(format.encode(format.quantize(x)) >> dropped);
  }
  const storage::number_kept& number = *where.number();
  return static_cast<std::uint32_t>(number.format.quantize(x, number.rule) >> dropped);
}

/// How many bits the sign and the exponent have.
std::pair<int, int> head_of(const storage& where) {
  if (where.ideal() != nullptr) return {1, where.ideal()->exponent_bits()};
  const number_format& format = where.number()->format;
  const bool has_exponent = format.kind() == number_format::family::floating;
  return {format.is_signed() ? 1 : 0, has_exponent ? format.fields().exponent_bits : 0};
}

}  // namespace

stored_column::stored_column(storage where)
    : where_{std::move(where)},
      codes_{std::min(where_.width(), most_leading_bits)},
      decimals_{-most_decimals} {}

void stored_column::add(double x) {
  codes_.add(leading_code(where_, x, codes_.bits()), 1);
  while (decimals_ <= most_decimals && !is_multiple(x, decimals_)) ++decimals_;
}

std::vector<counted_field> stored_column::fields(const law& model, estimator how) const {
  const auto measured = [&](int kept) {
    if (kept == 0) return exactly(bits{0});
    const int dropped = codes_.bits() - kept;
    const code_table first =
        codes_.mapped(kept, [dropped](std::uint32_t code) { return code >> dropped; });
    return entropy_of_counts(first.counts(), kept, how);
  };
  const auto modelled = [&](int kept) {
    if (kept == 0) return exactly(bits{0});
    return exact_entropy(where_.cells(where_.width() - kept), model);
  };
  const auto [signs, exponents] = head_of(where_);
  std::vector<counted_field> all;
  int above = 0;
  for (const auto& [name, wide] : {std::pair{"sign", signs}, std::pair{"exponent", exponents},
                                   std::pair{"mantissa", where_.width() - signs - exponents}}) {
    const int counted = std::min(wide, codes_.bits() - above);
    if (counted > 0) {
      counted_field one{name, wide, counted, measured(above + counted) - measured(above),
                        modelled(above + counted) - modelled(above)};
      // Estimates may differ by less than nothing; the truth does not.
      one.measured.value = std::clamp(one.measured.value, bits{0}, bits{1.0 * counted});
      all.push_back(one);
    }
    above += counted;
  }
  return all;
}

std::optional<double> stored_column::unit() const {
  if (decimals_ > most_decimals || decimals_ == -most_decimals) return {};
  return decimals_ <= 0 ? power_of_ten(-decimals_) : 1 / power_of_ten(decimals_);
}

}  // namespace ktln2::measure
