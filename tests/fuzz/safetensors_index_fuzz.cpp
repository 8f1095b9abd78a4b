// The index of a model in several files, none of which lies elsewhere.
#include "fuzz.hpp"
#include "ktln2/data/safetensors.hpp"

FUZZ(input) {
  fuzz::allow_mistakes<ktln2::data::file_error>([&] {
    for (const auto& [file, tensors] : ktln2::data::parse_safetensors_index("f", input)) {
      fuzz::require(file.find('/') == std::string::npos && file != ".." && !tensors.empty());
    }
  });
}
