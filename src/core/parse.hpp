#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ktln2/core/integer.hpp"

namespace ktln2 {

/// A decimal number such as "-3", "0.25" or "1e-9": nothing before, nothing after, no "inf", "nan"
/// or hexadecimal, and within double's range. Throws std::domain_error that begins with `where`.
double parse_number(std::string_view where, std::string_view text);

/// A whole number ≥ 0 and below 10^38, exactly, also in scientific notation ("1e6", "2.5e3").
uint128 parse_count(std::string_view where, std::string_view text);

/// Without the blanks around it.
std::string_view trimmed(std::string_view text);

/// A line with its number, from 1 on.
struct numbered_line {
  std::size_t number = 0;
  std::string_view text;
};
/// The lines of a text that hold something, one after the other: what stands behind a '#' does not
/// count, nor do blanks around the rest.
class line_reader {
 public:
  explicit line_reader(std::string_view text) : rest_{text} {}
  std::optional<numbered_line> next();

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Takes the next word off the front of a line, up to a blank or a comma; empty at its end.
std::string_view take_column(std::string_view& rest);

/// "name:key=value,key=value" taken apart, as distributions and other settings are written; blanks
/// may stand behind the colon and the commas.
struct described {
  std::string name;
  struct setting {
    std::string key;
    std::string text;
  };
  std::vector<setting> settings;
};

/// Throws std::domain_error for a missing or repeated key or an empty value.
described parse_described(std::string_view text);

/// Where the setting with this key goes: as a number, or as it is written.
struct slot {
  std::string_view key;
  std::variant<double*, std::string*> value;
};

/// Puts each given setting where its key belongs. Throws std::domain_error for an unknown key or a
/// bad number.
void fill_settings(const described& given, std::initializer_list<slot> slots);

}  // namespace ktln2
