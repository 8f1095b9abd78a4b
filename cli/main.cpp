#include "program.hpp"

int main(int argc, char** argv) {
  ktln2::cli::thread_team threads;
  return ktln2::cli::run_program({argv + 1, argv + argc}, threads);
}
