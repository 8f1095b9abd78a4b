// A table, with decimal points and with commas, and in an unknown file.
#include "drain.hpp"
#include "folder.hpp"

FUZZ(input) {
  static const fuzz::folder here;
  here.write("t.csv", input);
  fuzz::drain(here.file("t.csv"));
  fuzz::drain(here.file("t.csv"), {.table = {.decimal_comma = true, .has_header = true}});
  here.write("unknown", input);
  fuzz::drain(here.file("unknown"));
}
