#pragma once

#include "commands.hpp"
#include "views.hpp"

namespace ktln2::cli {

/// Shows an answer in the asked style, and its warnings.
template <class Answer>
void present(const Answer& made, style how) {
  for (const std::string& warning : made.warnings()) warn(warning);
  switch (how) {
    case style::text:
      return print(text_of(made));
    case style::csv:
      return print(rows_of(made).csv());
    case style::json:
      return print_json(made.report());
  }
}

}  // namespace ktln2::cli
