// Reads lines "p E midpoint|floor law a b c d" (numbers as decimals or C99 hex floats) and prints
// for each of them H(X_fp) in bits with 30 digits, and its estimated error. With the argument
// --enumerate all cells are summed one by one, for comparison. "#" starts a comment line.
//
// "pair" computes the joint entropy of X and Y = w X + xi: "ktln2-oracle pair px ex py ey w sx
// sxi", or the seven numbers on each line of the input. It prints H(X_fp, Y_fp), H(X_fp) and
// H(Y_fp), each followed by its estimated error.
#include <quadmath.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "oracle.hpp"
#include "pair.hpp"

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

// A pair's numbers keep 113 bits: decimals of a table are taken nearly as they are.
__float128 parse_quad(std::string const& text) {
  char* end = nullptr;
  __float128 const value = strtoflt128(text.c_str(), &end);
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

std::string to_text(oracle_result const& result) {
  char value[64], error[64];
  quadmath_snprintf(value, sizeof value, "%.30Qg", result.value);
  quadmath_snprintf(error, sizeof error, "%.2Qe", result.error);
  return std::string(value) + " " + error;
}

std::string single(std::string const& line, bool enumerate) {
  Query const q = parse_query(line);
  return to_text((enumerate ? oracle_enumerate : oracle_entropy)(q.p, q.E, q.floor_cells, q.law));
}

std::string pair(std::string const& line) {
  std::istringstream words(line);
  int px = 0, ex = 0, py = 0, ey = 0;
  std::string w, sx, sxi, rest;
  if (!(words >> px >> ex >> py >> ey >> w >> sx >> sxi) || words >> rest) {
    throw std::invalid_argument("expected px ex py ey w sx sxi");
  }
  oracle_pair_law const law{parse_quad(w), parse_quad(sx), parse_quad(sxi)};
  oracle_pair_result const result = oracle_pair_entropy(px, ex, py, ey, law);
  return to_text(result.joint) + "  " + to_text(result.x) + "  " + to_text(result.y);
}

}  // namespace

int main(int argc, char** argv) {
  std::string const mode = argc > 1 ? argv[1] : "";
  int status = EXIT_SUCCESS;
  auto const answer = [&](std::string const& line) {
    if (line.empty() || line[0] == '#') return;
    try {
      std::printf("%s\n",
                  (mode == "pair" ? pair(line) : single(line, mode == "--enumerate")).c_str());
    } catch (std::invalid_argument const& problem) {
      std::printf("error: %s\n", problem.what());
      status = EXIT_FAILURE;
    }
    std::fflush(stdout);
  };
  if (mode == "pair" && argc > 2) {
    std::string line;
    for (int i = 2; i < argc; ++i) line += std::string(argv[i]) + " ";
    answer(line);
    return status;
  }
  for (std::string line; std::getline(std::cin, line);) answer(line);
  return status;
}
