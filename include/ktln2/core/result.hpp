#pragma once

namespace ktln2 {

/// What an error bar is worth.
enum class evidence {
  estimated,  ///< an a-posteriori estimate plus a rounding budget
  proved,     ///< outward-rounded or ball arithmetic all the way
};

/// What is made of two things is worth no more than the lesser.
constexpr evidence weaker(evidence a, evidence b) { return a == evidence::proved ? b : a; }

/// A value that says how far it can be trusted: the truth is within `error` of `value`. Errors add
/// up, whether values are added or subtracted, and are multiplied by |k|. The rounding of the
/// arithmetic itself is not in them.
template <class Quantity>
struct bounded {
  Quantity value;
  Quantity error;
  evidence how = evidence::estimated;

  constexpr bounded& operator+=(const bounded& other) { return *this = *this + other; }
  constexpr bounded& operator-=(const bounded& other) { return *this = *this - other; }
  constexpr bounded& operator*=(double k) { return *this = k * *this; }
  constexpr bounded& operator/=(double k) { return *this = *this / k; }

  friend constexpr bounded operator+(const bounded& a, const bounded& b) {
    return {a.value + b.value, a.error + b.error, weaker(a.how, b.how)};
  }
  friend constexpr bounded operator-(const bounded& a, const bounded& b) {
    return {a.value - b.value, a.error + b.error, weaker(a.how, b.how)};
  }
  friend constexpr bounded operator-(const bounded& a) { return {-a.value, a.error, a.how}; }
  friend constexpr bounded operator*(double k, const bounded& a) {
    return {k * a.value, (k < 0 ? -k : k) * a.error, a.how};
  }
  friend constexpr bounded operator*(const bounded& a, double k) { return k * a; }
  friend constexpr bounded operator/(const bounded& a, double k) {
    return {a.value / k, a.error / (k < 0 ? -k : k), a.how};
  }
};

/// A value that is known without error.
template <class Quantity>
constexpr bounded<Quantity> exactly(Quantity value) {
  return {value, Quantity{}, evidence::proved};
}

/// The sum of all, from the first to the last. Nothing adds up to nothing, exactly.
template <class Range>
constexpr auto sum_of(const Range& all) {
  auto each = all.begin();
  if (each == all.end()) return exactly(decltype(each->value){});
  auto sum = *each;
  for (++each; each != all.end(); ++each) sum += *each;
  return sum;
}

/// Is it so whatever the truth is within the error bars? Where the bars overlap, neither of a and b
/// is surely less than the other.
template <class Quantity>
constexpr bool surely_less(const bounded<Quantity>& a, const bounded<Quantity>& b) {
  return a.value + a.error < b.value - b.error;
}

/// Do the two error bars have a point in common?
template <class Quantity>
constexpr bool overlap(const bounded<Quantity>& a, const bounded<Quantity>& b) {
  const auto gap = a.value < b.value ? b.value - a.value : a.value - b.value;
  return gap <= a.error + b.error;
}

}  // namespace ktln2
