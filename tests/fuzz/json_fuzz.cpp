// Any bytes become JSON that can be read back, and rows of CSV.
#include "ask/csv.hpp"
#include "ask/json.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  const ktln2::ask::json value = std::string(input);
  const ktln2::ask::json again = ktln2::ask::json::parse(ktln2::ask::text_of(value));
  fuzz::require(ktln2::ask::json::parse(ktln2::ask::text_of(again)) == again);
  std::string row;
  ktln2::ask::append_csv_value(row, value);
}
