#include "complete.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "ask/command.hpp"
#include "core/named.hpp"
#include "help.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/format/block_format.hpp"
#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "paper/claims/explain.hpp"
#include "paper/figures/contents.hpp"

namespace ktln2::cli {
namespace {

using candidates = std::vector<candidate>;

void append(candidates& to, const candidates& more) {
  to.insert(to.end(), more.begin(), more.end());
}

candidates only_words(const std::vector<std::string>& words) {
  candidates list;
  for (const std::string& word : words) list.push_back({word, ""});
  return list;
}

candidates number_formats() {
  candidates list;
  for (const format_entry& one : format_catalogue()) {
    list.push_back({std::string(one.name), "size of " + std::string(one.size_of)});
  }
  for (const number_entry& one : number_catalogue()) {
    list.push_back({std::string(one.name), std::string(one.what)});
  }
  return list;
}

candidates all_formats() {
  candidates list = number_formats();
  for (const block_entry& one : block_catalogue()) {
    list.push_back({std::string(one.name), std::string(one.what)});
  }
  list.push_back({"codebook:", "a file of values"});
  return list;
}

/// "normal:", and behind the colon the keys that are not given yet; relu: goes before any law.
candidates laws(const std::string& typed, bool only_of_one = false) {
  candidates list;
  const std::size_t colon = typed.find(':');
  if (colon == std::string::npos) {
    for (const law_entry& one : law_catalogue()) {
      if (only_of_one && !one.is_of_one_variable()) continue;
      list.push_back({std::string(one.name) + ":", one.pattern()});
    }
    return list;
  }
  const std::string name = typed.substr(0, colon);
  const law_entry* const known = find_law(name);
  if (known == nullptr) return {};
  if (known->name == "relu") {
    for (const candidate& inner : laws(typed.substr(colon + 1), true)) {
      list.push_back({name + ":" + inner.word, inner.about});
    }
    return list;
  }
  const std::string before = typed.substr(
      0, std::max(colon, typed.rfind(',') == std::string::npos ? colon : typed.rfind(',')) + 1);
  for (const law_key& key : known->keys) {
    const std::string setting = std::string(key.name) + "=";
    const bool is_given = before.find(":" + setting) != std::string::npos ||
                          before.find("," + setting) != std::string::npos;
    if (!is_given) list.push_back({before + setting, "default " + std::string(key.otherwise)});
  }
  return list;
}

candidates paper_labels() {
  candidates list;
  for (const paper::explanation& one : paper::all_explanations()) {
    list.push_back({one.label, one.number + ": " + one.title});
  }
  return list;
}

candidates figure_names() {
  candidates list;
  for (const paper::content& block : paper::contents()) {
    list.push_back({block.whole.label, block.whole.title});
    for (const paper::entry& panel : block.panels) list.push_back({panel.label, panel.title});
  }
  return list;
}

/// What options and arguments with these names take, where it is one of a few words.
const std::map<std::string, std::vector<std::string>, std::less<>>& words_of_options() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> all{
      {"law", {"ou", "stationary", "moments", "exact"}},
      {"entropy", {"exact", "smooth"}},
      {"units", {"J", "zJ", "eV", "kT"}},
      {"rounding",
       {"nearest-even", "nearest-away", "toward-zero", "down", "up", "to-odd", "stochastic"}},
      {"overflow", {"saturate", "infinity", "nan"}},
      {"scale-policy", {"floor", "ceil", "rceil", "even"}},
      {"arithmetic", {"ideal", "format"}},
      {"algorithm", {"exact", "sgd"}},
      {"estimator", {"plugin", "miller-madow", "grassberger", "chao"}},
      {"demand", {"inverse", "power:a=", "threshold:at="}},
      {"delimiter", {"comma", "semicolon", "tab", "bar"}}};
  return all;
}

/// What an option or an argument takes.
candidates values_of(const ask::command& of, const ask::option& one, const std::string& typed) {
  const std::string& name = one.name;
  if (name == "of") return laws(typed, true);
  if (name == "distribution") return laws(typed, of.takes_one_variable);
  if (name == "only") return figure_names();
  if (name == "label") return paper_labels();
  if (one.symbol == "PROTOCOL") return only_words({"erase", "reset", "cmos"});
  if (name == "y-format" || name == "model-format" || name == "register") return number_formats();
  if (name == "format" || name == "name" || name == "formats" || name == "as") {
    const bool is_any = name != "format" || of.name == "entropy";
    return is_any ? all_formats() : number_formats();
  }
  const auto known = words_of_options().find(name);
  return known == words_of_options().end() ? candidates{} : only_words(known->second);
}

/// A command line in the making: what stands before the cursor, taken apart.
class unfinished {
 public:
  /// `also` are options of a command around this one.
  unfinished(const ask::command& of, std::vector<ask::option> also)
      : of_{of}, also_{std::move(also)} {}

  void read(const std::vector<std::string>& before) {
    for (const std::string& word : before) {
      if (word.starts_with("--")) {
        take_option(word);
      } else if (waiting_ != nullptr) {
        if (!waiting_->is_list()) waiting_ = nullptr;
      } else {
        free_.push_back(word);
      }
    }
  }

  [[nodiscard]] candidates next(const std::string& typed) const {
    if (typed.starts_with("-")) return option_names();
    if (waiting_ != nullptr) {
      return waiting_->name == "over" ? axes() : values_of(of_, *waiting_, typed);
    }
    std::size_t place = free_.size();
    if (of_.has_kinds()) {
      if (place == 0) return kinds();
      --place;
    }
    const std::vector<ask::option>& own = kind().arguments;
    const std::vector<ask::option>& arguments = own.empty() ? of_.arguments : own;
    if (arguments.empty()) return {};
    const ask::option& last = arguments.back();
    if (place < arguments.size()) return values_of(of_, arguments[place], typed);
    return last.is_list() ? values_of(of_, last, typed) : candidates{};
  }

 private:
  /// The one that is typed, or the first.
  [[nodiscard]] const ask::kind& kind() const {
    if (!of_.has_kinds() || free_.empty()) return of_.kinds.front();
    const ask::kind* const found = find_named(of_.kinds, free_.front());
    return found == nullptr ? of_.kinds.front() : *found;
  }

  [[nodiscard]] candidates kinds() const {
    candidates list;
    for (const ask::kind& one : of_.kinds) list.push_back({one.name, one.help});
    return list;
  }

  /// Of the kind, if one is typed, and of all otherwise.
  [[nodiscard]] std::vector<ask::option> options() const {
    std::vector<ask::option> all =
        of_.has_kinds() && free_.empty() ? of_.all_options() : kind().options;
    all.insert(all.end(), also_.begin(), also_.end());
    return all;
  }

  void take_option(const std::string& word) {
    waiting_ = nullptr;
    given_.push_back(word.substr(2, word.find('=') - 2));
    if (word.find('=') != std::string::npos) return;
    known_ = options();
    const ask::option* const found = ask::find_option(known_, given_.back());
    if (found != nullptr && found->what != ask::takes::nothing) waiting_ = found;
  }

  [[nodiscard]] candidates option_names() const {
    candidates list;
    for (const ask::option& one : options()) {
      const bool may_repeat = one.is_list() || one.what == ask::takes::each;
      const bool is_given = std::find(given_.begin(), given_.end(), one.name) != given_.end();
      if (!is_given || may_repeat) list.push_back({"--" + one.name, one.help});
    }
    return list;
  }

  /// What `sweep --over` may run along.
  [[nodiscard]] candidates axes() const {
    candidates list;
    const auto add = [&list](const std::string& key, const std::string& about) {
      list.push_back({key + "=", about});
    };
    for (const ask::option& one : of_.arguments) {
      if (one.name == "format") {
        add("p", "precision of the format");
        add("E", "exponent bits of the format");
      }
      add(one.name, one.help);
    }
    for (const std::string& word : free_) {
      const law_entry* const known = find_law(word.substr(0, word.find(':')));
      if (known == nullptr || find_named(of_.arguments, "distribution") == nullptr) continue;
      for (const law_key& key : known->keys) add(std::string(key.name), "of the distribution");
    }
    for (const ask::option& one : kind().options) {
      if (one.what == ask::takes::nothing || one.is_list() || one.shows == one.name) continue;
      add(one.name, one.help);
    }
    return list;
  }

  const ask::command& of_;
  std::vector<ask::option> also_;
  std::vector<ask::option> known_ = {};  ///< `waiting_` is one of them
  std::vector<std::string> free_ = {};   ///< words that belong to no option
  std::vector<std::string> given_ = {};  ///< options
  const ask::option* waiting_ = nullptr;
};

candidates command_names(bool only_swept = false) {
  candidates list;
  for (const ask::command& one : ask::commands()) {
    if (!only_swept || one.can_be_swept) list.push_back({one.name, one.help});
  }
  return list;
}

/// Behind a command's name.
candidates inside(const std::string& name, std::vector<std::string> before,
                  const std::string& typed) {
  std::vector<ask::option> also = common_options();
  const ask::command* of = find_named(ask::commands(), name);
  if (of != nullptr && name == "sweep") {
    if (before.empty()) return command_names(true);
    const std::vector<ask::option>& own = of->kinds.front().options;
    also.insert(also.begin(), own.begin(), own.end());
    of = find_named(ask::commands(), before.front());
    before.erase(before.begin());
  }
  if (of == nullptr) return {};
  unfinished line{*of, also};
  line.read(before);
  return line.next(typed);
}

candidates everything(const std::vector<std::string>& words) {
  const std::string& typed = words.back();
  if (words.size() == 1) {
    candidates list = command_names();
    append(list, {{"help", "What a command does"},
                  {"--help", "All commands"},
                  {"--version", "The version"}});
    return list;
  }
  const std::vector<std::string> before{words.begin() + 1, words.end() - 1};
  if (words.front() != "help") return inside(words.front(), before, typed);
  if (before.empty()) return command_names();
  const ask::command* const of = find_named(ask::commands(), before.front());
  if (of == nullptr || !of->has_kinds() || before.size() > 1) return {};
  return inside(of->name, {}, typed);
}

}  // namespace

std::vector<candidate> completions(const std::vector<std::string>& words) {
  if (words.empty()) return completions({""});
  candidates fitting;
  for (candidate& one : everything(words)) {
    const bool is_hidden = one.word.starts_with("-") && words.back().empty();
    const bool is_there =
        std::any_of(fitting.begin(), fitting.end(),
                    [&one](const candidate& other) { return other.word == one.word; });
    if (one.word.starts_with(words.back()) && !is_hidden && !is_there) {
      fitting.push_back(std::move(one));
    }
  }
  return fitting;
}

std::string completions_text(const std::vector<std::string>& words) {
  std::string text;
  for (const candidate& one : completions(words)) {
    text += one.word + (one.about.empty() ? "" : "\t" + one.about) + "\n";
  }
  return text;
}

}  // namespace ktln2::cli
