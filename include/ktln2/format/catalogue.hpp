#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// A format that people know, and the paper's idealized one of the same size.
struct format_entry {
  std::string_view name;     ///< "p24e8"
  std::string_view size_of;  ///< "binary32"
  std::vector<std::string_view> also_called = {};
};

/// The common ones, from the smallest on. Any other p<P>e<E> is a format too.
const std::vector<format_entry>& format_catalogue();

/// From a name such as "p24e8". Throws std::domain_error that says what was expected, and what was
/// probably meant: "float32" has the size of p24e8.
float_format parse_format(std::string_view name);

/// "codebook:FILE" stands for the values that a file lists [thm:quantized_ent]: the FILE, or
/// nothing for any other name. Throws std::domain_error if FILE is missing.
std::optional<std::string> codebook_file(std::string_view name);

/// "p24e8" with p set to 11: "p11e8". Throws std::domain_error for a name that is no format.
std::string with_format_key(std::string_view name, std::string_view key, std::string_view value);

}  // namespace ktln2
