// Files as a page has them: those that were given to it, by name. The worker reads them piece by
// piece where they lie; there are no folders, no pipes and no patterns.
#include <algorithm>

#include "data/refuse.hpp"
#include "data/source.hpp"
#include "ktln2/data/open.hpp"

// web/src/engine/worker.ts has these.
extern "C" {
/// Which of the files has the name; -1: none.
__attribute__((import_module("page"), import_name("find_file"))) int page_find_file(
    const char* name, std::size_t length);
__attribute__((import_module("page"), import_name("file_size"))) double page_file_size(int file);
__attribute__((import_module("page"), import_name("read_file"))) void page_read_file(
    int file, double offset, void* to, std::size_t length);
}

namespace ktln2::data {

std::vector<std::string> expand(const std::vector<std::string>& patterns) { return patterns; }

bool exists(const std::string& path) { return page_find_file(path.data(), path.size()) >= 0; }

source::source(const std::string& path)
    : name_{path}, descriptor_{page_find_file(path.data(), path.size())} {
  if (descriptor_ < 0) refuse_file(name_, "cannot be opened: the page was not given it");
  size_ = static_cast<std::uint64_t>(page_file_size(descriptor_));
  if (*size_ == 0) refuse_file(name_, "is empty");
}

source::~source() = default;

std::size_t source::read_some(std::uint64_t offset, std::span<std::byte> buffer) {
  const std::uint64_t left = offset < *size_ ? *size_ - offset : 0;
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer.size()));
  if (length > 0) {
    page_read_file(descriptor_, static_cast<double>(offset), buffer.data(), length);
  }
  return length;
}

}  // namespace ktln2::data
