#pragma once

#include <string>
#include <string_view>

/// Formulas are written once, in a small subset of TeX, and shown in two ways.
///
/// The subset: letters, numbers, Greek, + - = < > / ( ) [ ] , ; : ! ' | _ ^ { }, \frac, \sqrt,
/// \abs{x} for |x|, \left and \right, accents (\tilde \hat \bar), alphabets (\mathrm \mathbb
/// \mathcal \mathbf \boldsymbol), \text, \operatorname, functions (\log \ln \exp \erf …), \sum
/// \prod \int, cases, and the usual symbols. Round and square brackets must be paired.
///
/// All functions throw std::invalid_argument for what they do not know or cannot pair, with what it
/// is and where.
namespace ktln2::paper {

/// MathML Core, a whole <math> element.
std::string to_mathml(std::string_view tex, bool display);

/// One line of Unicode. It never changes the meaning: where TeX shows the structure by position,
/// parentheses do.
std::string to_text(std::string_view tex);

/// A sentence with $mathematics$, `code` and [labels], which stay as they are. On a page a formula
/// stays on one line with the punctuation beside it (class "together").
std::string prose_to_html(std::string_view prose);
std::string prose_to_text(std::string_view prose);

/// & < > " as HTML writes them.
std::string escape_html(std::string_view text);

}  // namespace ktln2::paper
