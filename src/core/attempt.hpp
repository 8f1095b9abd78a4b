#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ktln2 {

/// Does `work`, and says what it refuses, as std::domain_error; nothing where it goes through.
std::optional<std::string> mistake_in(const std::function<void()>& work);

/// Does `work`; what it refuses is refused with `where` before it.
void naming(const std::string& where, const std::function<void()>& work);

}  // namespace ktln2
