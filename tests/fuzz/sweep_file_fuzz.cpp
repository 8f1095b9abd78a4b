// The rows that an interrupted sweep left, gone on with and made an .npz of.
#include "cli/sweep_file.hpp"
#include "folder.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  static const fuzz::folder here;
  const std::string question = "q";
  const std::vector<std::string> headings{"a", "b"};
  here.write("rows.npz.part", "# q\na,b\n" + std::string(input));
  {
    ktln2::cli::sweep_file file{here.file("rows.npz"), question};
    file.begin(headings);
    file.append("1,2\n");
    file.finish();
  }
  fuzz::require(ktln2::cli::sweep_file(here.file("rows.npz"), question).is_complete());
  std::filesystem::remove(here.file("rows.npz"));
}
