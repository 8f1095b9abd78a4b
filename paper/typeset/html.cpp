#include "paper/typeset/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "paper/typeset/formula.hpp"

namespace ktln2::paper::html {
namespace {

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string with_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

/// The exponent if it is a power of two that is better written as one, otherwise 0.
int power_of_two(double value) {
  int exponent = 0;
  if (std::frexp(value, &exponent) != 0.5) return 0;
  --exponent;
  return exponent >= 20 || exponent <= -10 ? exponent : 0;
}

/// Drops everything before the <svg> element and the description of the file.
std::string_view without_prolog(std::string_view svg) {
  const std::size_t start = svg.find("<svg");
  return start == std::string_view::npos ? svg : svg.substr(start);
}

std::string without_metadata(std::string_view svg) {
  const std::string_view closing = "</metadata>";
  const std::size_t begin = svg.find("<metadata>");
  const std::size_t end = svg.find(closing);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return std::string(svg);
  }
  return std::string(svg.substr(0, begin)) + std::string(svg.substr(end + closing.size()));
}

}  // namespace

std::string anchor(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_letter_or_digit(c) || is_one_of(c, ":_-")) {
      result += c;
    } else {
      result += fmt::format(".{:02x}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string prose(std::string_view text) {
  try {
    return prose_to_html(text);
  } catch (const std::invalid_argument&) {
    return escape_html(text);
  }
}

std::string plain(std::string_view text) {
  try {
    return escape_html(prose_to_text(text));
  } catch (const std::invalid_argument&) {
    return escape_html(text);
  }
}

std::string formula(std::string_view tex, bool display) {
  try {
    return to_mathml(tex, display);
  } catch (const std::invalid_argument&) {
    return code(tex);
  }
}

std::string code(std::string_view text) { return "<code>" + escape_html(text) + "</code>"; }

std::string command(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    result +=
        fmt::format("{}<span>{}</span>", at > 0 ? " " : "", escape_html(text.substr(at, end - at)));
    at = end + 1;
  }
  return "<code class=\"command\">" + result + "</code>";
}

std::string parameter_value(double value) {
  const int exponent = power_of_two(value);
  if (exponent == 0) return number(value, 10);
  return fmt::format("2<sup>{}</sup>", with_minus(std::to_string(exponent)));
}

std::string number(double value, int digits) {
  const std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return with_minus(text);
  const std::string mantissa = text.substr(0, e);
  std::string power =
      fmt::format("10<sup>{}</sup>", with_minus(std::to_string(std::stoi(text.substr(e + 1)))));
  if (mantissa == "1") return power;
  return with_minus(mantissa) + " × " + power;
}

std::string seconds(double value) {
  if (value < 0.01) return "&lt; 0.01 s";
  return value < 10 ? fmt::format("{:.2f} s", value) : fmt::format("{:.0f} s", value);
}

std::string count(std::size_t many, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", many, many == 1 ? one : several);
}

std::string image_address(std::string_view svg) {
  std::string result = "data:image/svg+xml,";
  for (const char c : without_metadata(without_prolog(svg))) {
    if (c == '\n' || c == '\r' || c == '\t') {
      result += ' ';  // an address cannot hold them, and they separate numbers
    } else if (is_one_of(c, "%#<>\"&?") || static_cast<unsigned char>(c) >= 0x80) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace ktln2::paper::html
