#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/json.hpp"
#include "ask/lazy.hpp"

namespace ktln2::ask {

/// An answer as a list of named parts, none of which is computed before it is asked for, and none
/// twice: a table of a million rows that shows the entropy does not pay for the ladder of
/// approximations. It looks into the answer that it reports on, which has to outlive it.
class report {
 public:
  using maker = std::function<json()>;

  explicit report(std::string_view command);

  /// A part that costs nothing.
  void add(std::string name, json value);
  void add(std::string name, double value) { add(std::move(name), number(value)); }
  /// A part that costs something.
  void add_lazy(std::string name, maker make);
  /// Several parts, from an object that costs nothing.
  void add_all(const json& object);
  /// The same, for numbers that a table of answers shows unless it is told otherwise.
  void headline(std::string name, double value);
  void headline_lazy(std::string name, maker make);
  /// A number inside a part, by its path, that such a table shows too.
  void also_headline(std::string path) { more_headlines_.push_back(std::move(path)); }
  /// Comes last.
  void set_warnings(std::function<std::vector<std::string>()> make);

  [[nodiscard]] std::vector<std::string> headlines() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// All parts, and the warnings.
  [[nodiscard]] json all() const;

  /// One number, flag or word of the answer: "value", "fields.exponent", "optima.0.n", and for a
  /// list whose entries have a label or a name "approximations.eq:diff_approx", "bits.sign".
  /// Nothing where the answer has none.
  [[nodiscard]] std::optional<json> find(std::string_view path) const;
  /// The same. Throws std::domain_error for what the answer does not have, with the nearest that it
  /// has.
  [[nodiscard]] json at(std::string_view path) const;

  /// Throws std::domain_error, with the nearest name, where a path begins with no part of the
  /// answer. Computes nothing.
  void require_part(std::string_view path) const;

  /// The paths of all that `at` can show.
  [[nodiscard]] std::vector<std::string> paths() const;

 private:
  struct part {
    std::string name;
    maker make;
    bool is_headline;
    bool is_free;  ///< costs nothing
    lazy<json> made = {};

    [[nodiscard]] const json& value() const { return made.get(make); }
  };
  void put(part one) { parts_.push_back(std::move(one)); }
  [[nodiscard]] const part* part_called(std::string_view name) const;

  std::vector<part> parts_;
  std::vector<std::string> more_headlines_;
  std::function<std::vector<std::string>()> warnings_;
};

}  // namespace ktln2::ask
