#include "ask/csv.hpp"

namespace ktln2::ask {

void append_csv(std::string& row, std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) {
    row += text;
    return;
  }
  row += '"';
  for (const char c : text) {
    if (c == '"') row += '"';
    row += c;
  }
  row += '"';
}

void append_csv_value(std::string& row, const json& value) {
  if (value.is_null()) return;
  if (value.is_string()) {
    append_csv(row, value.get_ref<const std::string&>());
  } else if (value.is_number_float()) {
    row += plain(value.get<double>());
  } else {
    row += text_of(value);
  }
}

}  // namespace ktln2::ask
