#pragma once

#include <string>

#include "scratch_folder.hpp"

/// A .npy file with the given literal as its header.
inline std::string npy(const std::string& literal, const std::string& data, int version = 1) {
  const int length_bytes = version == 1 ? 2 : 4;
  std::string head = "\x93NUMPY";
  head += static_cast<char>(version);
  head += '\0';
  return head + little_endian(literal.size(), length_bytes) + literal + data;
}

inline std::string npy_literal_of(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}
