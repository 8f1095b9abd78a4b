// What an earlier run of the paper left.
#include "folder.hpp"
#include "fuzz.hpp"
#include "paper/report/ledger.hpp"

FUZZ(input) {
  using namespace ktln2::paper;
  static const fuzz::folder here;
  std::filesystem::create_directories(here.file("data"));
  here.write("data/ledger.json", input);
  here.write("data/MMC.csv", "x\n1\n");
  ledger known{here.file("")};
  figure_result result{.what = {.label = "fig:MMC", .settings = {{}}}};
  const bool is_known = known.knows(result, "print");
  fuzz::require(!is_known || !result.files.empty());
  result.files = {"data/MMC.csv"};
  known.add(result, "print");
  fuzz::require(ledger{here.file("")}.knows(result, "print"));
}
