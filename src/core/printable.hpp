#pragma once

#include <string>

namespace ktln2 {

/// Somebody's text in one line, without what a terminal would obey.
inline std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

}  // namespace ktln2
