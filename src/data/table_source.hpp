#pragma once

#include <string>

#include "data/source.hpp"
#include "ktln2/data/table.hpp"

namespace ktln2::data {

/// What the beginning of a source shows of the table in it; the ending of its name counts too.
table_layout layout_of(source& from, const std::string& path, table_options options);

}  // namespace ktln2::data
