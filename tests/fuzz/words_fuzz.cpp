// Command lines: the first byte chooses the command, each line behind it is a word.
#include "ask/words.hpp"
#include "fuzz.hpp"

namespace {

using namespace ktln2;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines{""};
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

/// Everything that the table of commands declares, read as what it takes.
void read_all(const ask::words& asked) {
  const ask::reader given{asked};
  std::vector<ask::option> declared =
      kind_called(ask::command_called(asked.command), asked.kind).options;
  for (const ask::option& one : declared) {
    if (!given.has(one.name)) continue;
    fuzz::allow_mistakes([&] { (void)given.word(one.name); });
    fuzz::allow_mistakes([&] { (void)given.list(one.name); });
    fuzz::allow_mistakes([&] { (void)given.numbers(one.name); });
    fuzz::allow_mistakes([&] { (void)given.number(one.name); });
    fuzz::allow_mistakes([&] { (void)given.whole(one.name, 1, 1024); });
    fuzz::allow_mistakes([&] { (void)given.format(one.name); });
  }
}

}  // namespace

FUZZ(input) {
  if (input.empty()) return;
  const std::vector<ask::command>& all = ask::commands();
  const ask::command& of = all[static_cast<unsigned char>(input[0]) % all.size()];
  fuzz::allow_mistakes([&] { read_all(parse_words(of, lines_of(input.substr(1)))); });
}
