// Writes the tables of docs/errata.md anew. Usage: ktln2-errata docs/errata.md

#include "paper/claims/errata.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: ktln2-errata docs/errata.md\n";
    return 2;
  }
  std::ostringstream page;
  page << std::ifstream(argv[1]).rdbuf();
  const std::string renewed = ktln2::paper::with_errata(page.str());
  std::ofstream(argv[1]) << renewed;
  return 0;
}
