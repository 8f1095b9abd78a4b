#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ktln2/core/wide.hpp"
#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// What is known of a part of a law once and for all.
struct part_facts {
  wide center;            ///< where most of it is, or where it begins
  wide core;              ///< the length around the center within which f may vary by its own size
  wide mode;              ///< f falls off, or stays level, from here on both sides
  bool is_rough = false;  ///< does f jump, or bend so sharply that ∫ (f')²/f is infinite?
  double misplaced = 0;   ///< how far f may be off, in total variation
  bool lacks_mean = false;
  double mean = 0;       ///< NaN where it is not known
  double deviation = 0;  ///< likewise; infinite where the second moment is
  double entropy = 0;    ///< h in nats; NaN where it is not known
};

/// One part of a law: a density with one peak, seen on the real line itself, in numbers that do not
/// overflow. Laws that are not a shape with a place and a size, such as the lognormal one or a
/// mixture, are made of such parts.
class law_part {
 public:
  law_part() = default;
  law_part(const law_part&) = delete;
  law_part& operator=(const law_part&) = delete;
  law_part(law_part&&) = delete;
  law_part& operator=(law_part&&) = delete;
  virtual ~law_part() = default;

  [[nodiscard]] const part_facts& facts() const { return facts_; }
  /// P(a < X < b) for a < b, of which either may be infinite.
  [[nodiscard]] virtual cell_mass between(const wide& a, const wide& b) const = 0;
  /// The same for center ± width/2, right also where edges could not tell the width.
  [[nodiscard]] virtual cell_mass cell(const wide& center, const wide& width) const = 0;
  [[nodiscard]] virtual double log_pdf(const wide& x) const = 0;
  /// ln f(x + t) - ln f(x), without cancellation
  [[nodiscard]] virtual double log_ratio(const wide& x, const wide& t) const = 0;
  /// d ln f/dx times a length
  [[nodiscard]] virtual double log_slope(const wide& x, const wide& length) const = 0;
  /// How far P of a cell may be off there, relatively, in units of 2^-53, beside that of ln P.
  [[nodiscard]] virtual double roundings(const wide& x) const = 0;
  /// The length over which f may vary by its own size at x.
  [[nodiscard]] virtual wide length_at(const wide& x) const;
  /// Where f is not smooth.
  [[nodiscard]] virtual std::vector<wide> breaks() const = 0;
  /// The law of X/√2.
  [[nodiscard]] virtual std::shared_ptr<const law_part> over_sqrt2() const = 0;
  /// Does it live on x > 0, and vary there with the ratio of two numbers, however small they are?
  [[nodiscard]] virtual bool is_of_ratios() const { return false; }

  /// The shortest of those lengths between a and b.
  [[nodiscard]] wide shortest_length(const wide& a, const wide& b) const;
  /// Where to cut [a, b], made of cells so wide, if it is too long for one rule of quadrature.
  [[nodiscard]] std::optional<wide> cut(const wide& a, const wide& b, const wide& width) const;

 protected:
  explicit law_part(const part_facts& facts) : facts_{facts} {}

 private:
  part_facts facts_;
};

using part_pointer = std::shared_ptr<const law_part>;

/// ln(a/b) for a, b > 0, also where they are nearly equal.
double log_quotient(const wide& a, const wide& b);
/// x/√2 to about 2^-103.
wide over_sqrt2(const wide& x);

}  // namespace ktln2
