#pragma once

namespace ktln2 {

/// What an error bar is worth.
enum class evidence {
  estimated,  ///< an a-posteriori estimate plus a rounding budget
  proved,     ///< outward-rounded or ball arithmetic all the way
};

/// A value that says how far it can be trusted: the truth is within `error` of `value`.
template <class Quantity>
struct bounded {
  Quantity value;
  Quantity error;
  evidence how = evidence::estimated;

  friend bounded operator+(bounded a, bounded b) {
    return {a.value + b.value, a.error + b.error, weaker(a.how, b.how)};
  }
  friend bounded operator-(bounded a, bounded b) {
    return {a.value - b.value, a.error + b.error, weaker(a.how, b.how)};
  }

 private:
  static evidence weaker(evidence a, evidence b) {
    return a == evidence::proved ? b : evidence::estimated;
  }
};

/// Do the two error bars have a point in common?
template <class Quantity>
bool overlap(bounded<Quantity> a, bounded<Quantity> b) {
  const double gap = (a.value - b.value).value();
  return (gap < 0 ? -gap : gap) <= (a.error + b.error).value();
}

}  // namespace ktln2
