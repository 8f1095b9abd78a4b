#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ask/json.hpp"

namespace ktln2::ask {

/// One parameter of a sweep and the values that it takes:
///     KEY=FROM:TO:COUNT        evenly, both ends included
///     KEY=FROM:TO:COUNT:log    with equal ratios
///     KEY=FROM:TO              whole numbers, one by one
///     KEY=A,B,C                as they stand; "normal:mu=0,sigma=2,laplace" are two laws
/// Ranges are not stored, however long they are.
class axis {
 public:
  /// Throws std::domain_error that says what was expected.
  explicit axis(const std::string& text);

  [[nodiscard]] const std::string& key() const { return key_; }
  /// As it was written.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// With equal ratios.
  [[nodiscard]] bool is_log() const { return is_log_; }
  /// Value i, as it would be typed.
  [[nodiscard]] std::string word(std::uint64_t i) const;
  /// The same as a number, where it is one.
  [[nodiscard]] json value(std::uint64_t i) const;

  /// Ranges of this parameter are rounded to whole numbers.
  void make_whole() { is_whole_ = true; }

 private:
  [[nodiscard]] double number_at(std::uint64_t i) const;

  std::string text_;
  std::string key_;
  std::uint64_t size_ = 0;
  std::vector<std::string> words_;  ///< those of a list
  double from_ = 0;
  double to_ = 0;
  bool is_log_ = false;
  bool is_whole_ = false;
};

}  // namespace ktln2::ask
