#include "paper/typeset/markdown.hpp"

#include <vector>

#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

/// The text up to the next `mark` behind `at`, which moves behind that; nothing if there is none.
bool take_until(std::string_view text, std::size_t& at, std::string_view mark,
                std::string_view& inner) {
  const std::size_t begin = at + mark.size();
  const std::size_t end = text.find(mark, begin);
  if (end == std::string_view::npos || end == begin) return false;
  inner = text.substr(begin, end - begin);
  at = end + mark.size();
  return true;
}

/// [words](address), but not the [label] of a formula.
bool take_link(std::string_view text, std::size_t& at, std::string_view& words) {
  const std::size_t middle = text.find("](", at);
  if (middle == std::string_view::npos) return false;
  words = text.substr(at + 1, middle - at - 1);
  const std::size_t end = text.find(')', middle);
  if (end == std::string_view::npos || words.find(']') != std::string_view::npos) return false;
  at = end + 1;
  return true;
}

std::string inline_html(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    std::string_view inner;
    if (text[at] == '`' && take_until(text, at, "`", inner)) {
      result += html::code(inner);
    } else if (text.substr(at).starts_with("**") && take_until(text, at, "**", inner)) {
      result += "<strong>" + inline_html(inner) + "</strong>";
    } else if (text[at] == '*' && take_until(text, at, "*", inner)) {
      result += "<em>" + inline_html(inner) + "</em>";
    } else if (text[at] == '[' && take_link(text, at, inner)) {
      result += inline_html(inner);
    } else {
      result += escape_html(text.substr(at++, 1));
    }
  }
  return result;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return result;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? "" : line.substr(begin);
}

/// Where the text of "12. text" begins; 0 for a line that is no item.
std::size_t item_start(std::string_view line) {
  const std::size_t digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos) return 0;
  return line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

class writer {
 public:
  void add(std::string_view line) {
    if (trimmed(line).empty()) {
      end_paragraph();
    } else if (const std::size_t start = item_start(line); start > 0) {
      end_item();
      if (!in_list_) result_ += "<ol>\n";
      in_list_ = true;
      result_ += "<li>";
      paragraph_ = line.substr(start);
    } else {
      if (in_list_ && paragraph_.empty() && !line.starts_with(' ')) end_list();
      if (!paragraph_.empty()) paragraph_ += ' ';
      paragraph_ += trimmed(line);
    }
  }

  std::string finish() {
    end_list();
    return result_;
  }

 private:
  void end_paragraph() {
    if (!paragraph_.empty()) result_ += "<p>" + inline_html(paragraph_) + "</p>\n";
    paragraph_.clear();
  }
  void end_item() {
    end_paragraph();
    if (in_list_) result_ += "</li>\n";
  }
  void end_list() {
    end_item();
    if (in_list_) result_ += "</ol>\n";
    in_list_ = false;
  }

  std::string result_;
  std::string paragraph_;
  bool in_list_ = false;
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
  for (const std::string_view line : lines_of(markdown)) out.add(line);
  return out.finish();
}

}  // namespace ktln2::paper
