#include "output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "ask/accuracy.hpp"
#include "ask/csv.hpp"
#include "core/printable.hpp"
#include "progress.hpp"

namespace ktln2::cli {
namespace {

/// "12", "-1.5e-3", "≤ 0.5 %", "<1e-9", "inf", "nan" and "-", where there is none; and no name.
bool looks_numeric(std::string_view text) {
  if (text == "-") return true;
  for (const std::string_view sign : {"≤", "<", " ", "+", "-"}) {
    if (text.starts_with(sign)) text.remove_prefix(sign.size());
  }
  if (text == "inf" || text == "nan") return true;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t first = text.starts_with('.') ? 1 : 0;
  return text.size() > first && is_digit(text[first]) &&
         text.find_first_not_of("0123456789+-.e% ") == std::string_view::npos;
}

/// Characters on the screen, not bytes.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;  // not inside a UTF-8 character
  }));
}

/// A signal may have ended the wait for one who reads.
[[noreturn]] void refuse_output() {
  if (interrupt_guard::flag()) throw interrupted_work("");
  throw std::runtime_error("cannot write to standard output");
}

}  // namespace

std::string with_error(const bounded<bits>& value) {
  const double error = value.error.value();
  if (!std::isfinite(error)) return fmt::format("{:.3f} (error unknown)", value.value.value());
  const int decimals = ask::decimals_of(value) + (value.how == evidence::proved ? 1 : 0);
  return fmt::format("{:.{}f} ± {}", value.value.value(), decimals, ask::shown_bar(value));
}

std::string table::text() const {
  std::vector<std::size_t> width(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], columns(row[i]));
  }
  std::string result;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string& entry = rows_[r][i];
      const std::string pad(width[i] - columns(entry), ' ');
      const bool right = looks_numeric(rows_.size() > 1 ? rows_[r == 0 ? 1 : r][i] : entry);
      line += (i == 0 ? "  " : "   ") + (right ? pad + entry : entry + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string table::csv() const {
  std::string result;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) result += ',';
      ask::append_csv(result, row[i]);
    }
    result += '\n';
  }
  return result;
}

std::string blocks(double share, int full, const char* empty) {
  std::string text;
  for (int i = 0; i < full; ++i) text += i < full * share - 0.5 ? "█" : empty;
  return text;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + columns(word) > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += columns(word);
  }
  return result;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output();
}

void flush() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) refuse_output();
}

void warn(std::string_view text) {
  // After a Ctrl-C nobody is waited for.
  if (interrupt_guard::flag() && !takes_more(STDERR_FILENO)) return;
  fmt::print(stderr, "ktln2: warning: {}\n", printable(std::string(text)));
}

}  // namespace ktln2::cli
