#pragma once

#include <string>
#include <string_view>

namespace ktln2::data {

/// Throws file_error "FILE: what".
[[noreturn]] void refuse_file(const std::string& file, const std::string& what);

/// A name or a cell as a message shows it: in quotes, on one line, cut where it is long, and with
/// '?' for what a terminal might take amiss.
std::string in_quotes(std::string_view text);

/// Whether the bytes are UTF-8.
bool is_utf8(std::string_view text);

}  // namespace ktln2::data
