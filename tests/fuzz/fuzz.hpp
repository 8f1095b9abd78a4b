#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

/// What the fuzz targets have in common. A target is one file, which reads its input as the program
/// would; a mistake in the input is told by an exception that the reader documents, and anything
/// else is a defect.
namespace fuzz {

/// Calls `read`, which may throw `Mistake` and nothing else.
template <class Mistake = std::domain_error, class Read>
void allow_mistakes(const Read& read) {
  try {
    read();
  } catch (const Mistake&) {
  }
}

/// What must hold of every input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace fuzz

/// FUZZ(input) { … }, with the input as a std::string_view.
#define FUZZ(input)                                                                   \
  static void fuzz_one(std::string_view input);                                       \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_one({reinterpret_cast<const char*>(data), size});                            \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_one(std::string_view input)
