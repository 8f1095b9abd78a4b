#include "paper/toml.hpp"

#include <algorithm>
#include <string>

namespace ktln2::paper {
namespace {

/// Goes through the strings and comments of a text. Up to its first mistake, where toml++ ends, it
/// knows what is inside of them.
class outside_of_strings {
 public:
  explicit outside_of_strings(std::string_view text) : text_{text} {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a mark of UTF-8, which may begin a file
  }

  /// The next character that is in no string and no comment; nothing at the end.
  const char* next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if ((c == '"' || c == '\'') && may_begin_string()) {
        skip_string(c);
        last_ = c;
      } else {
        if (c != ' ' && c != '\t') last_ = c;
        return &text_[at_++];
      }
    }
    return nullptr;
  }

 private:
  /// A quote behind anything else is a mistake, which toml++ reads on from.
  [[nodiscard]] bool may_begin_string() const {
    return std::string_view("\n=,[{.").find(last_) != std::string_view::npos;
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    at_ += is_long ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (!is_long && (text_[at_] == quote || text_[at_] == '\n')) {
        ++at_;
        return;
      } else if (is_long && text_.substr(at_).starts_with(three)) {
        // The last three of up to five.
        at_ = std::min(text_.find_first_not_of(quote, at_), std::min(at_ + 5, text_.size()));
        return;
      }
    }
    at_ = text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char last_ = '\n';  ///< the last character that is no blank
};

}  // namespace

toml::table parse_toml(std::string_view text) {
  outside_of_strings rest{text};
  while (const char* c = rest.next()) {
    if (static_cast<unsigned char>(*c) < 0x80) continue;
    const auto line = 1 + std::count(text.data(), c, '\n');
    const toml::source_position place{static_cast<toml::source_index>(line), 1};
    throw toml::parse_error{"expected letters beyond ASCII in quotes only",
                            toml::source_region{place, place, {}}};
  }
  return toml::parse(text);
}

}  // namespace ktln2::paper
