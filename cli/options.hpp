#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

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
  [[nodiscard]] std::string where(const std::string& name) const {
    return command_ + ": --" + name;
  }

 private:
  std::string command_;
  std::string kind_;
  std::map<std::string, std::string> left_;
};

}  // namespace ktln2::cli
