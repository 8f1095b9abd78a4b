#pragma once

#include <string>

namespace ktln2::cli {

/// What `ktln2 --help-man` prints: the manual page ktln2(1), for man, made of what help is made of.
std::string manual();

}  // namespace ktln2::cli
