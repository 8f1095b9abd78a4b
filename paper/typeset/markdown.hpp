#pragma once

#include <string>
#include <string_view>

namespace ktln2::paper {

/// What stands below a heading of a Markdown file, up to the next one of any level; empty if there
/// is no such heading.
std::string_view markdown_section(std::string_view markdown, std::string_view heading);

/// HTML of the Markdown that docs/errata.md uses in its text: paragraphs, one level of ordered
/// list, **bold**, *italics*, `code`, and links, of which the words remain, because a report that
/// is copied elsewhere has no documentation beside it.
std::string markdown_to_html(std::string_view markdown);

}  // namespace ktln2::paper
