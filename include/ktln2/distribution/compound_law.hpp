#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ktln2/distribution/laplace.hpp"
#include "ktln2/distribution/law_part.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2 {

/// A part and how often it is drawn from. A restricted part has a mass below 1, so that its weight
/// may be greater than 1.
struct weighted_part {
  part_pointer part;
  double log_weight = 0;

  [[nodiscard]] cell_mass operator()(cell_mass of_part) const;
};

/// One number that has a probability of its own.
struct law_atom {
  double at = 0;
  double mass = 0;
  /// If it stands on the edge of two cells: in the one below (-1), above (1), or away from zero.
  int side = 0;

  [[nodiscard]] bool counts_above() const { return side == 0 ? !(at < 0) : side > 0; }
};

/// A gamma law: sums of independent ones with the same scale are such laws too.
struct gamma_form {
  double shape;
  double scale;
};
/// e^Y, Y ~ N(mu, sigma²)
struct lognormal_form {
  double mu;
  double sigma;
};
struct triangular_form {
  double low;
  double mode;
  double high;
};
/// The law of |X| for an X that is as likely above 0 as below.
using folded_law = std::variant<normal, laplace>;

/// What a compound law is made of. Moments and entropy that are not given are computed.
struct compound_pieces {
  std::vector<weighted_part> parts;
  std::vector<law_atom> atoms = {};  ///< in any order; those at the same place are added up
  std::optional<double> mean = {};
  std::optional<double> deviation = {};
  std::optional<double> entropy = {};  ///< h in nats
  std::optional<gamma_form> gamma = {};
  std::optional<lognormal_form> lognormal = {};
  std::optional<triangular_form> triangular = {};
  std::optional<folded_law> folded = {};
  std::optional<double> samples = {};  ///< how many numbers an empirical law stands for
};

/// Parts and atoms as a kernel, for all that looks at a law in standard units: 2^k times a number,
/// around 0 or, for a narrow law, around its center. Units as these do not hold what a compound law
/// can be; exact_entropy() looks at its parts.
/// A cheap value: copies share what they are made of.
class standard_compound {
 public:
  struct table;

  explicit standard_compound(std::shared_ptr<const table> made);

  [[nodiscard]] double log_pdf(double z) const;
  /// P(Z > z) and P(Z ≤ z)
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const;
  [[nodiscard]] cell_mass cell(double z, double h) const;
  /// P(a < Z ≤ b)
  [[nodiscard]] cell_mass between(double a, double b) const;
  [[nodiscard]] auto cells(double h) const {
    return [this, h](double z) { return cell(z, h); };
  }
  [[nodiscard]] double log_ratio(double z, double t) const;
  [[nodiscard]] double log_slope(double z) const;
  [[nodiscard]] double condition(double z) const;
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::span<const double> breaks() const;
  [[nodiscard]] bool has_jumps() const;
  [[nodiscard]] bool is_symmetric() const { return false; }
  [[nodiscard]] double mode() const;
  [[nodiscard]] double entropy() const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;
  [[nodiscard]] double table_error() const;
  [[nodiscard]] double resolution(double a, double b) const;
  [[nodiscard]] double panel_end(double z) const;
  /// Not below f between a and b.
  [[nodiscard]] double density_bound(double a, double b) const;

 private:
  [[nodiscard]] wide place(double z) const;

  std::shared_ptr<const table> table_;
};

/// The law of a number that is drawn from one of several parts, or is one of some atoms.
///
/// Of laws with atoms there is no density: pdf() is that of the parts, and infinite at an atom, the
/// differential entropy is NaN, and cdf() is P(X ≤ x).
class compound_law : public location_scale<standard_compound> {
 public:
  /// Throws std::domain_error unless the masses of parts and atoms add up to 1 (to 1e-9).
  compound_law(const std::string& name, compound_pieces pieces);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<weighted_part>& parts() const;
  /// Ascending.
  [[nodiscard]] const std::vector<law_atom>& atoms() const;
  [[nodiscard]] bool has_atoms() const { return !atoms().empty(); }
  [[nodiscard]] const std::optional<gamma_form>& as_gamma() const;
  [[nodiscard]] const std::optional<lognormal_form>& as_lognormal() const;
  [[nodiscard]] const std::optional<triangular_form>& as_triangular() const;
  [[nodiscard]] const std::optional<folded_law>& as_folded() const;
  [[nodiscard]] const std::optional<double>& samples() const;
  /// Does all of it, but for what does not count, lie where a double can stand for a number?
  [[nodiscard]] bool is_within_double() const;
  /// The same law, each atom with the side that a function of its place says.
  [[nodiscard]] compound_law with_sides(const std::function<int(double)>& side) const;
  /// The same law over √2, of which only the parts matter.
  [[nodiscard]] std::vector<weighted_part> parts_over_sqrt2() const;

 private:
  explicit compound_law(std::string name, const std::shared_ptr<const standard_compound::table>& t);

  std::string name_;
  std::shared_ptr<const standard_compound::table> table_;
};

/// P(a < X < b) of all parts together, without the atoms.
cell_mass mass_between(const std::vector<weighted_part>& parts, const wide& a, const wide& b);
/// Likewise for center ± width/2.
cell_mass mass_of_cell(const std::vector<weighted_part>& parts, const wide& center,
                       const wide& width);

}  // namespace ktln2
