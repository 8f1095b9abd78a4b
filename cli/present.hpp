#pragma once

#include "commands.hpp"
#include "progress.hpp"
#include "views.hpp"

namespace ktln2::cli {

/// An answer in the asked style.
template <class Answer>
std::string shown(const Answer& made, style how) {
  if (how == style::json) return whole(made.report());
  return how == style::csv ? rows_of(made).csv() : text_of(made);
}

/// Shows an answer in the asked style, and its warnings. Parts of it are only now computed.
template <class Answer>
void present(const Answer& made, style how, progress_bar& bar) {
  const std::vector<std::string> warnings = made.warnings();
  const std::string text = shown(made, how);
  const auto quiet = bar.hidden();
  for (const std::string& warning : warnings) warn(warning);
  print(text);
}

}  // namespace ktln2::cli
