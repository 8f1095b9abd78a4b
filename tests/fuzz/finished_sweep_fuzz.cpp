// Files that may be finished sweeps, or anything else.
#include "cli/sweep_file.hpp"
#include "folder.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  static const fuzz::folder here;
  for (const char* name : {"rows.npz", "rows.csv"}) {
    here.write(name, input);
    fuzz::allow_mistakes([&] { (void)ktln2::cli::sweep_file(here.file(name), "q").is_complete(); });
    std::filesystem::remove(here.file(name));
  }
  here.write("rows.csv.part", input);
  fuzz::allow_mistakes([&] {
    ktln2::cli::sweep_file file{here.file("rows.csv"), "q"};
    file.begin({"a", "b"});
  });
}
