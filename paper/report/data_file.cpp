#include "paper/report/data_file.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace ktln2::paper {
namespace {

/// The cells of the record that starts at `at`, which moves behind its end. Quoted cells may hold
/// commas, line breaks and doubled quotes.
std::vector<std::string> next_record(std::string_view csv, std::size_t& at) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (; at < csv.size(); ++at) {
    const char c = csv[at];
    if (is_quoted) {
      const bool is_doubled = c == '"' && at + 1 < csv.size() && csv[at + 1] == '"';
      if (is_doubled) ++at;
      if (c != '"' || is_doubled) {
        cells.back() += c;
      } else {
        is_quoted = false;
      }
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == ',') {
      cells.emplace_back();
    } else if (c == '\n') {
      break;
    } else {
      cells.back() += c;
    }
  }
  ++at;
  return cells;
}

/// From "# column NAME (UNIT): MEANING".
column described(std::string_view line) {
  const std::size_t colon = line.find(": ");
  std::string_view name = line.substr(0, colon);
  column result;
  if (colon != std::string_view::npos) result.meaning = line.substr(colon + 2);
  const std::size_t open = name.find(" (");
  if (open != std::string_view::npos && name.ends_with(')')) {
    result.unit = name.substr(open + 2, name.size() - open - 3);
    name = name.substr(0, open);
  }
  result.name = name;
  return result;
}

}  // namespace

data_file parse_data(std::string_view csv) {
  std::map<std::string, column> known;
  std::size_t at = 0;
  while (at < csv.size() && csv[at] == '#') {
    const std::size_t end = std::min(csv.find('\n', at), csv.size());
    const std::string_view line = csv.substr(at, end - at);
    const std::string_view mark = "# column ";
    if (line.starts_with(mark)) {
      const column one = described(line.substr(mark.size()));
      known[one.name] = one;
    }
    at = end + 1;
  }
  data_file result;
  if (at >= csv.size()) return result;
  for (const std::string& name : next_record(csv, at)) {
    result.columns.push_back(known.contains(name) ? known[name] : column{name, "", ""});
  }
  while (at < csv.size()) {
    result.rows.push_back(next_record(csv, at));
    result.rows.back().resize(result.columns.size());
  }
  return result;
}

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::optional<data_file> read_data(const std::filesystem::path& file) {
  const std::string text = contents_of(file);
  if (text.empty()) return std::nullopt;
  return parse_data(text);
}

}  // namespace ktln2::paper
