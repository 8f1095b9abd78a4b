#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "ask/csv.hpp"
#include "ask/sweep.hpp"
#include "commands.hpp"
#include "core/parse.hpp"
#include "help.hpp"
#include "ktln2/core/version.hpp"
#include "pictures.hpp"
#include "plot.hpp"
#include "sweep_file.hpp"

namespace ktln2::cli {
namespace {

using ask::json;

/// What was typed behind `sweep`, its own options taken out.
struct sweep_words {
  ask::words inner;
  std::vector<std::string> over;
  std::string columns;
  std::optional<std::string> out;
  std::optional<plot_file> plot;
  unsigned threads = 0;
};

unsigned parse_threads(const std::string& text, const team& workers) {
  const uint128 asked = parse_count("sweep: --threads", text);
  if (asked < 1 || asked > 1024) {
    throw std::domain_error("sweep: --threads must be from 1 to 1024, got " + text);
  }
  if (!workers.has_threads()) {
    throw std::domain_error("sweep: --threads is for ktln2; here mpirun says how many work");
  }
  return static_cast<unsigned>(asked);
}

/// The options of `sweep` and those of the command that is swept stand in any order.
sweep_words take_apart(const std::vector<std::string>& typed, const team& workers) {
  const ask::command& swept = ask::sweepable_called(typed.empty() ? "" : typed.front());
  const ask::command& of = ask::command_called("sweep");
  std::vector<ask::option> own = of.all_options();
  const std::vector<ask::option>& common = common_options();
  own.insert(own.end(), common.begin(), common.end());
  sweep_words found;
  found.inner = parse_words(swept, {typed.begin() + 1, typed.end()}, own);
  found.over = found.inner.take("over");
  for (const std::string& list : found.inner.take("columns")) {
    if (list.empty()) throw std::domain_error("sweep: --columns: expected a name, got ''");
    found.columns = list;
  }
  for (const std::string& file : found.inner.take("out")) found.out = file;
  for (const std::string& file : found.inner.take("plot")) {
    if (workers.writes()) found.plot.emplace("sweep", file);
  }
  for (const std::string& text : found.inner.take("threads")) {
    found.threads = parse_threads(text, workers);
  }
  return found;
}

/// A few blocks a thread of long tables, and no more rows in one than are soon done.
std::uint64_t block_size(std::uint64_t rows) {
  return std::clamp<std::uint64_t>(rows / 512, 1, 256);
}

/// A block of rows as bytes that can be sent to another process.
std::string packed(const ask::sweep::block& made) {
  const std::uint64_t numbers[] = {made.warned, made.is_mistake ? 1U : 0U, made.is_cut ? 1U : 0U,
                                   made.error.size()};
  std::string bytes(sizeof numbers, '\0');
  std::memcpy(bytes.data(), numbers, sizeof numbers);
  return bytes + made.error + made.csv;
}

struct unpacked {
  explicit unpacked(std::string_view bytes) {
    std::uint64_t numbers[4];
    std::memcpy(numbers, bytes.data(), sizeof numbers);
    warned = numbers[0];
    is_mistake = numbers[1] != 0;
    is_cut = numbers[2] != 0;
    error = bytes.substr(sizeof numbers, numbers[3]);
    csv = bytes.substr(sizeof numbers + numbers[3]);
  }
  std::uint64_t warned;
  bool is_mistake;
  bool is_cut;
  std::string_view error;
  std::string_view csv;
};

/// What is said of the rows when they are done, or a stop has ended them.
void say_what_became(std::uint64_t rows, std::uint64_t all, std::uint64_t warned, bool is_kept) {
  if (rows < all) {
    warn(fmt::format("interrupted: {} of {} rows are complete{}", rows, all,
                     is_kept ? "; the same command goes on from there" : ""));
  }
  if (warned > 0) warn(fmt::format("{} of {} rows have warnings of their own", warned, rows));
}

std::string headings_of(const ask::sweep& table) {
  std::string head;
  for (const std::string& one : table.headings()) {
    if (&one != &table.headings().front()) head += ',';
    ask::append_csv(head, one);
  }
  return head + "\n";
}

/// Where rows go: to standard output, or to a file that can be gone on with.
class row_sink {
 public:
  row_sink(const ask::sweep& table, sweep_file* file, bool keeps)
      : table_{table}, file_{file}, keeps_{keeps} {
    if (file_ != nullptr) {
      file_->begin(table.headings());
      rows_ = file_->rows();
      return;
    }
    const std::string head = headings_of(table);
    if (keeps_) kept_ = head;
    print(head);
  }

  [[nodiscard]] bool is_complete() const { return file_ != nullptr && file_->is_complete(); }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }

  void take(std::string_view bytes, progress_bar& bar) {
    const unpacked made{bytes};
    if (is_cut_) return;  // a block that had begun behind one that a stop has cut
    is_cut_ = made.is_cut;
    if (file_ != nullptr) {
      file_->append(made.csv);
    } else {
      if (keeps_) kept_ += made.csv;
      const auto quiet = bar.hidden();
      print(made.csv);
      flush();
    }
    rows_ += static_cast<std::uint64_t>(std::count(made.csv.begin(), made.csv.end(), '\n'));
    warned_ += made.warned;
    if (made.is_mistake) throw std::domain_error(std::string(made.error));
    if (!made.error.empty()) throw std::runtime_error(std::string(made.error));
    bar.show(static_cast<double>(rows_) / static_cast<double>(table_.size()),
             fmt::format("{} of {} rows", rows_, table_.size()));
  }
  /// The rows and their headings, for a picture.
  [[nodiscard]] std::string all_rows() const { return file_ != nullptr ? file_->text() : kept_; }

  [[nodiscard]] bool has_all() const { return rows_ == table_.size(); }
  void say() const { say_what_became(rows_, table_.size(), warned_, file_ != nullptr); }
  void finish() {
    say();
    if (!has_all()) throw interrupted_work("");
    if (file_ != nullptr) file_->finish();
  }

 private:
  const ask::sweep& table_;
  sweep_file* file_;  ///< none: to standard output
  std::uint64_t rows_ = 0;
  std::uint64_t warned_ = 0;
  bool is_cut_ = false;
  bool keeps_;  ///< what goes to standard output, too
  std::string kept_;
};

void draw_rows(const ask::sweep& table, const std::string& rows, const plot_file& file) {
  at_work work{"sweep"};
  file.draw(picture_of(table, rows), work);
}

void write_rows(const ask::sweep& table, const sweep_words& given, sweep_file* file,
                team& workers) {
  const stop_token stop{interrupt_guard::flag()};
  const row_maker make = [&](std::uint64_t begin, std::uint64_t end) {
    return packed(table.rows(begin, end - begin, stop));
  };
  row_range rows{0, table.size(), block_size(table.size()), given.threads};
  if (!workers.writes()) return workers.run(rows, make, {}, stop);
  row_sink sink{table, file, given.plot.has_value()};
  at_work work{[&] { sink.say(); }};
  if (sink.is_complete()) {
    warn(*given.out + " is complete already");
    rows.last = 0;
  }
  rows.first = sink.rows();
  const row_taker take = [&](std::string_view bytes) {
    const auto writing = work.undivided();
    sink.take(bytes, work.bar());
  };
  workers.run(rows, make, take, stop);
  work.let_go();
  const auto quiet = work.bar().hidden();
  if (!sink.is_complete()) sink.finish();
  if (given.plot) draw_rows(table, sink.all_rows(), *given.plot);
}

/// The object around the rows of a sweep, written as they come: however many there are, none is
/// kept.
class json_sink {
 public:
  explicit json_sink(const std::vector<std::string>& over) {
    const json head = {
        {"program", "ktln2"}, {"version", version}, {"command", "sweep"}, {"over", over}};
    std::string text = ask::text_of(head, 2);
    text.resize(text.size() - 2);  // without its end, "\n}"
    print(text + ",\n  \"rows\": [");
  }

  /// The row as one line behind a sign: has it warnings? Nothing is a row that a stop has cut.
  void take(std::string_view bytes) {
    is_cut_ = is_cut_ || bytes.empty();
    if (is_cut_) return;
    warned_ += bytes.front() == warned_sign ? 1 : 0;
    print(rows_ == 0 ? "\n    " : ",\n    ");
    print(bytes.substr(1));
    ++rows_;
  }

  void finish(const std::vector<std::string>& warnings) const {
    print(std::string(rows_ == 0 ? "]" : "\n  ]") +
          ",\n  \"warnings\": " + ask::text_of(json(warnings)) + "\n}\n");
  }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t warned() const { return warned_; }

  static constexpr char warned_sign = '!';

 private:
  std::uint64_t rows_ = 0;
  std::uint64_t warned_ = 0;
  bool is_cut_ = false;
};

void write_json(const ask::sweep& table, const sweep_words& given, team& workers) {
  const stop_token stop{interrupt_guard::flag()};
  const row_maker make = [&](std::uint64_t row, std::uint64_t) -> std::string {
    try {
      const json made = table.whole_row(row, stop);
      const bool has_warnings = !made["result"]["warnings"].empty();
      return (has_warnings ? json_sink::warned_sign : ' ') + ask::text_of(made);
    } catch (const stopped&) {
      return {};
    }
  };
  const row_range rows{0, table.size(), 1, given.threads};
  if (!workers.writes()) return workers.run(rows, make, {}, stop);
  json_sink sink{given.over};
  const auto end_early = [&] {
    say_what_became(sink.rows(), table.size(), sink.warned(), false);
    sink.finish({"interrupted"});
  };
  at_work work{end_early};
  const row_taker take = [&](std::string_view bytes) {
    const auto writing = work.undivided();
    {
      const auto quiet = work.bar().hidden();
      sink.take(bytes);
    }
    work.bar().show(static_cast<double>(sink.rows()) / static_cast<double>(table.size()),
                    fmt::format("{} of {} rows", sink.rows(), table.size()));
  };
  try {
    workers.run(rows, make, take, stop);
  } catch (const interrupted_work&) {
    throw;  // nobody reads on
  } catch (const std::exception& problem) {
    work.let_go();
    const auto quiet = work.bar().hidden();
    sink.finish({problem.what()});  // an object all the same
    throw;
  }
  work.let_go();
  const auto quiet = work.bar().hidden();
  if (sink.rows() < table.size()) {
    end_early();
    throw interrupted_work("");
  }
  say_what_became(sink.rows(), table.size(), sink.warned(), false);
  sink.finish({});
}

/// The first row says which columns there are.
ask::sweep first_look(const ask::sweep_question& asked) {
  static constexpr const char* message = "sweep: interrupted before the first row";
  const at_work work{[] { fmt::print(stderr, "ktln2: {}\n", message); }};
  try {
    return ask::sweep{asked, at_work::stop()};
  } catch (const stopped&) {
    throw interrupted_work(message);
  }
}

}  // namespace

void run_sweep(const std::vector<std::string>& typed, team& workers) {
  sweep_words given = take_apart(typed, workers);
  const bool is_json = take_style(given.inner) == style::json;
  if (is_json && (given.out || !given.columns.empty() || given.plot)) {
    throw std::domain_error(
        "sweep: --json shows whole answers on standard output: not with --out, --columns or "
        "--plot");
  }
  if (given.plot && given.out && !given.out->ends_with(".csv")) {
    throw std::domain_error("sweep: --plot draws rows of CSV: --out must end in .csv, got '" +
                            *given.out + "'");
  }
  const ask::sweep_question asked =
      ask::read_sweep(given.inner, given.over, given.columns, is_json);
  if (given.plot) require_picture(asked);
  // Before the first row is computed: there may be no place for it.
  std::optional<sweep_file> file;
  if (given.out && workers.writes()) file.emplace(*given.out, asked.text());
  const ask::sweep table = first_look(asked);
  if (is_json) return write_json(table, given, workers);
  write_rows(table, given, file ? &*file : nullptr, workers);
}

}  // namespace ktln2::cli
