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

/// How many digits behind the point it is known to: 0 where the error bar is infinite.
int decimals_of(const bounded<bits>& value);
/// The error bar as text has it beside the value: "8.1e-14". Of a proved value it holds what is
/// lost where the value is shown with one digit more than it reaches.
std::string shown_bar(const bounded<bits>& value);

/// Warns of an error bar that is more than so many tolerances wide.
std::vector<std::string> tolerance_warnings(bits tolerance, const bounded<bits>& value,
                                            double allowed = 1);

/// The value that `entropy` is about.
void add_value(report& made, const bounded<bits>& value, const char* method);

}  // namespace ktln2::ask
