#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "output.hpp"

/// One struct for what each command was asked, and one function that answers; each function in its
/// own file. Throws std::domain_error for the user's mistakes.
namespace ktln2::cli {

struct format_request {
  std::string format;
  bool values = false;
  std::vector<std::string> index;
};
void run(const format_request& request, style how);

struct quantize_request {
  std::string format;
  std::vector<std::string> numbers;
};
void run(const quantize_request& request, style how);

struct law_request {
  std::string distribution;
  std::vector<std::string> at;
};
void run(const law_request& request, style how);

struct entropy_request {
  std::string format;
  std::string distribution;
  std::optional<std::string> tolerance;
  std::optional<std::string> y_format;
  bool bits = false;
  bool certify = false;
};
void run(const entropy_request& request, style how);
/// For a pair of registers.
void run_pair(const entropy_request& request, style how);

/// A command with several kinds of things to do.
struct kind_request {
  std::string kind;
  std::string format;
  std::map<std::string, std::string> options;  ///< those given, without "--"
};

struct cost_request : kind_request {};
void run(const cost_request& request, style how);

struct scaling_request : kind_request {
  std::vector<std::string> at;
};
void run(const scaling_request& request, style how);

struct mismatch_request : kind_request {};
void run(const mismatch_request& request, style how);

struct simulate_request : kind_request {};
void run(const simulate_request& request, style how);

struct sweep_request {
  std::vector<std::string> words;  ///< a command and its arguments
  std::vector<std::string> over;
  std::optional<std::string> threads;
};
void run(const sweep_request& request, style how);

struct paper_request {
  std::string out = "out/paper";
  std::vector<std::string> only;
  std::vector<std::string> set;
  bool quick = false;
  std::optional<std::string> seed;
  std::optional<std::string> claims;
  std::optional<std::string> threads;
};
/// Exit status 1, after everything is written, if a claim did not come out as it should.
void run(const paper_request& request, style how);
/// All labels without one.
struct explain_request {
  std::optional<std::string> label;
};
void run(const explain_request& request, style how);

struct tour_request {};
void run(const tour_request& request, style how);

}  // namespace ktln2::cli
