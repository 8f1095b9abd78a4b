#pragma once

#include <string>
#include <string_view>

#include "ask/json.hpp"

namespace ktln2::ask {

/// Appends one entry of a row, in quotes where it needs them. Null is nothing; a number has all the
/// digits that it takes to read it back.
void append_csv(std::string& row, std::string_view text);
void append_csv_value(std::string& row, const json& value);

}  // namespace ktln2::ask
