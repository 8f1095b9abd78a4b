// One array of NumPy's.
#include "drain.hpp"
#include "folder.hpp"
#include "ktln2/data/npy.hpp"

FUZZ(input) {
  static const fuzz::folder here;
  here.write("m.npy", input);
  fuzz::drain(here.file("m.npy"));
  fuzz::drain(here.file("m.npy"), {.dtype = ktln2::data::parse_element("BF16")});
}
