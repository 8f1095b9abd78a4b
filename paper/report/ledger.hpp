#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paper/report/run.hpp"

/// What earlier runs left, and how it is known to be still good.
namespace ktln2::paper {

/// Changes with everything that the data of a figure depend on, the program included.
std::string fingerprint(const figure& f, const effort& work);

/// The first lines of a data file: what it shows, its parameters, and the fingerprint.
std::vector<std::string> preamble(const figure& f, const effort& work, const std::string& print);

/// data/ledger.json: for each figure its fingerprint, its files with a digest of each, how long
/// they took, and what the report tells of their numbers.
class ledger {
 public:
  explicit ledger(std::filesystem::path out);

  /// Fills in what is known; false unless all files are there, as the run with this fingerprint
  /// left them.
  bool knows(figure_result& result, const std::string& print) const;
  void add(const figure_result& result, const std::string& print);

 private:
  std::filesystem::path out_;
  nlohmann::ordered_json entries_;
};

}  // namespace ktln2::paper
