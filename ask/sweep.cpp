#include "ask/sweep.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "ask/csv.hpp"
#include "ask/solve.hpp"
#include "core/attempt.hpp"
#include "core/named.hpp"
#include "core/nearest.hpp"
#include "ktln2/core/version.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/format/catalogue.hpp"

namespace ktln2::ask {
namespace {

std::vector<std::string> sweepable() {
  std::vector<std::string> names;
  for (const command& one : commands()) {
    if (one.can_be_swept) names.push_back(one.name);
  }
  return names;
}

bool begins_with_part(const std::string& path, const std::string& parts) {
  const std::string first = path.substr(0, path.find('.'));
  return ("," + parts + ",").find("," + first + ",") != std::string::npos;
}

const kind& kind_of(const words& asked) {
  return kind_called(command_called(asked.command), asked.kind);
}

}  // namespace

std::string sweep_question::text() const {
  std::string line = "ktln2 " + std::string(version) + " sweep " + asked.command;
  if (!asked.kind.empty()) line += " " + asked.kind;
  const auto add = [&](const std::string& name) {
    const auto found = asked.given.find(name);
    if (found == asked.given.end()) return;
    for (const std::string& word : found->second) line += " " + word;
  };
  for (const option& one : command_called(asked.command).arguments) add(one.name);
  for (const option& one : kind_of(asked).options) {
    if (!asked.has(one.name)) continue;
    line += " --" + one.name;
    add(one.name);
  }
  for (const axis& one : axes) line += " --over " + one.text();
  for (const std::string& one : columns)
    line += (&one == &columns.front() ? " --columns " : ",") + one;
  return line;
}

const command& sweepable_called(const std::string& name) {
  const std::vector<std::string> names = sweepable();
  if (std::find(names.begin(), names.end(), name) != names.end()) return command_called(name);
  const std::string guess = meant(name, names);
  throw std::domain_error("sweep: expected " + listed(names) + ", got '" + name + "'" +
                          (guess.empty() ? "" : ": did you mean " + guess + "?"));
}

sweep_question read_sweep(words asked, const std::vector<std::string>& over,
                          const std::string& columns, bool shows_everything) {
  if (over.empty()) {
    throw std::domain_error("sweep: needs --over KEY=FROM:TO:COUNT[:log] or --over KEY=A,B,C");
  }
  sweep_question made{std::move(asked), {}, {}, shows_everything};
  for (const std::string& text : over) made.axes.emplace_back(text);
  if (!columns.empty()) made.columns.emplace_back();
  for (const char c : columns) {
    if (c == ',') {
      made.columns.emplace_back();
    } else {
      made.columns.back() += c;
    }
  }
  for (const std::string& name : made.columns) {
    if (name.empty()) throw std::domain_error("sweep: --columns: expected a name, got ''");
  }
  return made;
}

sweep::sweep(sweep_question question, const stop_token& stop) : question_{std::move(question)} {
  for (axis& one : question_.axes) {
    const target to = target_of(one);
    for (const target& earlier : targets_) {
      if (earlier.where == to.where && earlier.name == to.name) {
        throw std::domain_error("sweep: --over " + one.key() + " is given twice");
      }
    }
    targets_.push_back(to);
    if (takes_whole(targets_.back())) one.make_whole();
    // Half of what can be counted, so that a block behind the last row can be counted too.
    if (one.size() > (UINT64_MAX / 2) / size_) {
      throw std::domain_error("sweep: there would be more than 2^63 rows");
    }
    size_ *= one.size();
  }
  choose_columns(stop);
  refuse_useless_options();
}

sweep::target sweep::target_of(const axis& one) const {
  using part = target::part;
  const words& asked = question_.asked;
  const std::string& key = one.key();
  const command& of = command_called(asked.command);

  const bool has_format = find_named(of.arguments, "format") != nullptr && asked.kind != "ctmc";
  if (has_format && key == "p") return {part::format_p, key};
  if (has_format && key == "E") return {part::format_e, key};
  if (find_named(of.arguments, key) != nullptr) return {part::argument, key};

  std::vector<std::string> known;
  if (has_format) known = {"p", "E"};
  for (const option& argument : of.arguments) known.push_back(argument.name);
  if (find_named(of.arguments, "distribution") != nullptr) {
    const std::vector<law_key> keys = keys_of_law(asked.get("distribution"));
    if (find_named(keys, key) != nullptr) return {part::law_key, key};
    if (key == "law") return {part::argument, "distribution"};
    for (const law_key& own : keys) known.emplace_back(own.name);
  }
  const option* const swept = find_option(kind_of(asked).options, key);
  for (const option& own : kind_of(asked).options) {
    const bool is_about_looks = own.shows == own.name || own.name == "plot";
    if (own.what == takes::nothing || own.is_list() || is_about_looks) continue;
    known.push_back(own.name);
    if (&own != swept) continue;
    const std::string& name = own.name;
    if (asked.has(name)) {
      throw std::domain_error("sweep: --" + name + " is given, and --over runs through it");
    }
    return {part::argument, name};
  }
  throw std::domain_error("sweep: --over: " + unknown_name("parameter", key, known));
}

bool sweep::takes_whole(const target& one) const {
  if (one.where == target::part::format_p || one.where == target::part::format_e) return true;
  if (one.where == target::part::law_key) {
    const std::vector<law_key> keys = keys_of_law(question_.asked.get("distribution"));
    return find_named(keys, one.name)->is_whole;
  }
  const option* own = find_named(kind_of(question_.asked).options, one.name);
  return own != nullptr && own->what == takes::whole;
}

std::vector<std::uint64_t> sweep::place_of(std::uint64_t row) const {
  std::vector<std::uint64_t> place(question_.axes.size());
  for (std::size_t i = place.size(); i-- > 0;) {
    place[i] = row % question_.axes[i].size();
    row /= question_.axes[i].size();
  }
  return place;
}

words sweep::words_of(const std::vector<std::uint64_t>& place) const {
  words asked = question_.asked;
  // A law itself before its keys, a format before its p and E.
  for (const bool whole : {true, false}) {
    for (std::size_t i = 0; i < place.size(); ++i) {
      const target& to = targets_[i];
      if ((to.where == target::part::argument) != whole) continue;
      const std::string word = question_.axes[i].word(place[i]);
      if (whole) {
        asked.set(to.name, word);
      } else if (to.where == target::part::law_key) {
        asked.set("distribution", with_key(asked.get("distribution"), to.name, word));
      } else {
        asked.set("format", with_format_key(asked.get("format"), to.name, word));
      }
    }
  }
  return asked;
}

std::string sweep::described(const std::vector<std::uint64_t>& place) const {
  std::string text;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const axis& one = question_.axes[i];
    text += (i == 0 ? "" : ", ") + one.key() + "=" + one.word(place[i]);
  }
  return text;
}

std::vector<std::string> sweep::columns_of(const report& first) const {
  const std::vector<std::string>& asked = question_.columns;
  if (asked.empty()) return first.headlines();
  if (asked == std::vector<std::string>{"all"}) return first.paths();
  const auto for_each = [&](const auto& require) {
    for (const std::string& path : asked) {
      if (path != "warnings") require(path);
    }
  };
  // All names before the first part that costs something.
  for_each([&](const std::string& path) { first.require_part(path); });
  for_each([&](const std::string& path) { (void)first.at(path); });
  return asked;
}

void sweep::choose_columns(const stop_token& stop) {
  for (const axis& one : question_.axes) headings_.push_back(one.key());
  const std::vector<std::uint64_t> first = place_of(0);
  naming("sweep: at " + described(first) + ": ", [&] {
    first_->made = kept_answer(words_of(first), stop);
    columns_ = columns_of(*first_->made);
  });
  const bool is_chosen = !question_.columns.empty() && question_.columns.front() != "all";
  const auto last = std::remove(columns_.begin(), columns_.end(), "warnings");
  shows_warnings_ = !is_chosen || last != columns_.end();
  columns_.erase(last, columns_.end());
  // What an axis shows already.
  for (const axis& one : question_.axes) {
    std::string name = one.key();
    std::replace(name.begin(), name.end(), '-', '_');
    columns_.erase(std::remove(columns_.begin(), columns_.end(), name), columns_.end());
  }
  headings_.insert(headings_.end(), columns_.begin(), columns_.end());
  if (shows_warnings_) headings_.emplace_back("warnings");
}

void sweep::refuse_useless_options() const {
  if (question_.shows_everything) return;
  for (const option& one : kind_of(question_.asked).options) {
    if (one.shows.empty() || !question_.asked.has(one.name)) continue;
    const bool is_shown = std::any_of(columns_.begin(), columns_.end(), [&](const auto& path) {
      return begins_with_part(path, one.shows);
    });
    if (is_shown) continue;
    throw std::domain_error("sweep: --" + one.name +
                            " adds nothing to these columns; see --columns" + " (" + one.shows +
                            ")");
  }
}

std::shared_ptr<const report> sweep::answer_for(std::uint64_t row, const stop_token& stop) const {
  if (row == 0) {
    const std::lock_guard lock{first_->mutex};
    if (auto made = std::exchange(first_->made, nullptr)) return made;
  }
  return kept_answer(words_of(place_of(row)), stop);
}

void sweep::add_row(block& made, std::uint64_t row, const stop_token& stop) const {
  const std::vector<std::uint64_t> place = place_of(row);
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (i > 0) made.csv += ',';
    append_csv(made.csv, question_.axes[i].word(place[i]));
  }
  const std::shared_ptr<const report> found = answer_for(row, stop);
  for (const std::string& path : columns_) {
    made.csv += ',';
    append_csv_value(made.csv, found->find(path).value_or(json(nullptr)));
  }
  if (shows_warnings_) {
    const std::vector<std::string> warnings = found->warnings();
    made.warned += warnings.empty() ? 0 : 1;
    std::string all;
    for (const std::string& one : warnings) all += (all.empty() ? "" : "; ") + one;
    made.csv += ',';
    append_csv(made.csv, all);
  }
  made.csv += '\n';
}

sweep::block sweep::rows(std::uint64_t first, std::uint64_t count, const stop_token& stop) const {
  block made;
  for (std::uint64_t row = first; row < first + count; ++row) {
    made.is_cut = stop.stop_requested();
    if (made.is_cut) return made;
    const std::size_t complete = made.csv.size();
    const auto fail = [&](const std::exception& problem, bool is_mistake) {
      made.csv.resize(complete);
      made.error = "sweep: at " + described(place_of(row)) + ": " + problem.what();
      made.is_mistake = is_mistake;
      return made;
    };
    try {
      add_row(made, row, stop);
    } catch (const stopped&) {
      made.csv.resize(complete);
      made.is_cut = true;
      return made;
    } catch (const std::domain_error& mistake) {
      return fail(mistake, true);
    } catch (const std::exception& failure) {
      return fail(failure, false);
    }
  }
  return made;
}

json sweep::whole_row(std::uint64_t i, const stop_token& stop) const {
  const std::vector<std::uint64_t> place = place_of(i);
  json row;
  for (std::size_t k = 0; k < place.size(); ++k) {
    row[question_.axes[k].key()] = question_.axes[k].value(place[k]);
  }
  naming("sweep: at " + described(place) + ": ",
         [&] { row["result"] = answer_for(i, stop)->all(); });
  return row;
}

}  // namespace ktln2::ask
