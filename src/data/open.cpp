#include "ktln2/data/open.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "data/readers.hpp"
#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

std::optional<kind> kind_by_name(std::string_view path) {
  if (path.ends_with(".safetensors")) return kind::safetensors;
  if (path.ends_with(".safetensors.index.json")) return kind::safetensors_index;
  return {};
}

/// By its first bytes.
std::optional<kind> kind_by_content(source& from) {
  const auto bytes = from.look(9);
  const std::string_view front(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // A header of less than 2^32 bytes that begins as JSON does
  const bool is_short = front.size() == 9 && front.substr(4, 4) == std::string_view("\0\0\0\0", 4);
  if (is_short && front[8] == '{') return kind::safetensors;
  return {};
}

kind kind_of(source& from, const std::string& path, const open_options& options) {
  if (options.as) return *options.as;
  if (const auto known = kind_by_name(path)) return *known;
  if (const auto known = kind_by_content(from)) return *known;
  if (options.dtype) return kind::raw;
  refuse_file(from.name(), "expected .safetensors, or raw numbers with their dtype");
}

}  // namespace

std::unique_ptr<tensor_file> open_file(const std::string& path, const open_options& options) {
  auto from = std::make_shared<source>(path);
  const kind what = kind_of(*from, path, options);
  const bool says_its_types = what == kind::safetensors || what == kind::safetensors_index;
  if (says_its_types && options.dtype) {
    throw std::domain_error("dtype: " + from->name() + " says its types itself");
  }
  if (what == kind::raw && !options.dtype) {
    throw std::domain_error("dtype: raw numbers need one, such as BF16 or float32");
  }
  switch (what) {
    case kind::safetensors_index:
      return open_safetensors_index(*from, path);
    case kind::raw:
      return open_raw(std::move(from), *options.dtype);
    default:
      return open_safetensors(std::move(from));
  }
}

}  // namespace ktln2::data
