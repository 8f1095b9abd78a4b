#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/core/wide.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2::cli {

/// Keys stay in the order in which a command writes them.
using json_value = nlohmann::ordered_json;

enum class style { text, json, csv };

/// A number as the contract wants it: null where undefined, a string where it is infinite or beyond
/// double's range.
json_value number(double value);
json_value number(const wide& value);
/// A code as a number up to 64 bits, as a string of digits beyond.
json_value number(register_code code);

/// Decimal digits, at most 17 significant ones, also beyond double's range.
std::string decimal(const wide& value);
std::string digits(register_code code);

/// A value shown to the digit that its error bar reaches, and the bar: "26.46373399079 ± 8.1e-14".
std::string with_error(bounded<bits> value);

/// Rows under headings, each column as wide as its widest entry; numbers to the right.
class table {
 public:
  explicit table(std::vector<std::string> headings) { add(std::move(headings)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string csv() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// What every command's JSON object begins with.
json_value report(std::string_view command);
/// Prints the object, with the warnings so far, and nothing else.
void print_json(json_value object);
void print(std::string_view text);

/// To stderr at once, and into `warnings` of the JSON object.
void warn(std::string_view text);

}  // namespace ktln2::cli
