#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ktln2/distribution/coefficients.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/distribution/normal_row.hpp"
#include "ktln2/distribution/pair.hpp"

namespace ktln2 {

/// What a description can stand for: one variable, two, a row of many, or what regression finds on
/// such rows.
using any_law = std::variant<law, regression_pair, normal_row, coefficients>;

/// A key of a description, with the value that it has where it is not given.
struct law_key {
  std::string_view name;
  std::string_view otherwise;
  bool is_whole = false;
};

/// The values of a description's keys, given or not.
class law_values {
 public:
  /// Throw std::domain_error for what is no number.
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] std::string word(std::string_view key) const;

  struct value {
    std::string_view key;
    std::string text;
  };
  law_values(std::string name, std::vector<value> all)
      : law_{std::move(name)}, all_{std::move(all)} {}

 private:
  std::string law_;
  std::vector<value> all_;
};

/// One law that can be described in words: by keys, or, if it is made of other laws or of a file,
/// in a form of its own.
struct law_entry {
  std::string_view name;
  std::vector<law_key> keys;
  std::string_view help;
  std::function<any_law(const law_values&)> make = {};
  std::string_view form = {};                          ///< as help shows it, without the name
  std::function<any_law(std::string_view)> read = {};  ///< from what stands behind the colon
  std::vector<std::string_view> also_called = {};      ///< other names that people type

  [[nodiscard]] bool has_own_form() const { return static_cast<bool>(read); }
  /// Not of a pair, a row or what regression finds.
  [[nodiscard]] bool is_of_one_variable() const;
  /// "normal:mu=0,sigma=1", with the values of missing keys.
  [[nodiscard]] std::string pattern() const;
};

/// All of them: what parse_law reads, and help and completion list.
const std::vector<law_entry>& law_catalogue();
/// By its name or another one; capitals are small letters. Null if there is none.
const law_entry* find_law(std::string_view name);
/// The same. Throws std::domain_error, with the nearest name and all there are, if there is none.
const law_entry& law_called(std::string_view name);

/// From a description such as "normal:mu=0,sigma=1"; a missing key takes the value of the
/// catalogue. Throws std::domain_error that names the unknown law, the unknown or repeated key, or
/// the bad value.
any_law parse_distribution(std::string_view description);
/// The same, before a law is made of it.
law_values parse_values(std::string_view description);
/// The same, for one variable.
law parse_law(std::string_view description);
/// The same, for two.
regression_pair parse_pair(std::string_view description);
/// Does the description begin with a name of the pair?
bool describes_pair(std::string_view description);
/// The same for rows, and for what regression finds on them.
bool describes_row(std::string_view description);
bool describes_estimate(std::string_view description);
/// A row "row:d=3,w=1/-2/0.5,corr=0.2", where one number stands for all features; if its covariance
/// is given beside it, that has the number of features and their deviations. Not checked yet: that
/// is normal_row's.
row_model parse_row(std::string_view description, const square_matrix* covariance = nullptr);
/// Likewise "ols:n=20,d=3,w=1".
least_squares parse_estimate(std::string_view description,
                             const square_matrix* covariance = nullptr);

/// The keys that with_key() takes: of relu those of the law in it.
std::vector<law_key> keys_of_law(std::string_view description);
/// "normal:mu=0" with sigma set to 2: "normal:mu=0,sigma=2". Throws std::domain_error for an
/// unknown law or key.
std::string with_key(std::string_view description, std::string_view key, std::string_view value);

}  // namespace ktln2
