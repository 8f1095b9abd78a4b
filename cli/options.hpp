#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ktln2/cost/computations.hpp"
#include "output.hpp"

namespace ktln2::cli {

/// The options that were given to a command with several kinds, read one by one. What is left over
/// was meant for another kind.
class option_reader {
 public:
  option_reader(std::string command, std::string kind, std::map<std::string, std::string> options)
      : command_{std::move(command)}, kind_{std::move(kind)}, left_{std::move(options)} {}

  std::optional<std::string> take(const std::string& name);
  double number(const std::string& name, double otherwise);
  /// A whole number, also written as 1e6.
  std::uint64_t count(const std::string& name, std::uint64_t otherwise);
  /// Throws std::domain_error if an option was not taken.
  void expect_no_more() const;
  [[nodiscard]] const std::string& command() const { return command_; }
  [[nodiscard]] std::string where(const std::string& name) const {
    return command_ + ": --" + name;
  }

 private:
  std::string command_;
  std::string kind_;
  std::map<std::string, std::string> left_;
};

// What several commands have in common. Readers of problems change only what was given.

/// --temperature or --kbt; 300 K without.
kelvin read_temperature(option_reader& options);
/// --entropy
entropy_kind read_entropy_kind(option_reader& options);
/// --y-format and --model-format, FORMAT where they are not given.
register_formats read_formats(option_reader& options, const float_format& format);
float_format read_format(option_reader& options, const char* name, const float_format& otherwise);
/// --n, --w, --sigma-x and --sigma-xi
struct asked_regression {
  linear_model model = {};
  double n = 10;
};
void read(option_reader& options, asked_regression& problem);
/// --steps, --batch, --eta, --w0, --w, --sigma-x and --sigma-xi
struct asked_sgd {
  linear_model model{.w = 2};
  descent how = {};
  double steps = 100;
};
void read(option_reader& options, asked_sgd& problem);
/// The first four of them.
void read_descent(option_reader& options, asked_sgd& problem);

/// The same problems and formats as a JSON object echoes them.
json_value shown(const register_formats& formats);
json_value shown(const asked_regression& problem);
json_value shown(const asked_sgd& problem);

}  // namespace ktln2::cli
