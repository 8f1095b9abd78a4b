#include "ktln2/format/catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "core/attempt.hpp"
#include "core/nearest.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace ktln2 {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// What somebody who typed this may have meant, in whole sentences; empty if nothing comes to mind.
std::string guess(std::string_view name) {
  const std::string typed = lower(name);
  std::vector<std::string> names;
  for (const format_entry& one : format_catalogue()) {
    const bool is_known =
        typed == one.size_of ||
        std::find(one.also_called.begin(), one.also_called.end(), typed) != one.also_called.end();
    if (is_known) return "did you mean " + std::string(one.name) + ", the one of its size? ";
    names.emplace_back(one.name);
  }
  for (const number_entry& one : number_catalogue()) names.emplace_back(one.name);
  const std::string likely = meant(typed, names);
  return likely.empty() ? "" : "did you mean " + likely + "? ";
}

}  // namespace

const std::vector<format_entry>& format_catalogue() {
  static const std::vector<format_entry> all{
      {"p2e2", "a 4-bit float", {"e2m1", "fp4"}},
      {"p4e4", "e4m3", {"fp8", "float8"}},
      {"p3e5", "e5m2", {}},
      {"p11e5", "binary16", {"float16", "fp16", "half"}},
      {"p8e8", "bfloat16", {"bf16"}},
      {"p24e8", "binary32", {"float32", "fp32", "float", "single"}},
      {"p53e11", "binary64", {"float64", "fp64", "double"}},
      {"p64e15", "extended", {"float80", "fp80"}},
  };
  return all;
}

std::optional<std::string> codebook_file(std::string_view name) {
  constexpr std::string_view prefix = "codebook:";
  if (!name.starts_with(prefix)) return {};
  if (name == prefix) {
    throw std::domain_error("codebook: expected codebook:FILE, a file with one value a line");
  }
  return std::string(name.substr(prefix.size()));
}

float_format parse_format(std::string_view name) {
  if (codebook_file(name)) {
    throw std::domain_error("'" + std::string(name) +
                            "' is a list of values: expected a format such as p24e8 (codebooks are "
                            "for entropy, quantize and format)");
  }
  if (const auto known = find_number_format(name)) {
    throw std::domain_error("'" + std::string(name) +
                            "' is not one of the paper's idealized formats: " + guess(name) +
                            "expected p<P>e<E>, such as p24e8");
  }
  std::optional<float_format> found;
  if (auto mistake = mistake_in([&] { found = float_format::parse(name); })) {
    // "unknown format 'float32': expected …", with the guess in between
    const std::size_t expected = mistake->find("expected ");
    if (mistake->starts_with("unknown format") && expected != std::string::npos) {
      mistake->insert(expected, guess(name));
    }
    throw std::domain_error(*mistake);
  }
  return *found;
}

std::string with_format_key(std::string_view name, std::string_view key, std::string_view value) {
  const std::string known = parse_format(name).name();
  const std::size_t e = known.find('e');
  const std::string changed(value);
  return key == "p" ? "p" + changed + known.substr(e) : known.substr(0, e + 1) + changed;
}

}  // namespace ktln2
