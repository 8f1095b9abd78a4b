#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ktln2/distribution/law.hpp"

namespace ktln2::python {

/// Many laws of one kind, made when they are asked for: one, or one a row. May be asked by several
/// threads at once. A cheap value.
class law_batch {
 public:
  /// A law that is quick to make takes milliseconds at most.
  law_batch(std::size_t size, bool is_quick, std::function<law(std::size_t)> make)
      : size_{size},
        is_quick_{is_quick},
        make_{std::move(make)},
        only_{std::make_shared<kept_law>()} {}

  /// From arrays of parameters, in the order of the catalogue, each with one value or one a row.
  /// Kinds are those of the catalogue, for SGD "sgd:exact" and so on.
  static law_batch of_parameters(const std::string& kind, std::vector<std::vector<double>> values);
  /// In proportion to the weights, which have one value or one a row each.
  static law_batch mixture(std::vector<std::vector<double>> weights, std::vector<law_batch> laws);
  static law_batch relu(law_batch of);
  static law_batch truncated(law_batch of, std::vector<double> low, std::vector<double> high);
  static law_batch empirical(const std::vector<double>& samples);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool is_quick() const { return is_quick_; }
  /// Throws std::domain_error for a bad parameter. A batch of one has the same law in every row,
  /// made once.
  [[nodiscard]] law at(std::size_t row) const;

 private:
  struct kept_law {
    std::mutex mutex;
    std::optional<law> made;
  };

  std::size_t size_;
  bool is_quick_;
  std::function<law(std::size_t)> make_;
  std::shared_ptr<kept_law> only_;
};

}  // namespace ktln2::python
