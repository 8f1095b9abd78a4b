#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// A light reading of an HTML page: enough to find links that lead nowhere and tags left open.
namespace ktln2::paper::testing {

struct tag {
  std::string name;
  bool is_closing = false;
  bool is_empty = false;  ///< ends in "/>"
  std::map<std::string, std::string> attributes;
};

class tag_reader {
 public:
  explicit tag_reader(std::string_view page) : page_{page} {}

  /// All tags but comments and the doctype. The text of <style> and <script> is skipped.
  std::vector<tag> read() {
    std::vector<tag> result;
    while ((at_ = page_.find('<', at_)) != std::string_view::npos) {
      ++at_;
      if (at_ < page_.size() && page_[at_] == '!') continue;
      result.push_back(read_tag());
      if (!result.back().is_closing &&
          (result.back().name == "style" || result.back().name == "script")) {
        at_ = page_.find("</" + result.back().name, at_);
      }
    }
    return result;
  }

 private:
  tag read_tag() {
    tag result;
    if (page_[at_] == '/') {
      result.is_closing = true;
      ++at_;
    }
    result.name = word();
    while (at_ < page_.size() && page_[at_] != '>') {
      if (page_[at_] == '/') {
        result.is_empty = true;
        ++at_;
      } else if (page_[at_] == ' ' || page_[at_] == '\n') {
        ++at_;
      } else {
        read_attribute(result);
      }
    }
    return result;
  }

  void read_attribute(tag& owner) {
    const std::string name = word();
    std::string& value = owner.attributes[name];
    if (name.empty()) ++at_;  // something that should not be here; the tests will show it
    if (at_ + 1 >= page_.size() || page_[at_] != '=' || page_[at_ + 1] != '"') return;
    const std::size_t end = page_.find('"', at_ + 2);
    value = page_.substr(at_ + 2, end - at_ - 2);
    at_ = end + 1;
  }

  std::string word() {
    const std::size_t end = std::min(page_.find_first_of(" \n/>=\"", at_), page_.size());
    const std::string result(page_.substr(at_, end - at_));
    at_ = end;
    return result;
  }

  std::string_view page_;
  std::size_t at_ = 0;
};

/// What is wrong with the nesting of the tags; empty if nothing is.
inline std::string unbalanced(const std::string& page) {
  static const std::set<std::string> alone = {"meta", "img", "br", "hr", "input", "link"};
  std::vector<std::string> open;
  for (const tag& t : tag_reader(page).read()) {
    if (alone.contains(t.name) || t.is_empty) continue;
    if (!t.is_closing) {
      open.push_back(t.name);
    } else if (open.empty() || open.back() != t.name) {
      return "</" + t.name + "> where <" + (open.empty() ? "" : open.back()) + "> is open";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

/// Ids that stand there twice, and links that lead nowhere: to no id of the page and to no file
/// beside it.
inline std::vector<std::string> broken_links(const std::string& page,
                                             const std::filesystem::path& folder) {
  const std::vector<tag> tags = tag_reader(page).read();
  std::vector<std::string> result;
  std::set<std::string> ids;
  for (const tag& t : tags) {
    const auto id = t.attributes.find("id");
    if (id != t.attributes.end() && !ids.insert(id->second).second) {
      result.push_back("twice: " + id->second);
    }
  }
  for (const tag& t : tags) {
    for (const char* name : {"href", "src"}) {
      const auto found = t.attributes.find(name);
      if (found == t.attributes.end() || found->second.starts_with("data:")) continue;
      const std::string& to = found->second;
      const bool is_good = to.starts_with('#') ? ids.contains(to.substr(1))
                                               : std::filesystem::is_regular_file(folder / to);
      if (!is_good) result.push_back(to);
    }
  }
  return result;
}

}  // namespace ktln2::paper::testing
