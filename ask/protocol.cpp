#include "ask/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "ask/expression.hpp"
#include "core/parse.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2::ask {
namespace {

constexpr std::size_t most_characters = std::size_t{1} << 20;
constexpr std::size_t most_states = 16;
constexpr std::size_t most_matrices = 1000;

std::vector<numbered_line> lines_of(std::string_view text) {
  std::vector<numbered_line> lines;
  line_reader all{text};
  while (const auto line = all.next()) lines.push_back(*line);
  return lines;
}

/// Split at commas, but not inside of parentheses: min(a, b) is one.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = std::string(trimmed(part));
  return parts;
}

/// Rates at one time, before they are known to be some; the diagonal may be left open.
struct given_rates {
  std::vector<std::size_t> lines;                        ///< of the rows
  std::vector<std::vector<std::optional<double>>> rate;  ///< [to][from]
};

/// The matrix. `where` says the file, `when` the time.
mismatch::rate_matrix checked(const given_rates& given, const std::string& where,
                              const std::string& when) {
  const std::size_t states = given.rate.size();
  const auto refuse = [&](std::size_t row, const std::string& what) {
    throw std::domain_error(where + ":" + std::to_string(given.lines[row]) + ": " + what + when);
  };
  mismatch::rate_matrix made{states};
  for (std::size_t from = 0; from < states; ++from) {
    double left = 0;
    for (std::size_t to = 0; to < states; ++to) {
      if (to == from) continue;
      const std::string way =
          "from state " + std::to_string(from + 1) + " to " + std::to_string(to + 1);
      const double rate = *given.rate[to][from];
      if (!(rate >= 0 && std::isfinite(rate))) {
        refuse(to, "the rate " + way + " must be finite and >= 0, got " + ktln2::shown(rate));
      }
      if (rate > 0 && !(*given.rate[from][to] > 0)) {
        refuse(to, "there is a rate " + way + ", but none back: the entropy flow is infinite");
      }
      made(to, from) = rate;
      left += rate;
    }
    if (!std::isfinite(left)) refuse(from, "the rates are too large to be added up");
    made(from, from) = -left;
    const std::optional<double>& own = given.rate[from][from];
    // What was typed with 10 digits need not be more exact than that.
    if (own && !(std::fabs(*own + left) <= 1e-9 * left)) {
      refuse(from, "column " + std::to_string(from + 1) + " must add up to 0, got " +
                       ktln2::shown(*own + left));
    }
  }
  return made;
}

std::string at_time(double time) { return " at t = " + ktln2::shown(time); }

/// Reads a protocol line by line.
class protocol_reader {
 public:
  protocol_reader(std::string_view text, const std::string& name)
      : where_{"mismatch: " + name}, lines_{lines_of(text)} {}

  rate_protocol read() {
    while (next_ < lines_.size()) read_statement();
    if (!duration_) throw std::domain_error(where_ + ": expected a line 'duration = T'");
    if (rows_.empty() && tables_.empty()) {
      throw std::domain_error(where_ + ": expected 'rates:' or 'rates at TIME:' and a matrix");
    }
    rate_protocol made{states_, *duration_, start_, rows_.empty() ? by_table() : by_expression()};
    if (made.start.empty()) {
      made.start.assign(states_, 1 / static_cast<double>(states_));
    } else if (made.start.size() != states_) {
      refuse(start_line_, "expected " + std::to_string(states_) + " probabilities, got " +
                              std::to_string(made.start.size()));
    }
    constexpr int looks = 64;  // a mistake is told before the chain runs
    for (int i = 0; i <= looks; ++i) (void)made.rates(made.duration * i / looks);
    return made;
  }

 private:
  struct table {
    double time;
    mismatch::rate_matrix rates;
  };

  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    throw std::domain_error(where_ + ":" + std::to_string(line) + ": " + what);
  }
  [[nodiscard]] std::string place(std::size_t line) const {
    return where_ + ":" + std::to_string(line);
  }

  void read_statement() {
    const numbered_line line = lines_[next_++];
    const std::string_view text = line.text;
    const std::size_t equals = text.find('=');
    const std::string_view name = trimmed(text.substr(0, std::min(equals, text.size())));
    if (name == "duration" && equals != std::string_view::npos) {
      if (duration_) refuse(line.number, "a second duration");
      const double value = parse_number(place(line.number) + ": duration",
                                        std::string(trimmed(text.substr(equals + 1))));
      if (!(value > 0 && std::isfinite(value))) {
        refuse(line.number, "duration must be finite and > 0, got " + ktln2::shown(value));
      }
      duration_ = value;
    } else if (name == "start" && equals != std::string_view::npos) {
      read_start(line.number, text.substr(equals + 1));
    } else if (text == "rates:") {
      if (!rows_.empty() || !tables_.empty()) refuse(line.number, "the rates are given already");
      read_rows(line.number, rows_);
    } else if (text.starts_with("rates at ") && text.ends_with(':')) {
      read_table(line.number, text.substr(9, text.size() - 10));
    } else {
      refuse(line.number, "expected 'duration =', 'start =', 'rates:' or 'rates at TIME:', got '" +
                              std::string(text.substr(0, 40)) + "'");
    }
  }

  void read_start(std::size_t line, std::string_view list) {
    if (!start_.empty()) refuse(line, "a second start");
    start_line_ = line;
    double sum = 0;
    for (const std::string& word : parts_of(list)) {
      const double p = parse_number(place(line) + ": start", word);
      if (!(p > 0 && p <= 1)) {
        refuse(line, "a probability must be > 0 and at most 1, got " + ktln2::shown(p));
      }
      start_.push_back(p);
      sum += p;
    }
    if (std::fabs(sum - 1) > 1e-9)
      refuse(line, "the start must add up to 1, got " + ktln2::shown(sum));
    for (double& p : start_) p /= sum;
  }

  struct row {
    std::size_t line;
    std::vector<std::string> entries;
  };
  /// As many rows as the first one has entries.
  void read_rows(std::size_t line, std::vector<row>& rows) {
    std::size_t wanted = 1;
    while (rows.size() < wanted) {
      if (next_ == lines_.size()) {
        refuse(line, "expected " + std::to_string(wanted) + " rows of rates, got " +
                         std::to_string(rows.size()));
      }
      rows.push_back({lines_[next_].number, parts_of(lines_[next_].text)});
      ++next_;
      if (rows.size() == 1) {
        wanted = rows[0].entries.size();
        if (wanted < 2 || wanted > most_states || (states_ != 0 && wanted != states_)) {
          const std::string expected = states_ != 0 ? std::to_string(states_) : "2 to 16";
          refuse(rows[0].line,
                 "expected " + expected + " rates in a row, got " + std::to_string(wanted));
        }
      } else if (rows.back().entries.size() != wanted) {
        refuse(rows.back().line, "expected " + std::to_string(wanted) + " rates in a row, got " +
                                     std::to_string(rows.back().entries.size()));
      }
    }
    states_ = wanted;
  }

  void read_table(std::size_t line, std::string_view word) {
    if (!rows_.empty()) refuse(line, "the rates are given already");
    if (tables_.size() == most_matrices) refuse(line, "more than 1000 matrices");
    const double time = parse_number(place(line) + ": time", std::string(trimmed(word)));
    if (!(time >= 0 && std::isfinite(time))) {
      refuse(line, "a time must be finite and >= 0, got " + ktln2::shown(time));
    }
    if (!tables_.empty() && time <= tables_.back().time) {
      refuse(line, "times must rise, got " + ktln2::shown(time) + " after " +
                       ktln2::shown(tables_.back().time));
    }
    std::vector<row> rows;
    read_rows(line, rows);
    given_rates given;
    for (std::size_t to = 0; to < rows.size(); ++to) {
      given.lines.push_back(rows[to].line);
      given.rate.emplace_back();
      for (std::size_t from = 0; from < rows.size(); ++from) {
        const std::string& word_of = rows[to].entries[from];
        const bool is_open = to == from && word_of == "*";
        given.rate[to].push_back(
            is_open ? std::nullopt
                    : std::optional(parse_number(place(rows[to].line) + ": rate", word_of)));
      }
    }
    tables_.push_back({time, checked(given, where_, at_time(time))});
  }

  /// Between two matrices evenly, before the first and after the last as they are.
  [[nodiscard]] std::function<mismatch::rate_matrix(double)> by_table() const {
    return [tables = tables_, states = states_](double time) {
      const auto later = std::upper_bound(tables.begin(), tables.end(), time,
                                          [](double t, const table& one) { return t < one.time; });
      if (later == tables.begin()) return tables.front().rates;
      if (later == tables.end()) return tables.back().rates;
      const table& earlier = *std::prev(later);
      const double share = (time - earlier.time) / (later->time - earlier.time);
      mismatch::rate_matrix made{states};
      for (std::size_t to = 0; to < states; ++to) {
        for (std::size_t from = 0; from < states; ++from) {
          made(to, from) = (1 - share) * earlier.rates(to, from) + share * later->rates(to, from);
        }
      }
      for (std::size_t from = 0; from < states; ++from) {
        double left = 0;
        for (std::size_t to = 0; to < states; ++to) left += to == from ? 0 : made(to, from);
        made(from, from) = -left;
      }
      return made;
    };
  }

  [[nodiscard]] std::function<mismatch::rate_matrix(double)> by_expression() const {
    std::vector<std::vector<std::optional<expression>>> all;
    std::vector<std::size_t> lines;
    for (const row& one : rows_) {
      lines.push_back(one.line);
      all.emplace_back();
      for (const std::string& entry : one.entries) {
        if (entry == "*" && all.back().size() + 1 == all.size()) {
          all.back().emplace_back();
        } else {
          all.back().emplace_back(
              expression{place(one.line), entry, {{"t", 0}, {"duration", *duration_}}});
        }
      }
    }
    return [all, lines, where = where_](double time) {
      given_rates given{lines, {}};
      for (const auto& entries : all) {
        given.rate.emplace_back();
        for (const std::optional<expression>& one : entries) {
          given.rate.back().push_back(one ? std::optional((*one)({{"t", time}})) : std::nullopt);
        }
      }
      return checked(given, where, at_time(time));
    };
  }

  std::string where_;
  std::vector<numbered_line> lines_;
  std::size_t next_ = 0;
  std::size_t states_ = 0;
  std::optional<double> duration_;
  std::vector<double> start_;
  std::size_t start_line_ = 0;
  std::vector<row> rows_;  ///< of expressions
  std::vector<table> tables_;
};

}  // namespace

rate_protocol parse_protocol(std::string_view text, const std::string& name) {
  if (text.size() > most_characters) {
    throw std::domain_error("mismatch: " + name + ": more than 2^20 characters");
  }
  return protocol_reader{text, name}.read();
}

rate_protocol read_protocol(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(most_characters + 1, '\0');
  if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream && stream.gcount() == 0) {
    throw std::domain_error("mismatch: ctmc needs erase, reset, cmos or a file of rates, got '" +
                            file + "', which cannot be read");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return parse_protocol(text, file);
}

}  // namespace ktln2::ask
