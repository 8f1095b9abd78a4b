#pragma once

#include <string>
#include <string_view>

/// Small pieces of HTML, for the report. What comes out may stand in a page as it is.
namespace ktln2::paper::html {

/// A name that can be an id and the target of a link. Different texts have different names.
std::string anchor(std::string_view text);

/// A sentence with $mathematics$, `code` and [labels]. What cannot be typeset stands there as it
/// was written: a report with an ugly formula is better than none.
std::string prose(std::string_view text);
/// The same without any markup, to stand in an attribute.
std::string plain(std::string_view text);

/// A formula; as code if it cannot be typeset.
std::string formula(std::string_view tex, bool display);

std::string code(std::string_view text);
/// Code that breaks between its words only, not behind the hyphens of "--seed".
std::string command(std::string_view text);
/// To `digits` significant digits: 0.25, 3.1 × 10⁻¹⁴.
std::string number(double value, int digits = 6);
/// A parameter as one would write it: as a number, but 2⁻⁷⁰ for a large power of two.
std::string parameter_value(double value);
/// "0.31 s", "12 s".
std::string seconds(double value);
/// "1 claim", "7 claims".
std::string count(std::size_t many, std::string_view one, std::string_view several);

/// An SVG drawing as the address of an image, so that the names inside it clash with no others.
std::string image_address(std::string_view svg);

}  // namespace ktln2::paper::html
