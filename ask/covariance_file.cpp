#include "ask/covariance_file.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "core/file_text.hpp"
#include "core/parse.hpp"

namespace ktln2::ask {

square_matrix parse_square(std::string_view text, const std::string& where) {
  constexpr std::size_t most = 2000;
  std::vector<std::vector<double>> rows;
  line_reader lines{text};
  while (const auto line = lines.next()) {
    const std::string here = where + ", line " + std::to_string(line->number);
    std::vector<double> row;
    std::string_view rest = line->text;
    for (std::string_view one = take_column(rest); !one.empty(); one = take_column(rest)) {
      row.push_back(parse_number(here, one));
    }
    rows.push_back(std::move(row));
    if (rows.back().size() > most || rows.size() > most) {
      throw std::domain_error(here + ": expected at most " + std::to_string(most) + " features");
    }
    if (rows.back().size() != rows.front().size()) {
      throw std::domain_error(here + ": expected " + std::to_string(rows.front().size()) +
                              " numbers, as in the first line, got " +
                              std::to_string(rows.back().size()));
    }
  }
  if (rows.empty() || rows.size() != rows.front().size()) {
    throw std::domain_error(where + ": expected as many lines as columns, got " +
                            std::to_string(rows.size()) + " lines" +
                            (rows.empty() ? "" : " of " + std::to_string(rows.front().size())));
  }
  square_matrix made(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) made(i, j) = rows[i][j];
  }
  return made;
}

std::optional<square_matrix> optional_covariance(const reader& given) {
  if (!given.has("covariance")) return {};
  const std::string path = given.word("covariance");
  const std::string where = "covariance " + path;
  return parse_square(text_of_file(path, where, "a square of numbers"), where);
}

}  // namespace ktln2::ask
