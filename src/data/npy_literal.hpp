#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ktln2::data {

/// What the header of a .npy file says, which is a Python literal:
///     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
struct npy_literal {
  std::string descr;
  std::vector<std::uint64_t> shape;
};

/// Throws file_error. Shapes as Python 2 wrote them, (3L, 4L), are read too.
npy_literal parse_npy_literal(const std::string& file, std::string_view text);

}  // namespace ktln2::data
