#pragma once

#include <cstdint>
#include <vector>

namespace ktln2::measure {

/// How often each code of up to 16 bits was seen. It takes memory only for the neighborhoods of the
/// codes that were.
class code_table {
 public:
  /// Throws std::domain_error unless 1 ≤ bits ≤ 16.
  explicit code_table(int bits);

  /// Needs code < 2^bits.
  void add(std::uint32_t code, std::uint64_t times) {
    if (times == 0) return;
    std::vector<std::uint64_t>& page = pages_[code / page_size];
    if (page.empty()) page.resize(page_size);
    page[code % page_size] += times;
    total_ += times;
  }
  /// Of codes with as many bits.
  code_table& operator+=(const code_table& other);

  [[nodiscard]] int bits() const { return bits_; }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t count(std::uint32_t code) const {
    const std::vector<std::uint64_t>& page = pages_[code / page_size];
    return page.empty() ? 0 : page[code % page_size];
  }
  /// Of all codes from one to another, that one included.
  [[nodiscard]] std::uint64_t count(std::uint32_t first, std::uint32_t last) const;

  struct entry {
    std::uint32_t code;
    std::uint64_t times;
  };
  /// All that were seen, ascending.
  [[nodiscard]] std::vector<entry> seen() const;
  /// Only their numbers, in the same order.
  [[nodiscard]] std::vector<std::uint64_t> counts() const;

  /// How often each value of a function of the code was seen; it has so many bits.
  template <class Function>
  [[nodiscard]] code_table mapped(int to_bits, const Function& of) const {
    code_table result(to_bits);
    for (const entry& one : seen()) {
      result.add(static_cast<std::uint32_t>(of(one.code)), one.times);
    }
    return result;
  }

 private:
  static constexpr std::uint32_t page_size = 256;

  int bits_;
  std::uint64_t total_ = 0;
  std::vector<std::vector<std::uint64_t>> pages_;  ///< empty where nothing was seen
};

}  // namespace ktln2::measure
