#pragma once

#include <optional>

namespace ktln2::ask {

/// A part of an answer that is computed when it is first looked at. An answer belongs to one
/// thread.
template <class T>
class lazy {
 public:
  template <class Make>
  const T& get(Make make) const {
    if (!value_) value_.emplace(make());
    return *value_;
  }

 private:
  mutable std::optional<T> value_;
};

}  // namespace ktln2::ask
