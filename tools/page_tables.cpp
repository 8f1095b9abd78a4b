// Writes the tables of the documentation anew. Usage: ktln2-page-tables docs

#include "paper/claims/page_tables.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

void renew(const std::filesystem::path& file, std::string (*with_tables)(std::string_view)) {
  std::ostringstream page;
  page << std::ifstream(file).rdbuf();
  const std::string renewed = with_tables(page.str());
  std::ofstream(file) << renewed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: ktln2-page-tables docs\n";
    return 2;
  }
  const std::filesystem::path docs = argv[1];
  renew(docs / "errata.md", ktln2::paper::with_errata);
  renew(docs / "paper.md", ktln2::paper::with_commands);
  return 0;
}
