#include <cstdio>
#include <exception>
#include <stdexcept>

#include "arguments.hpp"

/// Exit status: 0 done, 2 the user's mistake, 1 anything else.
int main(int argc, char** argv) {
  try {
    if (const auto answer = ktln2::cli::parse_arguments(argc, argv)) (*answer)();
    if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write to standard output");
    return 0;
  } catch (const std::domain_error& mistake) {
    std::fprintf(stderr, "ktln2: %s\n", mistake.what());
    return 2;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "ktln2: %s\n", failure.what());
    return 1;
  }
}
