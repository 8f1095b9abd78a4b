// An archive of arrays.
#include "drain.hpp"
#include "folder.hpp"

FUZZ(input) {
  static const fuzz::folder here;
  here.write("m.npz", input);
  fuzz::drain(here.file("m.npz"));
}
