#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "arguments.hpp"

namespace {

/// One line, whatever the user typed: no control characters, and not endlessly long.
void complain(const char* message) {
  constexpr std::size_t longest = 400;
  std::string line = message;
  if (line.size() > longest) {
    std::size_t end = longest - 200;
    std::size_t next = line.size() - 150;
    const auto inside = [&line](std::size_t i) {
      return (static_cast<unsigned char>(line[i]) & 0xc0U) == 0x80U;  // of a UTF-8 character
    };
    while (inside(end)) --end;
    while (inside(next)) ++next;
    line = line.substr(0, end) + " ... " + line.substr(next);
  }
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  std::fprintf(stderr, "ktln2: %s\n", line.c_str());
}

}  // namespace

/// Exit status: 0 done, 2 the user's mistake, 1 anything else.
int main(int argc, char** argv) {
  try {
    if (const auto answer = ktln2::cli::parse_arguments(argc, argv)) (*answer)();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw std::runtime_error("cannot write to standard output");
    return 0;
  } catch (const std::domain_error& mistake) {
    complain(mistake.what());
    return 2;
  } catch (const std::exception& failure) {
    complain(failure.what());
    return 1;
  }
}
