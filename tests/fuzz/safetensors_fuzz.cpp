// A file of tensors: the header alone, and the whole file.
#include "drain.hpp"
#include "folder.hpp"
#include "ktln2/data/safetensors.hpp"

FUZZ(input) {
  fuzz::allow_mistakes<ktln2::data::file_error>([&] {
    std::uint64_t end = 0;
    for (const auto& one : ktln2::data::parse_safetensors_header("f", input, {})) {
      fuzz::require(one.begin == end && one.end >= one.begin);
      end = one.end;
    }
  });
  static const fuzz::folder here;
  here.write("m.safetensors", input);
  fuzz::drain(here.file("m.safetensors"));
}
