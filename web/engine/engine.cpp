// The library for the page: the words of a command in, JSON out. No exception leaves it: a reply
// has an answer, or the user's mistake, or a failure of the program.
#include <emscripten/bind.h>

#include <string>
#include <vector>

#include "ask/entropy_density.hpp"
#include "ask/json.hpp"
#include "ask/solve.hpp"
#include "ask/sweep.hpp"
#include "ktln2/core/version.hpp"

namespace ktln2::web {
namespace {

using ask::json;
using typed_words = std::vector<std::string>;

template <class Make>
std::string reply(const std::string& words, Make make) {
  json made;
  try {
    made["answer"] = make(json::parse(words).get<typed_words>());
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

std::string table(const std::string& words) { return reply(words, table_of); }

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

std::string picture(const std::string& words) { return reply(words, picture_of); }

std::string version_text() { return version; }

}  // namespace
}  // namespace ktln2::web

EMSCRIPTEN_BINDINGS(ktln2) {
  emscripten::function("ask", &ktln2::web::ask_words);
  emscripten::function("table", &ktln2::web::table);
  emscripten::function("picture", &ktln2::web::picture);
  emscripten::function("version", &ktln2::web::version_text);
}
