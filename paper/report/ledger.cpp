#include "paper/report/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ktln2/core/version.hpp"
#include "paper/report/files.hpp"

namespace ktln2::paper {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// FNV-1a.
class digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    state_ = (state_ ^ 0xffU) * 0x100000001b3U;  // so that ("ab", "c") is not ("a", "bc")
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

/// Changes with the program: data that another one computed are computed again.
const std::string& program_digest() {
  static const std::string value = [] {
    digest d;
    d.add(version);
    d.add(contents_of("/proc/self/exe"));
    return d.text();
  }();
  return value;
}

std::string shown(const parameter& p) {
  const char* from = p.from == origin::stated   ? "stated in the paper"
                     : p.from == origin::chosen ? "chosen here"
                                                : "set by the user";
  return fmt::format("parameter {} = {} ({}{})", p.name, fmt::join(p.values, ", "), from,
                     p.note.empty() ? "" : "; " + p.note);
}

/// Of a data file as it is now.
std::string digest_of(const fs::path& file) {
  digest d;
  d.add(contents_of(file));
  return d.text();
}

/// A run nests no deeper; what does was not written by one, and could not be written back either.
constexpr int deepest_ledger = 8;

json parsed(const std::string& text) {
  json read = json::parse(
      text, [](int depth, json::parse_event_t, json&) { return depth <= deepest_ledger; }, false);
  return read.is_object() ? read : json::object();
}

json json_of(const cell& entry) {
  if (const auto* text = std::get_if<std::string>(&entry)) return *text;
  const double value = std::get<double>(entry);
  return std::isnan(value) ? json(nullptr) : json(value);
}

cell cell_of(const json& entry) {
  if (entry.is_string()) return entry.get<std::string>();
  return entry.is_null() ? nothing : entry.get<double>();
}

json json_of(const table& t) {
  json columns = json::array();
  for (const column& c : t.columns()) columns.push_back({c.name, c.unit, c.meaning});
  json rows = json::array();
  for (const std::vector<cell>& row : t.rows()) {
    json cells = json::array();
    for (const cell& one : row) cells.push_back(json_of(one));
    rows.push_back(std::move(cells));
  }
  return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

table table_of(const json& kept) {
  std::vector<column> columns;
  for (const json& c : kept.at("columns")) columns.push_back({c.at(0), c.at(1), c.at(2)});
  table result(std::move(columns));
  for (const json& row : kept.at("rows")) {
    std::vector<cell> cells;
    for (const json& one : row) cells.push_back(cell_of(one));
    result.add(std::move(cells));
  }
  return result;
}

void read(const json& entry, figure_result& result) {
  entry.at("seconds").get_to(result.seconds);
  result.files.clear();
  for (const auto& [name, print] : entry.at("files").items()) result.files.push_back(name);
  entry.at("error_bars").at("count").get_to(result.bars.count);
  entry.at("error_bars").at("largest").get_to(result.bars.largest);
  result.tables.clear();
  for (const json& kept : entry.at("tables")) result.tables.push_back(table_of(kept));
}

}  // namespace

std::string fingerprint(const figure& f, const effort& work) {
  digest d;
  d.add(program_digest());
  d.add(f.label);
  d.add(work.quick ? "quick" : "full");
  if (f.is_random) d.add(std::to_string(work.seed));
  for (const parameter& p : f.settings.all()) {
    d.add(p.name);
    for (const double value : p.values) d.add(fmt::format("{}", value));
  }
  return d.text();
}

std::vector<std::string> preamble(const figure& f, const effort& work, const std::string& print) {
  std::vector<std::string> lines = {"label " + f.label, "title " + f.title};
  for (const parameter& p : f.settings.all()) lines.push_back(shown(p));
  if (f.is_random) lines.push_back(fmt::format("seed {}", work.seed));
  if (work.quick) lines.emplace_back("coarse grid: --quick");
  lines.push_back(fmt::format("program ktln2 {}", version));
  lines.push_back("fingerprint " + print);
  return lines;
}

ledger::ledger(fs::path out)
    : out_{std::move(out)}, entries_(parsed(contents_of(out_ / "data" / "ledger.json"))) {}

bool ledger::knows(figure_result& result, const std::string& print) const {
  const auto entry = entries_.find(result.what.name());
  if (entry == entries_.end()) return false;
  try {
    read(*entry, result);
    const json& files = entry->at("files");
    return entry->at("fingerprint") == print && !files.empty() &&
           std::all_of(result.files.begin(), result.files.end(), [&](const std::string& name) {
             return name.starts_with("data/") && name.find("..") == std::string::npos &&
                    files.at(name) == digest_of(out_ / name);
           });
  } catch (const std::exception&) {
    return false;  // not what a run writes
  }
}

void ledger::add(const figure_result& result, const std::string& print) {
  json files = json::object();
  for (const std::string& name : result.files) files[name] = digest_of(out_ / name);
  json tables = json::array();
  for (const table& t : result.tables) tables.push_back(json_of(t));
  entries_[result.what.name()] = {
      {"fingerprint", print},
      {"seconds", result.seconds},
      {"files", std::move(files)},
      {"error_bars", {{"count", result.bars.count}, {"largest", result.bars.largest}}},
      {"tables", std::move(tables)}};
  write_whole(out_ / "data" / "ledger.json", entries_.dump(1) + '\n');
}

}  // namespace ktln2::paper
