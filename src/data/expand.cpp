#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "data/source.hpp"
#include "ktln2/data/open.hpp"

namespace ktln2::data {
namespace {

namespace fs = std::filesystem;

/// What in the folder the pattern stands for. Hidden files only where the pattern begins so.
std::vector<fs::path> matches_in(const fs::path& folder, const std::string& pattern) {
  std::error_code problem;
  if (!is_pattern(pattern)) {
    fs::path one = folder / pattern;
    return fs::exists(one, problem) ? std::vector{one} : std::vector<fs::path>{};
  }
  std::vector<fs::path> found;
  auto entry = fs::directory_iterator(folder.empty() ? "." : folder, problem);
  for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) found.push_back(folder / name);
  }
  return found;
}

std::vector<std::string> matches(const std::string& pattern) {
  std::vector<fs::path> found{fs::path(pattern).root_path()};
  for (const fs::path& part : fs::path(pattern).relative_path()) {
    std::vector<fs::path> deeper;
    for (const fs::path& folder : found) {
      for (fs::path& one : matches_in(folder, part.string())) deeper.push_back(std::move(one));
    }
    found = std::move(deeper);
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const fs::path& one : found) names.push_back(one.string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::string> expand(const std::vector<std::string>& patterns) {
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) {
    std::error_code problem;
    if (!is_pattern(pattern) || fs::exists(pattern, problem)) {
      files.push_back(pattern);
      continue;
    }
    std::vector<std::string> found = matches(pattern);
    if (found.empty()) files.push_back(pattern);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  return files;
}

}  // namespace ktln2::data
