#pragma once

#include <string>
#include <vector>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"

namespace ktln2::ask {

/// --tolerance, in bits.
bits read_tolerance(const reader& given, bits otherwise);

/// What to expect of so many bits where no tolerance is given: of a law that is known by a table,
/// not more than the table allows.
bits usual_tolerance(double width, const law& x);

/// Warns of an error bar that is more than so many tolerances wide.
std::vector<std::string> tolerance_warnings(bits tolerance, bits error, double allowed = 1);

/// The value that `entropy` is about.
void add_value(report& made, const bounded<bits>& value, const char* method);

}  // namespace ktln2::ask
