#include "ktln2/measure/code_table.hpp"

#include <stdexcept>

#include "ktln2/core/check.hpp"

namespace ktln2::measure {

code_table::code_table(int bits) : bits_{bits} {
  require_in_range("code_table", "bits", bits, 1, 16);
  pages_.resize(bits > 8 ? std::size_t{1} << (bits - 8) : 1);
}

code_table& code_table::operator+=(const code_table& other) {
  if (other.bits_ != bits_) {
    throw std::domain_error("code_table: codes of " + std::to_string(bits_) + " bits and of " +
                            std::to_string(other.bits_) + " are not counted together");
  }
  for (const entry& one : other.seen()) add(one.code, one.times);
  return *this;
}

std::uint64_t code_table::count(std::uint32_t first, std::uint32_t last) const {
  std::uint64_t sum = 0;
  for (std::uint32_t code = first; code <= last; ++code) {
    if (pages_[code / page_size].empty()) {
      code |= page_size - 1;  // on to the next page
    } else {
      sum += count(code);
    }
  }
  return sum;
}

std::vector<code_table::entry> code_table::seen() const {
  std::vector<entry> all;
  for (std::size_t p = 0; p < pages_.size(); ++p) {
    for (std::size_t i = 0; i < pages_[p].size(); ++i) {
      if (pages_[p][i] == 0) continue;
      all.push_back({static_cast<std::uint32_t>(p * page_size + i), pages_[p][i]});
    }
  }
  return all;
}

std::vector<std::uint64_t> code_table::counts() const {
  std::vector<std::uint64_t> all;
  for (const entry& one : seen()) all.push_back(one.times);
  return all;
}

}  // namespace ktln2::measure
