#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/core/wide.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2::ask {

/// Keys stay in the order in which an answer has them.
using json = nlohmann::ordered_json;

/// A number as JSON can have it: null where undefined, a string where it is infinite or beyond
/// double's range, without a decimal point where it is whole.
json number(double value);
json number(const wide& value);
/// A code as a number up to 64 bits, as a string of digits beyond.
json number(register_code code);

/// Decimal digits, at most 17 significant ones, also beyond double's range.
std::string decimal(const wide& value);
std::string digits(register_code code);

/// The text of a value, in one line or with so many blanks a level. What is not UTF-8, such as the
/// bytes of a file's name, becomes U+FFFD, for JSON has no other characters.
std::string text_of(const json& value, int indent = -1);

/// The shortest decimal that reads back as the same double; nothing where it is undefined.
std::string plain(double value);

}  // namespace ktln2::ask
