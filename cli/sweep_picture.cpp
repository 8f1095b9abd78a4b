// What --plot draws of a sweep: lines along one axis, a map over two.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "ask/sweep.hpp"
#include "output.hpp"
#include "pictures.hpp"

namespace ktln2::cli {
namespace {

constexpr std::size_t most_columns = 6;
constexpr std::uint64_t most_rows = 100'000;

/// What is drawn where the user names no columns.
std::vector<std::string> main_columns(const ask::words& asked) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> known{
      {"law", {"differential_entropy"}},
      {"entropy", {"value"}},
      {"cost", {"bits"}},
      {"scaling", {"n_star", "profit"}},
      {"mismatch", {"mmc_nats"}},
      {"simulate", {"entropy.grassberger.value"}},
  };
  if (asked.kind == "islands") return {"mismatch_nats"};
  if (asked.kind == "ctmc") return {"production_nats"};
  const auto found = known.find(asked.command);
  return found == known.end() ? std::vector<std::string>{} : found->second;
}

/// The names under which the error of a number may stand.
std::vector<std::string> names_of_error(const std::string& column) {
  std::vector<std::string> names{column + "_error"};
  if (column == "value" || column == "bits") names.emplace_back("error");
  if (column == "mmc_nats") names.emplace_back("error_nats");
  if (column.ends_with(".value")) names.push_back(column.substr(0, column.size() - 5) + "error");
  return names;
}

bool has_word(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string error_of(const std::string& column, const std::vector<std::string>& headings) {
  for (const std::string& name : names_of_error(column)) {
    if (has_word(headings, name)) return name;
  }
  return "";
}

/// Those of the list that are no error of another one.
std::vector<std::string> without_errors(const std::vector<std::string>& list) {
  std::vector<std::string> kept;
  for (const std::string& one : list) {
    const bool is_error = std::any_of(list.begin(), list.end(), [&](const std::string& other) {
      return has_word(names_of_error(other), one);
    });
    if (!is_error && one != "warnings") kept.push_back(one);
  }
  return kept;
}

bool names_columns(const ask::sweep_question& asked) {
  return !asked.columns.empty() && asked.columns.front() != "all";
}

std::vector<std::string> drawn_columns(const ask::sweep& swept) {
  const ask::sweep_question& asked = swept.question();
  if (names_columns(asked)) return without_errors(asked.columns);
  const std::vector<std::string>& headings = swept.headings();
  std::vector<std::string> chosen;
  for (const std::string& one : main_columns(asked.asked)) {
    if (has_word(headings, one)) chosen.push_back(one);
  }
  if (chosen.empty() && headings.size() > asked.axes.size()) {
    chosen.push_back(headings[asked.axes.size()]);
  }
  return chosen;
}

/// The question without the axes, which the picture has.
std::string title_of_sweep(const ask::sweep_question& asked) {
  const std::string text = asked.text();
  const std::size_t begin = text.find("sweep ") + 6;
  return text.substr(begin, text.find(" --over ") - begin);
}

}  // namespace

void require_picture(const ask::sweep_question& asked) {
  if (asked.axes.size() > 2) {
    throw std::domain_error(
        fmt::format("sweep: --plot draws one axis or two, got {}", asked.axes.size()));
  }
  std::uint64_t rows = 1;
  for (const ask::axis& one : asked.axes) rows *= std::min(one.size(), most_rows + 1);
  if (rows > most_rows) {
    throw std::domain_error(fmt::format("sweep: --plot draws up to {} rows", most_rows));
  }
  const std::size_t columns = without_errors(asked.columns).size();
  if (columns > most_columns) {
    throw std::domain_error(
        fmt::format("sweep: --plot draws up to {} columns, got {}", most_columns, columns));
  }
  if (names_columns(asked) && columns == 0) {
    throw std::domain_error("sweep: --plot needs a column of numbers");
  }
}

paper::plot_request picture_of(const ask::sweep& swept, const std::string& rows) {
  table axes({"key", "is_log"});
  for (const ask::axis& one : swept.question().axes) {
    axes.add({one.key(), one.is_log() ? "1" : "0"});
  }
  table columns({"column", "error"});
  for (const std::string& one : drawn_columns(swept)) {
    columns.add({one, error_of(one, swept.headings())});
  }
  return {"sweep",
          title_of_sweep(swept.question()),
          rows,
          {{"axes", axes.csv()}, {"columns", columns.csv()}}};
}

}  // namespace ktln2::cli
