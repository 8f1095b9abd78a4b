// The proved enclosure of the entropy of one register.
//   width        of the enclosure, in bits (bar 1e-12)
//   of_estimate  time against exact_entropy, both measured inside one iteration

#include <benchmark/benchmark.h>

#include <string>

#include "ktln2/certificate/certified_entropy.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/exact.hpp"
#include "thread_seconds.hpp"

namespace {

using namespace ktln2;

void certified(benchmark::State& state, const std::string& format_name,
               const std::string& law_name) {
  const float_format format = float_format::parse(format_name);
  const law x = parse_law(law_name);
  constexpr int repeats = 20;  // an estimate is too short to be timed alone
  double width = 0;
  double proof = 0;
  double estimate = 0;
  for (auto _ : state) {
    const double start = thread_seconds();
    width = 2 * certified_entropy(format, x).error.value();
    const double middle = thread_seconds();
    for (int i = 0; i < repeats; ++i) benchmark::DoNotOptimize(exact_entropy(format, x));
    proof += middle - start;
    estimate += (thread_seconds() - middle) / repeats;
    state.SetIterationTime(middle - start);
  }
  state.counters["width"] = width;
  state.counters["of_estimate"] = proof / estimate;
}

void add(const std::string& format, const std::string& law) {
  benchmark::RegisterBenchmark((format + "/" + law).c_str(), certified, format, law)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

const bool added = [] {
  for (const char* format : {"p11e5", "p24e8", "p53e11"}) {
    for (const char* law :
         {"normal", "normal:mu=0.3,sigma=1.7", "student:dof=1", "student:dof=5", "slope:n=1e6"}) {
      add(format, law);
    }
  }
  add("p64e15", "normal");
  add("p64e15", "student:dof=0.01");
  return true;
}();

}  // namespace
