#pragma once

#include <string>

namespace ktln2::ask {

/// The bytes of a file, of which there may be no end. Throws std::domain_error that begins with
/// `where` for more than 64 MiB, and for what cannot be read, where it says that a file with
/// `expected` was.
std::string text_of_file(const std::string& path, const std::string& where,
                         const std::string& expected);

}  // namespace ktln2::ask
