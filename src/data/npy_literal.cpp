#include "data/npy_literal.hpp"

#include <charconv>
#include <system_error>

#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

class literal_reader {
 public:
  literal_reader(const std::string& file, std::string_view text) : file_{file}, rest_{text} {}

  npy_literal read() {
    expect('{');
    while (!take('}')) {
      read_entry();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty()) refuse("expected nothing after '}', got " + in_quotes(rest_));
    if (!descr_ || !has_order_ || !shape_) {
      refuse("expected descr, fortran_order and shape, one is missing");
    }
    return {*descr_, *shape_};
  }

 private:
  void read_entry() {
    const std::string key = string();
    expect(':');
    if ((key == "descr" && descr_) || (key == "fortran_order" && has_order_) ||
        (key == "shape" && shape_)) {
      refuse("says " + key + " twice");
    }
    if (key == "descr") {
      if (looks_at('[')) refuse("holds records, expected one number an element");
      descr_ = string();
    } else if (key == "fortran_order") {
      if (!take_word("True") && !take_word("False")) refuse("fortran_order must be True or False");
      has_order_ = true;
    } else if (key == "shape") {
      shape_ = tuple();
    } else {
      refuse("unknown key " + in_quotes(key));
    }
  }

  std::string string() {
    const char quote = looks_at('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) refuse("a string does not end");
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> lengths;
    expect('(');
    while (!take(')')) {
      lengths.push_back(length());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return lengths;
  }

  std::uint64_t length() {
    skip_blanks();
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (problem != std::errc{}) {
      refuse("shape must hold whole numbers from 0 to 2^64 - 1, got " +
             in_quotes(rest_.substr(0, rest_.find_first_of(",) "))));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    take_word("L");
    return value;
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  bool looks_at(char c) {
    skip_blanks();
    return rest_.starts_with(c);
  }
  bool take(char c) {
    const bool is_there = looks_at(c);
    if (is_there) rest_.remove_prefix(1);
    return is_there;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    const bool is_there = rest_.starts_with(word);
    if (is_there) rest_.remove_prefix(word.size());
    return is_there;
  }
  void expect(char c) {
    if (take(c)) return;
    refuse(std::string("expected '") + c + "', got " +
           (rest_.empty() ? "the end" : in_quotes(rest_.substr(0, 12))));
  }
  [[noreturn]] void refuse(const std::string& what) const { refuse_file(file_, "header: " + what); }

  const std::string& file_;
  std::string_view rest_;
  std::optional<std::string> descr_ = {};
  std::optional<std::vector<std::uint64_t>> shape_ = {};
  bool has_order_ = false;
};

}  // namespace

npy_literal parse_npy_literal(const std::string& file, std::string_view text) {
  return literal_reader{file, text}.read();
}

}  // namespace ktln2::data
