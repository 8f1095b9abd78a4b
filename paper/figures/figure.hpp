#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "paper/figures/table.hpp"

namespace ktln2::paper {

/// Whose choice the value of a parameter is.
enum class origin {
  stated,  ///< the paper gives it
  chosen,  ///< the paper does not, so we chose
  set,     ///< the user did, with --set
};

/// A number, or a list of them, that a figure depends on. Every one can be set by the user.
struct parameter {
  std::string name;  ///< such as sigma_x
  std::vector<double> values;
  origin from = origin::stated;
  std::string note = {};  ///< why it was chosen so
};

/// What was given for a name. Throws std::domain_error unless it is a whole number up to 1e9.
int whole_number(const std::string& name, double value);

class parameters {
 public:
  parameters(std::vector<parameter> all) : all_{std::move(all)} {}  // NOLINT: a list is meant

  [[nodiscard]] const std::vector<parameter>& all() const { return all_; }
  /// These throw std::logic_error if there is no such parameter, std::domain_error, which says
  /// what was expected, if its value is of the wrong kind.
  [[nodiscard]] const std::vector<double>& list(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] int integer(const std::string& name) const;
  /// How many points, trials or bins: a whole number from 1 to 1e6.
  [[nodiscard]] int count(const std::string& name) const;
  /// A list of whole numbers.
  [[nodiscard]] std::vector<int> integers(const std::string& name) const;

  /// Throws std::domain_error if there is no such parameter.
  void set(const std::string& name, std::vector<double> values);

 private:
  [[nodiscard]] const parameter& at(const std::string& name) const;
  std::vector<parameter> all_;
};

/// How much work a figure may be, and whether it should go on.
struct effort {
  bool quick = false;  ///< coarse grids, for tests
  std::uint64_t seed = 1;
  stop_token stop = {};

  /// Points of a grid, or trials of a simulation: a tenth of them in a quick run, but not below
  /// `least`.
  [[nodiscard]] int points(int full, int least = 5) const;
  /// To be called now and then by long work. Throws `stopped` after Ctrl-C.
  void pause() const { throw_if_stopped(stop); }
};

/// One figure of the paper, or one panel of a larger one: what it shows and how its data come
/// about. The texts, from figures.toml, may hold mathematics between dollar signs, in the TeX of
/// formula.hpp.
struct figure {
  std::string label;         ///< of the paper, or "extra:" and a name: the paper has none like it
  std::string parent = {};   ///< label of the figure that this is a panel of; empty for none
  std::string chapter = {};  ///< where it stands
  std::string title = {};    ///< a few words
  std::string caption = {};  ///< what is drawn and what is to be seen in it
  std::string adds = {};     ///< what is drawn that the paper could not
  std::string explore = {};  ///< where the explorer shows it: what stands behind "#"
  parameters settings;
  bool is_random = false;  ///< depends on the seed
  double cost = 1;         ///< seconds on one core, roughly: long ones start first
  std::function<std::vector<table>(const parameters&, const effort&)> compute;

  /// The label without its "fig:", "tab:" or "extra:", as files are called.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] bool is_extra() const { return label.starts_with("extra:"); }
  /// A table of the paper, which is typeset and not drawn.
  [[nodiscard]] bool is_table() const { return label.starts_with("tab:"); }
};

/// A figure of the paper that is made of several.
struct group {
  std::string label;
  std::string title;
  std::string caption;
};

/// The first, the middle and the last of a list in a quick run.
std::vector<int> thinned(const std::vector<int>& all, const effort& work);

/// Numbers from `first` to `last`, both included, equally spaced or with equal ratios. Throws
/// std::domain_error if `last` is smaller, or if a ratio is asked of numbers that are not positive.
std::vector<double> linear_grid(double first, double last, int count);
std::vector<double> log_grid(double first, double last, int count);
/// Whole numbers from `first` to `last`, about `count` of them with about equal ratios, each once.
std::vector<double> whole_log_grid(double first, double last, int count);

}  // namespace ktln2::paper
