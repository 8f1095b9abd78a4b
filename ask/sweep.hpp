#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ask/axis.hpp"
#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"

namespace ktln2::ask {

/// One question with some of its parameters running through many values.
struct sweep_question {
  words asked;             ///< of the command that is swept
  std::vector<axis> axes;  ///< the first one outermost
  /// Which numbers of the answers are shown: paths as of report::at, or "all"; none for the main
  /// ones and the warnings.
  std::vector<std::string> columns = {};
  bool shows_everything = false;  ///< whole answers as JSON, not columns

  /// The question in words, the same for the same rows, whatever runs it.
  [[nodiscard]] std::string text() const;
};

/// Throws std::domain_error, with the nearest name, unless there is a command of that name that can
/// be swept.
const command& sweepable_called(const std::string& name);

/// Axes as they are typed, and a list of columns with commas or nothing. Throws std::domain_error.
sweep_question read_sweep(words asked, const std::vector<std::string>& over,
                          const std::string& columns, bool shows_everything);

/// The rows of a sweep, each computed when it is asked for. May be asked by several threads at
/// once.
class sweep {
 public:
  /// Answers the question of the first row, to know what there is to be shown, and keeps the
  /// answer for that row. Throws std::domain_error unless each axis is a parameter of the command
  /// that is not given already, there is each column, and each option changes something that is
  /// shown; and where the first row is a mistake. Throws `stopped` after a stop.
  explicit sweep(sweep_question question, const stop_token& stop = {});

  [[nodiscard]] const sweep_question& question() const { return question_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The axes, then what is shown of each answer.
  [[nodiscard]] const std::vector<std::string>& headings() const { return headings_; }

  /// Rows as lines of CSV. A mistake in one of them ends the block: `error` says which, and the
  /// rows before it are there.
  struct block {
    std::string csv;
    std::uint64_t warned = 0;  ///< rows with warnings
    std::string error = {};
    bool is_mistake = false;  ///< the user's
    bool is_cut = false;      ///< a stop came before the last row
  };
  [[nodiscard]] block rows(std::uint64_t first, std::uint64_t count,
                           const stop_token& stop = {}) const;
  /// One row as {axes, "result": the whole answer}.
  /// Throws `stopped` after a stop.
  [[nodiscard]] json whole_row(std::uint64_t i, const stop_token& stop = {}) const;

 private:
  /// Where a value of an axis goes.
  struct target {
    enum class part { format_p, format_e, law_key, argument } where;
    std::string name;
  };
  [[nodiscard]] target target_of(const axis& one) const;
  [[nodiscard]] bool takes_whole(const target& one) const;
  [[nodiscard]] std::vector<std::uint64_t> place_of(std::uint64_t row) const;
  [[nodiscard]] words words_of(const std::vector<std::uint64_t>& place) const;
  /// "sigma=1, n=10"
  [[nodiscard]] std::string described(const std::vector<std::uint64_t>& place) const;
  void choose_columns(const stop_token& stop);
  /// Those asked for, or the main ones, of the first row.
  [[nodiscard]] std::vector<std::string> columns_of(const report& first) const;
  void refuse_useless_options() const;
  /// The answer for a row; that for the first one is there already, for the first who asks.
  [[nodiscard]] std::shared_ptr<const report> answer_for(std::uint64_t row,
                                                         const stop_token& stop) const;
  void add_row(block& made, std::uint64_t row, const stop_token& stop) const;

  /// An answer belongs to one thread: to the one that takes it.
  struct first_answer {
    std::mutex mutex;
    std::shared_ptr<const report> made;
  };

  sweep_question question_;
  std::vector<target> targets_;
  std::uint64_t size_ = 1;
  std::vector<std::string> columns_;
  bool shows_warnings_ = true;
  std::vector<std::string> headings_;
  std::shared_ptr<first_answer> first_ = std::make_shared<first_answer>();
};

}  // namespace ktln2::ask
