#include "ktln2/data/table.hpp"

#include <charconv>
#include <system_error>
#include <utility>

#include "data/refuse.hpp"
#include "data/source.hpp"
#include "data/table_source.hpp"

namespace ktln2::data {

table_layout layout_of(source& from, const std::string& path, table_options options) {
  if (!options.delimiter && path.ends_with(".tsv")) options.delimiter = '\t';
  // Enough for a row, were it ever so long.
  for (std::size_t most = std::size_t{1} << 17;; most *= 8) {
    const auto bytes = from.look(most);
    const std::string_view front(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const bool is_whole = front.size() < most;
    if (is_whole && front.empty()) refuse_file(from.name(), "is empty");
    const bool has_row = front.find_first_of("\r\n") != std::string_view::npos;
    if (is_whole || has_row || most > std::size_t{1} << 26) {
      return guess_table_layout(from.name(), front, is_whole, options);
    }
  }
}

namespace {

bool has_only_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "height, weight", the first ones if they are many
std::string some_names(const std::vector<table_column>& columns) {
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(columns.size(), most); ++i) {
    names += (i == 0 ? "" : ", ") + columns[i].name;
  }
  return names + (columns.size() > most ? ", …" : "");
}

std::string numbers_of(const std::vector<table_column>& columns) {
  return columns.size() == 1 ? " or the number 1"
                             : " or a number from 1 to " + std::to_string(columns.size());
}

}  // namespace

table::table(const std::string& path, const table_options& options)
    : from_{std::make_shared<source>(path)}, layout_{layout_of(*from_, path, options)} {}

std::size_t table::column(std::string_view name) const {
  const auto& columns = layout_.columns;
  std::size_t found = columns.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != name) continue;
    if (found < columns.size())
      refuse_file(from_->name(), "two columns are called " + in_quotes(name));
    found = i;
  }
  if (found == columns.size()) {
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = problem == std::errc{} && end == name.data() + name.size();
    if (is_number && number >= 1 && number <= columns.size()) found = number - 1;
  }
  if (found == columns.size()) {
    refuse_file(from_->name(), "no column is called " + in_quotes(name) + ", expected one of " +
                                   some_names(columns) +
                                   (has_only_digits(name) ? numbers_of(columns) : ""));
  }
  if (!columns[found].is_number) {
    refuse_file(from_->name(), "column " + in_quotes(name) + " holds text, expected numbers");
  }
  return found;
}

const std::string& table::name() const { return from_->name(); }

bool table::can_be_read_again() const { return !from_->is_pipe(); }

std::unique_ptr<table_rows> table::rows(std::vector<std::size_t> columns) const {
  return std::make_unique<table_rows>(from_, layout_, std::move(columns));
}

}  // namespace ktln2::data
