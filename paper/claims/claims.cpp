#include "paper/claims/claims.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

#include "embedded.hpp"
#include "paper/toml.hpp"
#include "paper/typeset/formula.hpp"

namespace ktln2::paper {
namespace {

/// Reads the keys of one [[claim]] and complains about the others.
class claim_reader {
 public:
  claim_reader(const toml::table& table, const std::string& file, const check_table& known)
      : table_{table}, file_{file}, checks_{known} {}

  claim read() {
    claim result;
    result.id = text("id", true);
    id_ = result.id;
    result.label = text("label", true);
    result.says = prose("says", true);
    result.paper = prose("paper", true);
    result.check = text("check", true);
    result.how = prose("how", true);
    result.command = text("command", false);
    result.erratum = prose("erratum", false);
    result.headline = prose("headline", false);
    result.drawing = text("drawing", false);
    read_figures(result);
    read_numbers(result);
    for (const auto& [key, value] : table_) {
      if (!known_.contains(std::string(key.str())))
        fail(fmt::format("unknown key '{}'", key.str()));
    }
    if (!checks_.contains(result.check)) fail("there is no check '" + result.check + "'");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::domain_error(fmt::format("{}, line {}{}: {}", file_, table_.source().begin.line,
                                        id_.empty() ? "" : ", claim '" + id_ + "'", why));
  }

  std::string text(const std::string& key, bool is_needed) {
    known_.insert(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr && !is_needed) return "";
    const auto value = node == nullptr ? std::nullopt : node->value_exact<std::string>();
    if (!value || (is_needed && value->empty())) fail("expected " + key + " = \"...\"");
    return *value;
  }

  /// A text that can be shown.
  std::string prose(const std::string& key, bool is_needed) {
    std::string value = text(key, is_needed);
    try {
      prose_to_html(value);
    } catch (const std::invalid_argument& error) {
      fail(key + ": " + error.what());
    }
    return value;
  }

  void read_figures(claim& result) {
    known_.insert("figures");
    if (!table_.contains("figures")) return;
    const toml::array* list = table_["figures"].as_array();
    if (list == nullptr) fail("expected figures = [\"fig:...\", ...]");
    for (const toml::node& node : *list) {
      const auto label = node.value<std::string>();
      if (!label) fail("figures must be a list of labels");
      result.figures.push_back(*label);
    }
  }

  void read_numbers(claim& result) {
    known_.insert("numbers");
    if (!table_.contains("numbers")) return;
    const toml::table* numbers = table_["numbers"].as_table();
    if (numbers == nullptr) fail("expected numbers = { name = number, ... }");
    for (const auto& [key, node] : *numbers) {
      std::vector<double>& values = result.numbers[std::string(key.str())];
      const auto add = [&, name = key.str()](const toml::node& one) {
        const auto value = one.value<double>();
        if (!value) fail(fmt::format("numbers.{} must be a number or a list", name));
        if (!std::isfinite(*value)) fail(fmt::format("numbers.{} must be finite", name));
        values.push_back(*value);
      };
      if (const toml::array* list = node.as_array()) {
        for (const toml::node& one : *list) add(one);
      } else {
        add(node);
      }
    }
  }

  const toml::table& table_;
  const std::string& file_;
  const check_table& checks_;
  std::string id_;
  std::set<std::string> known_;
};

}  // namespace

const std::vector<double>& claim::list(const std::string& name, std::size_t least) const {
  const auto found = numbers.find(name);
  const std::size_t count = found == numbers.end() ? 0 : found->second.size();
  if (count < least) {
    throw std::domain_error(
        fmt::format("numbers.{} must have {} at least, got {}", name, least, count));
  }
  return found->second;
}

double claim::number(const std::string& name) const {
  const std::vector<double>& values = list(name);
  if (values.size() != 1) {
    throw std::domain_error(
        fmt::format("numbers.{} must be one number, got {}", name, values.size()));
  }
  return values[0];
}

int claim::integer(const std::string& name) const { return whole_number(name, number(name)); }

std::vector<int> claim::integers(const std::string& name) const {
  std::vector<int> result;
  for (const double value : list(name)) result.push_back(whole_number(name, value));
  return result;
}

std::string_view name_of(verdict v) {
  switch (v) {
    case verdict::holds:
      return "holds";
    case verdict::qualified:
      return "holds with a qualification";
    case verdict::fails:
      return "fails";
  }
  return "";
}

bool checked_claim::is_expected() const {
  return (result == verdict::holds) == what.erratum.empty();
}

std::vector<claim> parse_claims(std::string_view text, const std::string& file,
                                const check_table& known) {
  toml::table root;
  try {
    root = parse_toml(text);
  } catch (const toml::parse_error& error) {
    throw std::domain_error(
        fmt::format("{}, line {}: {}", file, error.source().begin.line, error.description()));
  }
  const toml::array* list = root["claim"].as_array();
  if (list == nullptr || !list->is_array_of_tables()) {
    const toml::node* node = root.get("claim");
    throw std::domain_error(fmt::format("{}, line {}: expected a list of [[claim]]", file,
                                        node == nullptr ? 1 : node->source().begin.line));
  }
  std::vector<claim> result;
  std::set<std::string> ids;
  for (const toml::node& node : *list) {
    result.push_back(claim_reader(*node.as_table(), file, known).read());
    if (!ids.insert(result.back().id).second) {
      throw std::domain_error(
          fmt::format("{}, line {}: expected another id, there are two claims '{}'", file,
                      node.source().begin.line, result.back().id));
    }
  }
  return result;
}

const std::vector<claim>& claims() {
  static const std::vector<claim> all = parse_claims(embedded::claims_toml, "claims.toml");
  return all;
}

checked_claim examine(const claim& what, const effort& work, const check_table& known) {
  const auto start = std::chrono::steady_clock::now();
  checked_claim result{what, {}};
  try {
    result.found = known.at(what.check)(what, work);
  } catch (const std::domain_error& mistake) {
    throw std::domain_error(fmt::format("claim '{}': {}", what.id, mistake.what()));
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  result.seconds = passed.count();
  if (result.found.as_stated) {
    result.result = verdict::holds;
  } else if (result.found.as_qualified) {
    result.result = verdict::qualified;
  }
  return result;
}

}  // namespace ktln2::paper
