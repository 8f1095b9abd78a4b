// Reads lines "p E midpoint|floor law a b c d" (numbers as decimals or C99 hex floats) and prints
// for each of them H(X_fp) in bits with 30 digits, and its estimated error. With the argument
// --enumerate all cells are summed one by one, for comparison. "#" starts a comment line.
#include <quadmath.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "oracle.hpp"

namespace {

struct Query {
  int p, E;
  bool floor_cells;
  oracle_law law;
};

double parse_number(std::string const& text) {
  char* end = nullptr;
  double const value = std::strtod(text.c_str(), &end);  // operator>> knows no hex floats
  if (text.empty() || *end != '\0') throw std::invalid_argument("not a number: '" + text + "'");
  return value;
}

Query parse_query(std::string const& line) {
  static std::map<std::string, oracle_kind> const kinds = {
      {"normal", oracle_kind::normal},   {"student", oracle_kind::student},
      {"slope", oracle_kind::slope},     {"uniform", oracle_kind::uniform},
      {"laplace", oracle_kind::laplace}, {"logistic", oracle_kind::logistic}};
  std::istringstream words(line);
  Query query{};
  std::string cells, law, number;
  if (!(words >> query.p >> query.E >> cells >> law)) throw std::invalid_argument("bad line");
  if (cells != "midpoint" && cells != "floor") throw std::invalid_argument("bad cells: " + cells);
  auto const kind = kinds.find(law);
  if (kind == kinds.end()) throw std::invalid_argument("unknown law: " + law);
  query.floor_cells = cells == "floor";
  query.law.kind = kind->second;
  for (int i = 0; i < oracle_arity(query.law.kind); ++i) {
    if (!(words >> number)) throw std::invalid_argument("too few parameters");
    query.law.params[i] = parse_number(number);
  }
  if (words >> number) throw std::invalid_argument("too many parameters");
  return query;
}

}  // namespace

int main(int argc, char** argv) {
  bool const enumerate = argc > 1 && std::string(argv[1]) == "--enumerate";
  int status = EXIT_SUCCESS;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty() || line[0] == '#') continue;
    try {
      Query const q = parse_query(line);
      oracle_result const result =
          (enumerate ? oracle_enumerate : oracle_entropy)(q.p, q.E, q.floor_cells, q.law);
      char value[64], error[64];
      quadmath_snprintf(value, sizeof value, "%.30Qg", result.value);
      quadmath_snprintf(error, sizeof error, "%.2Qe", result.error);
      std::printf("%s %s\n", value, error);
    } catch (std::invalid_argument const& problem) {
      std::printf("error: %s\n", problem.what());
      status = EXIT_FAILURE;
    }
    std::fflush(stdout);
  }
  return status;
}
