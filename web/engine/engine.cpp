// The library for the page: the words of a command in, JSON out. No exception leaves it: a reply
// has an answer, or the user's mistake, or a failure of the program.
#include <string>
#include <vector>

#include "ask/entropy_density.hpp"
#include "ask/json.hpp"
#include "ask/solve.hpp"
#include "ask/sweep.hpp"

namespace ktln2::web {
namespace {

using ask::json;
using typed_words = std::vector<std::string>;

/// Behind each word is a zero.
typed_words split(const std::string& words) {
  typed_words typed;
  for (std::size_t begin = 0; begin < words.size();) {
    typed.emplace_back(words.c_str() + begin);
    begin += typed.back().size() + 1;
  }
  return typed;
}

template <class Make>
std::string reply(const std::string& words, Make make) {
  json made;
  try {
    made["answer"] = make(split(words));
  } catch (const std::domain_error& mistake) {
    made = {{"mistake", mistake.what()}};
  } catch (const std::exception& failure) {
    made = {{"failure", failure.what()}};
  }
  return ask::text_of(made);
}

ask::words read(const typed_words& typed) {
  if (typed.empty()) throw std::domain_error("expected a command, got none");
  return parse_words(ask::command_called(typed.front()), {typed.begin() + 1, typed.end()});
}

/// As `ktln2 WORDS --json` prints it.
std::string ask_words(const std::string& words) {
  return reply(words, [](const typed_words& typed) { return ask::whole_answer(read(typed)); });
}

/// `sweep COMMAND …`: the headings, and the rows as lines of CSV.
json table_of(const typed_words& typed) {
  if (typed.size() < 2) throw std::domain_error("sweep: expected a command, got none");
  ask::words inner = parse_words(ask::sweepable_called(typed[1]), {typed.begin() + 2, typed.end()},
                                 ask::command_called("sweep").all_options());
  const auto over = inner.take("over");
  const auto columns = inner.take("columns");
  const ask::sweep rows{
      ask::read_sweep(std::move(inner), over, columns.empty() ? "" : columns.front(), false)};
  const ask::sweep::block made = rows.rows(0, rows.size());
  if (!made.error.empty()) throw std::domain_error(made.error);
  return {{"headings", rows.headings()}, {"csv", made.csv}};
}

std::string table_for(const std::string& words) { return reply(words, table_of); }

json or_null(const std::optional<double>& value) { return value ? ask::number(*value) : json(); }

/// What is stored, over the values that a register can hold.
json picture_of(const typed_words& typed) {
  const auto seen = density_of(ask::read_entropy(read(typed)));
  if (!seen) throw std::domain_error("entropy: only one register has a picture of its values");
  json steps = json::array();
  for (const auto& one : seen->steps) steps.push_back({one.left, one.right, one.density});
  json cells = json::array();
  for (const auto& one : seen->cells) {
    cells.push_back({one.left, one.right, or_null(one.value), or_null(one.probability)});
  }
  json bands = json::array();
  for (const auto& one : seen->bands) bands.push_back({one.left, one.right, one.width});
  return {{"left", seen->left},           {"right", seen->right},      {"is_log", seen->is_log},
          {"has_atoms", seen->has_atoms}, {"steps", std::move(steps)}, {"cells", std::move(cells)},
          {"bands", std::move(bands)}};
}

std::string picture_for(const std::string& words) { return reply(words, picture_of); }

std::string asked;
std::string answered;

}  // namespace

// What web/src/engine/worker.ts calls: it writes the words where `room` says, asks, and reads so
// many bytes as the answer has from where `answer` says.
extern "C" {
__attribute__((export_name("room"))) char* room(std::size_t length) {
  asked.resize(length);
  return asked.data();
}

__attribute__((export_name("ask"))) std::size_t ask() {
  answered = ask_words(asked);
  return answered.size();
}

__attribute__((export_name("table"))) std::size_t table() {
  answered = table_for(asked);
  return answered.size();
}

__attribute__((export_name("picture"))) std::size_t picture() {
  answered = picture_for(asked);
  return answered.size();
}

__attribute__((export_name("answer"))) const char* answer() { return answered.data(); }
}

}  // namespace ktln2::web
