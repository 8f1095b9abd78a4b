#include "ask/measure.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "ask/block.hpp"
#include "ask/problem.hpp"
#include "ask/survey.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace ktln2::ask {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string name_pattern(const std::string& name) {
  std::string made;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && is_digit(name[end])) ++end;
    const bool stands_alone =
        end > i && (i == 0 || !is_word(name[i - 1])) && (end == name.size() || !is_word(name[end]));
    if (stands_alone) {
      made += '*';
    } else {
      end = std::max(end, i + 1);
      made += name.substr(i, end - i);
    }
    i = end;
  }
  return made;
}

double measured_codes::floor_bytes() const {
  return std::max(0.0, static_cast<double>(facts.count) * fields.total.value.value() / 8);
}

namespace {

/// --as, with commas.
std::vector<std::string> read_other_formats(const reader& given) {
  std::vector<std::string> made;
  for (const std::string& list : given.list("as")) {
    for (std::string& name : split(list, ',')) made.push_back(std::move(name));
  }
  for (std::string& name : made) {
    if (const auto blocks = block_format_called(name)) {
      name = blocks->name();
      continue;
    }
    const auto format = find_number_format(name);
    if (!format) (void)parse_format(name);  // throws, with the nearest name
    if (!format || format->width() > 16) {
      throw std::domain_error(given.where("as") + ": expected formats of up to 16 bits such as " +
                              "bfloat16, e4m3, mxfp4 or nvfp4, got " + name);
    }
    name = format->name();
  }
  return made;
}

}  // namespace

measure_question read_measure(const words& asked) {
  const reader given{asked};
  measure_question made;
  made.files = given.list("files");
  if (const auto dtype = given.optional_word("dtype")) {
    made.how_to_read.dtype = data::parse_element(*dtype);
  }
  if (const auto kind = given.optional_word("kind")) made.how_to_read.as = data::parse_kind(*kind);
  if (const auto sign = given.optional_word("delimiter")) {
    made.how_to_read.table.delimiter = data::parse_delimiter(*sign);
  }
  made.how_to_read.table.decimal_comma = given.flag("decimal-comma");
  if (const auto name = given.optional_word("estimator")) {
    made.estimator = measure::parse_estimator(*name);
  }
  made.as = read_other_formats(given);
  made.temperature = read_temperature(given);
  made.threads = static_cast<unsigned>(given.has("threads") ? given.whole("threads", 1, 256) : 0);
  made.wants_each = given.flag("each");
  made.wants_bits = given.flag("bits");
  made.files = data::expand(made.files);
  return made;
}

measure_answer solve(const measure_question& asked, const stop_token& stop,
                     const tell_progress& tell) {
  survey all{asked};
  std::mutex mutex;
  std::uint64_t done = 0;
  const auto told = [&](std::uint64_t bytes) {
    if (!tell) return;
    const std::lock_guard lock{mutex};
    done += bytes;
    tell({done, all.bytes()});
  };
  const std::size_t large = all.large_jobs();
  const std::size_t small = all.jobs().size() - large;
  try {
    for (std::size_t i = 0; i < large; ++i) {
      const survey::job& one = all.jobs()[i];
      all.keep(one, all.count(one, asked.threads, stop, told));
    }
    parallel_in_order(
        small, asked.threads,
        [&](std::size_t i) -> std::function<void()> {
          const survey::job& one = all.jobs()[large + i];
          auto found = std::make_shared<const survey::outcome>(all.count(one, 1, stop, told));
          return [&all, &one, found] { all.keep(one, *found); };
        },
        stop);
  } catch (const stopped&) {
    return all.finish(false);
  }
  return all.finish(!stop.stop_requested());
}

}  // namespace ktln2::ask
