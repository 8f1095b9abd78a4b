#pragma once

#include <stdexcept>
#include <string>

/// What the std::domain_error that a call throws says.
template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::domain_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}
