#pragma once

#include <cstddef>
#include <string>

namespace ktln2 {

/// The bytes of a file, of which there may be no end. Throws std::domain_error that begins with
/// `where` if it cannot be read or is larger than so many MiB; it was to be a file with what is
/// `expected`.
std::string text_of_file(const std::string& path, const std::string& where,
                         const std::string& expected, std::size_t most_mebibytes = 64);

}  // namespace ktln2
