#include "core/attempt.hpp"

#include <stdexcept>

namespace ktln2 {

std::optional<std::string> mistake_in(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const std::domain_error& mistake) {
    return mistake.what();
  }
}

void naming(const std::string& where, const std::function<void()>& work) {
  if (const auto mistake = mistake_in(work)) throw std::domain_error(where + *mistake);
}

}  // namespace ktln2
