#pragma once

#include <stdexcept>
#include <string>

/// What the error that a call throws says.
template <class Error = std::domain_error, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}
