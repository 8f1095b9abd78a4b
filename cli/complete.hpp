#pragma once

#include <string>
#include <vector>

namespace ktln2::cli {

/// A word that may stand where the cursor is, and what it is.
struct candidate {
  std::string word;  ///< with ':' or '=' in the end more is to follow
  std::string about;
};

/// What can be completed in a command line, of which these are the words behind the name of the
/// program, the last one as far as it is typed. Read off the tables that the parser and help read.
/// Nothing where a file or a number is expected.
std::vector<candidate> completions(const std::vector<std::string>& words);

/// What `ktln2 --complete WORD…` prints for the shells: a line for each, word, tab, what it is.
std::string completions_text(const std::vector<std::string>& words);

}  // namespace ktln2::cli
