#include "paper/typeset/markdown.hpp"

#include <md4c.h>

#include <stdexcept>

#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

/// The elements that are only opened and closed; nothing for the others.
std::string_view element_of(MD_BLOCKTYPE type) {
  switch (type) {
    case MD_BLOCK_UL:
      return "ul";
    case MD_BLOCK_OL:
      return "ol";
    case MD_BLOCK_LI:
      return "li";
    case MD_BLOCK_P:
      return "p";
    default:
      return "";
  }
}

std::string_view element_of(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_EM:
      return "em";
    case MD_SPAN_STRONG:
      return "strong";
    case MD_SPAN_CODE:
      return "code";
    default:
      return "";
  }
}

/// What md4c calls back.
struct writer {
  std::string html;
  std::string tex;  ///< of the formula that is being read

  static writer& of(void* self) { return *static_cast<writer*>(self); }  // given back

  static int enter_block(MD_BLOCKTYPE type, void* /*detail*/, void* self) {
    const std::string_view name = element_of(type);
    if (!name.empty()) of(self).html.append("<").append(name).append(">");
    return 0;
  }
  static int leave_block(MD_BLOCKTYPE type, void* /*detail*/, void* self) {
    const std::string_view name = element_of(type);
    if (!name.empty()) of(self).html.append("</").append(name).append(">\n");
    return 0;
  }
  static int enter_span(MD_SPANTYPE type, void* /*detail*/, void* self) {
    const std::string_view name = element_of(type);
    if (!name.empty()) of(self).html.append("<").append(name).append(">");
    return 0;
  }
  static int leave_span(MD_SPANTYPE type, void* /*detail*/, void* self) {
    writer& out = of(self);
    if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
      out.html += html::formula(out.tex, type == MD_SPAN_LATEXMATH_DISPLAY);
      out.tex.clear();
    }
    const std::string_view name = element_of(type);
    if (!name.empty()) out.html.append("</").append(name).append(">");
    return 0;
  }
  static int text(MD_TEXTTYPE type, const MD_CHAR* begin, MD_SIZE size, void* self) {
    const std::string_view words(begin, size);
    if (type == MD_TEXT_LATEXMATH) {
      of(self).tex += words;
    } else if (type == MD_TEXT_SOFTBR) {
      of(self).html += ' ';
    } else if (type == MD_TEXT_ENTITY) {
      of(self).html += words;
    } else {
      of(self).html += escape_html(words);
    }
    return 0;
  }
};

}  // namespace

std::string_view markdown_section(std::string_view markdown, std::string_view heading) {
  const std::string marked = "\n## " + std::string(heading) + '\n';
  const std::size_t found = markdown.find(marked);
  if (found == std::string_view::npos) return "";
  const std::string_view rest = markdown.substr(found + marked.size());
  return rest.substr(0, rest.find("\n#"));
}

std::string markdown_to_html(std::string_view markdown) {
  writer out;
  const MD_PARSER parser{.abi_version = 0,
                         .flags = MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML,
                         .enter_block = writer::enter_block,
                         .leave_block = writer::leave_block,
                         .enter_span = writer::enter_span,
                         .leave_span = writer::leave_span,
                         .text = writer::text,
                         .debug_log = nullptr,
                         .syntax = nullptr};
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &out) != 0) {
    throw std::runtime_error("cannot read Markdown");
  }
  return out.html;
}

}  // namespace ktln2::paper
