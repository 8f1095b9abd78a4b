#pragma once

#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

#include "test_configuration.hpp"

/// Every LaTeX label of the paper.
inline std::set<std::string> labels_of_the_paper() {
  std::ifstream file(KTLN2_SOURCE_DIR "/tests/labels/paper_labels.txt");
  if (!file) throw std::runtime_error("no list of labels");
  std::set<std::string> labels;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') labels.insert(line);
  }
  return labels;
}
