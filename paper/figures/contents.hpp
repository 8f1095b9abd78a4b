#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What figures.toml says: which figures there are, where, and what they show.
namespace ktln2::paper {

/// The words about a figure or a panel.
struct entry {
  std::string label;
  std::string title;
  std::string caption;
  std::string adds;     ///< may be empty
  std::string explore;  ///< where the explorer shows it: what stands behind "#"; may be empty
};

/// A figure with its panels, or one that stands alone.
struct content {
  entry whole;
  std::string chapter;
  std::vector<entry> panels;
};

/// From the text of a file like figures.toml, patterns filled in. Throws std::logic_error, which
/// says what and where, if it is not one.
std::vector<content> read_contents(std::string_view toml);

/// Those of the paper, in its order.
const std::vector<content>& contents();

}  // namespace ktln2::paper
