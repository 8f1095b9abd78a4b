#include "ask/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "ask/block.hpp"
#include "core/attempt.hpp"
#include "core/named.hpp"
#include "core/nearest.hpp"
#include "core/parse.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/format/catalogue.hpp"

namespace ktln2::ask {
namespace {

bool is_format(const std::string& word) {
  if (word.starts_with("codebook:")) return true;
  return !mistake_in([&] {
    if (!block_format_called(word)) (void)parse_storage(word);
  });
}

/// Of the words behind a command's name.
class word_parser {
 public:
  word_parser(const command& of, const std::vector<option>& also)
      : of_{of}, options_{of.all_options()}, result_{of.name} {
    options_.insert(options_.end(), also.begin(), also.end());
  }

  words parse(const std::vector<std::string>& typed) {
    bool only_arguments = false;
    for (std::size_t i = 0; i < typed.size();) {
      const std::string& word = typed[i++];
      if (!only_arguments && word == "--") {
        only_arguments = true;
      } else if (!only_arguments && looks_like_option(word)) {
        take_option(word, typed, i);
      } else {
        free_.push_back(word);
      }
    }
    take_arguments();
    return result_;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw std::domain_error(of_.name + ": " + problem + " (see ktln2 " + of_.name + " --help)");
  }

  /// "-1.5" is a number.
  static bool looks_like_option(const std::string& word) { return word.starts_with("--"); }

  void take_option(const std::string& word, const std::vector<std::string>& typed, std::size_t& i) {
    const std::size_t equals = word.find('=');
    const std::string as_typed = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const option* one = find_option(options_, as_typed);
    if (one == nullptr) {
      const bool has_value = equals != std::string::npos || i < typed.size();
      refuse_unknown(as_typed, typed,
                     !has_value                    ? ""
                     : equals != std::string::npos ? word.substr(equals + 1)
                                                   : typed[i]);
    }
    const std::string& name = one->name;
    if (one->what == takes::nothing) {
      if (equals != std::string::npos) refuse("--" + name + " takes no value");
      result_.given[name];
      return;
    }
    const bool may_repeat = one->is_list() || one->what == takes::each;
    if (result_.has(name) && !may_repeat) refuse("--" + name + " is given twice");
    std::vector<std::string>& values = result_.given[name];
    if (equals != std::string::npos) {
      values.push_back(word.substr(equals + 1));
      return;
    }
    const std::size_t most = one->is_list() ? typed.size() : i + 1;
    const std::size_t begin = i;
    while (i < std::min(most, typed.size()) && !looks_like_option(typed[i])) {
      values.push_back(typed[i++]);
    }
    if (i == begin) refuse("--" + name + " needs a value");
  }

  [[noreturn]] void refuse_unknown(const std::string& name, const std::vector<std::string>& typed,
                                   const std::string& value) const {
    std::vector<std::string> known;
    for (const option& one : options_) known.push_back("--" + one.name);
    const std::string law = law_with(typed, name, value);
    if (!law.empty()) refuse("--" + name + " belongs to the distribution: write " + law);
    const std::string guess = meant("--" + name, known);
    refuse("unknown option --" + name + (guess.empty() ? "" : ": did you mean " + guess + "?"));
  }

  /// The first law among the words that has such a key, with this value: "normal:sigma=2" for
  /// `normal` and --sigma=2. Nothing for a command that takes no law, and where none has the key.
  [[nodiscard]] std::string law_with(const std::vector<std::string>& typed, std::string key,
                                     const std::string& value) const {
    if (find_named(of_.arguments, "distribution") == nullptr) return "";
    std::replace(key.begin(), key.end(), '-', '_');
    const std::string said = value.empty() || value.starts_with("--") ? "..." : value;
    for (const std::string& word : typed) {
      std::string law;
      // Refused: no law, or one without this key.
      if (!mistake_in([&] { law = with_key(word, key, said); })) return law;
    }
    return "";
  }

  void take_arguments() {
    std::size_t next = 0;
    if (of_.has_kinds()) {
      if (free_.empty()) refuse("KIND is missing: expected " + listed(kind_names()));
      result_.kind = kind_called(of_, free_[next++]).name;
    }
    for (const option& one : of_.arguments) {
      if (next == free_.size()) {
        if (one.otherwise.empty()) refuse(one.symbol + " is missing");
        continue;
      }
      std::vector<std::string>& values = result_.given[one.name];
      const std::size_t end = one.is_list() ? free_.size() : next + 1;
      for (; next < end; ++next) values.push_back(free_[next]);
    }
    refuse_swapped();
    if (next == free_.size()) return;
    std::string rest;
    for (; next < free_.size(); ++next) rest += (rest.empty() ? "" : " ") + free_[next];
    refuse("not expected: '" + rest + "'" + meant_by(rest));
  }

  /// A law where a format belongs, and a format in its place.
  void refuse_swapped() const {
    if (find_named(of_.arguments, "distribution") == nullptr) return;
    for (const option& one : of_.arguments) {
      if (one.name != "format" && one.name != "formats") continue;
      const std::string law = result_.get(one.name);
      const std::string format = result_.get("distribution");
      if (find_law(law.substr(0, law.find(':'))) == nullptr || !is_format(format)) continue;
      throw std::domain_error(
          fmt::format("{}: {} and DIST are swapped: '{}' is a distribution and '{}' a format",
                      of_.name, one.symbol, law, format));
    }
  }

  /// What "sigma=2" was meant for: a key of the law, or an option.
  [[nodiscard]] std::string meant_by(const std::string& rest) const {
    const std::size_t equals = rest.find('=');
    if (equals == std::string::npos) return "";
    const std::string key = rest.substr(0, equals);
    const std::string value = rest.substr(equals + 1);
    const std::string law = law_with(free_, key, value);
    if (!law.empty()) return ": write " + law;
    const option* one = find_option(options_, key);
    return one == nullptr ? "" : ": write --" + one->name + " " + value;
  }

  [[nodiscard]] std::vector<std::string> kind_names() const {
    std::vector<std::string> names;
    for (const kind& one : of_.kinds) names.push_back(one.name);
    return names;
  }

  const command& of_;
  std::vector<option> options_;
  words result_;
  std::vector<std::string> free_;
};

}  // namespace

std::string words::get(std::string_view name, const std::string& otherwise) const {
  const auto found = given.find(name);
  return found == given.end() || found->second.empty() ? otherwise : found->second.front();
}

std::vector<std::string> words::take(std::string_view name) {
  const auto found = given.find(name);
  if (found == given.end()) return {};
  std::vector<std::string> all = std::move(found->second);
  given.erase(found);
  return all;
}

bool words::take_flag(std::string_view name) {
  const bool is_given = has(name);
  (void)take(name);
  return is_given;
}

words parse_words(const command& of, const std::vector<std::string>& typed,
                  const std::vector<option>& also) {
  return word_parser{of, also}.parse(typed);
}

reader::reader(const words& asked)
    : asked_{&asked},
      command_{&command_called(asked.command)},
      kind_{&kind_called(*command_, asked.kind)} {
  for (const auto& [name, values] : asked.given) {
    if (find_named(kind_->options, name) != nullptr ||
        find_named(command_->arguments, name) != nullptr) {
      continue;
    }
    const std::vector<std::string> having = command_->kinds_with(name);
    const std::string guess = meant(name, names_of(kind_->options));
    throw std::domain_error(
        asked.command + ": " + asked.kind + " has no option --" + name +
        (having.empty()
             ? ""
             : ", which " + listed(having, "and") + " take" + (having.size() == 1 ? "s" : "")) +
        (guess.empty() ? "" : ": did you mean --" + guess + "?") + " (see ktln2 " + asked.command +
        (asked.kind.empty() ? "" : " " + asked.kind) + " --help)");
  }
}

const option& reader::declared(std::string_view name) const {
  if (const option* one = find_named(kind_->options, name)) return *one;
  if (const option* one = find_named(command_->arguments, name)) return *one;
  throw std::logic_error("no option " + std::string(name) + " in the table of " + asked_->command);
}

std::string reader::where(std::string_view name) const {
  if (find_named(command_->arguments, name) != nullptr) {
    return asked_->command + ": " + declared(name).symbol;
  }
  return asked_->command + ": --" + std::string(name);
}

std::string reader::where(std::string_view name, std::size_t i) const {
  if (asked_->from_lines != name) return where(name);
  return asked_->command + ": standard input, line " + std::to_string(i + 1);
}

std::string reader::word(std::string_view name) const {
  return asked_->get(name, declared(name).otherwise);
}

std::optional<std::string> reader::optional_word(std::string_view name) const {
  if (!has(name)) return {};
  return word(name);
}

double reader::number(std::string_view name) const { return parse_number(where(name), word(name)); }

std::optional<double> reader::optional_number(std::string_view name) const {
  if (!has(name)) return {};
  return number(name);
}

std::uint64_t reader::whole(std::string_view name, std::uint64_t low, std::uint64_t high) const {
  const std::string text = word(name);
  const uint128 value = parse_count(where(name), text);
  if (value >= low && value <= high) return static_cast<std::uint64_t>(value);
  if (high == UINT64_MAX && low == 0) {
    throw std::domain_error(where(name) + " must be below 2^64, got " + text);
  }
  throw std::domain_error(where(name) + " must be from " + std::to_string(low) + " to " +
                          std::to_string(high) + ", got " + text);
}

std::vector<std::string> reader::list(std::string_view name) const {
  (void)declared(name);
  const auto found = asked_->given.find(name);
  return found == asked_->given.end() ? std::vector<std::string>{} : found->second;
}

std::vector<double> reader::numbers(std::string_view name) const {
  std::vector<double> values;
  for (const std::string& text : list(name)) {
    values.push_back(parse_number(where(name, values.size()), text));
  }
  return values;
}

float_format reader::format(std::string_view name) const { return parse_format(word(name)); }

ktln2::storage reader::storage(std::string_view name) const { return parse_storage(word(name)); }

ktln2::storage reader::storage(std::string_view name, const ktln2::storage& otherwise) const {
  return has(name) ? storage(name) : otherwise;
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace ktln2::ask
