#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/command.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2::ask {

/// A question as a terminal, a sweep, a notebook or a page puts it: arguments and options by name.
struct words {
  std::string command;
  std::string kind = {};
  std::map<std::string, std::vector<std::string>, std::less<>> given = {};
  std::string from_lines = {};  ///< of which argument the words are the lines of standard input

  [[nodiscard]] bool has(std::string_view name) const { return given.find(name) != given.end(); }
  /// The only word given for this name; `otherwise` if there is none.
  [[nodiscard]] std::string get(std::string_view name, const std::string& otherwise = "") const;
  void set(const std::string& name, std::string word) { given[name] = {std::move(word)}; }
  /// What was given for this name, which is then given no more.
  std::vector<std::string> take(std::string_view name);
  /// The same for a flag.
  bool take_flag(std::string_view name);
};

/// Takes the words behind the command's name apart: [KIND] ARGUMENT… --option VALUE --list A B C
/// --flag, in any order; --option=VALUE; behind "--" nothing is an option. Options of `also` are
/// taken too. Throws std::domain_error that says what is unknown, missing or too much, and what was
/// probably meant.
words parse_words(const command& of, const std::vector<std::string>& typed,
                  const std::vector<option>& also = {});

/// The words of one question, read with the types and defaults that the table of commands has.
/// Throws std::domain_error, such as "cost: --n: expected a number, got 'x'", also for an option of
/// another kind.
class reader {
 public:
  explicit reader(const words& asked);

  [[nodiscard]] const std::string& command() const { return asked_->command; }
  [[nodiscard]] const std::string& kind() const { return kind_->name; }
  [[nodiscard]] bool has(std::string_view name) const { return asked_->has(name); }
  [[nodiscard]] bool flag(std::string_view name) const { return has(name); }
  /// The word given, or the default.
  [[nodiscard]] std::string word(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> optional_word(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::optional<double> optional_number(std::string_view name) const;
  /// A whole number from `low` to `high`, also written as 1e6.
  [[nodiscard]] std::uint64_t whole(std::string_view name, std::uint64_t low = 0,
                                    std::uint64_t high = UINT64_MAX) const;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
  [[nodiscard]] float_format format(std::string_view name) const;
  /// One of the paper's or any other.
  [[nodiscard]] ktln2::storage storage(std::string_view name) const;
  [[nodiscard]] ktln2::storage storage(std::string_view name,
                                       const ktln2::storage& otherwise) const;

  /// "cost: --n", as messages begin.
  [[nodiscard]] std::string where(std::string_view name) const;
  /// The same for word i of a list, which may have been a line: "quantize: standard input, line 3".
  [[nodiscard]] std::string where(std::string_view name, std::size_t i) const;

 private:
  [[nodiscard]] const option& declared(std::string_view name) const;

  const words* asked_;
  const ask::command* command_;
  const ask::kind* kind_;
};

/// The parts between separators: one more than there are of these.
std::vector<std::string> split(std::string_view text, char at);

}  // namespace ktln2::ask
