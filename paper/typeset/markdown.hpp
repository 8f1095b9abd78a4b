#pragma once

#include <string>
#include <string_view>

namespace ktln2::paper {

/// What stands below a heading "## ..." of a Markdown text, up to the next one; empty if there is
/// no such heading.
std::string_view markdown_section(std::string_view markdown, std::string_view heading);

/// HTML of Markdown: paragraphs, lists, emphasis, code, and mathematics between dollar signs, in
/// the TeX of formula.hpp. Of links the words remain, because a report that is copied elsewhere has
/// no documentation beside it; [labels] stay as they are.
std::string markdown_to_html(std::string_view markdown);

}  // namespace ktln2::paper
