#pragma once

#include <filesystem>
#include <optional>

#include "ask/words.hpp"
#include "paper/report/plot.hpp"
#include "progress.hpp"

namespace ktln2::cli {

/// The file that --plot asks a picture into.
class plot_file {
 public:
  /// Nothing where none is asked for. Whatever is in the way of a picture is said now, before
  /// anything is computed.
  static std::optional<plot_file> asked_by(const ask::words& asked);
  /// The same for a file that is given already; `command` says whose it is.
  plot_file(const std::string& command, std::filesystem::path file);

  void draw(const paper::plot_request& what, at_work& work) const;

 private:
  std::filesystem::path file_;
};

}  // namespace ktln2::cli
