#include "ktln2/data/open.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "data/readers.hpp"
#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

std::optional<kind> kind_by_name(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, kind>, 6> endings{{
      {".safetensors", kind::safetensors},
      {".safetensors.index.json", kind::safetensors_index},
      {".npy", kind::npy},
      {".npz", kind::npz},
      {".csv", kind::table},
      {".tsv", kind::table},
  }};
  for (const auto& [ending, what] : endings) {
    if (path.ends_with(ending)) return what;
  }
  return {};
}

/// Whether the bytes could be a table's: no control characters but those of lines and tabs.
bool looks_like_text(std::string_view front) {
  return !front.empty() && std::none_of(front.begin(), front.end(), [](unsigned char c) {
    return c < 0x20 && c != '\t' && c != '\r' && c != '\n';
  });
}

/// By its first bytes.
std::optional<kind> kind_by_content(source& from, bool has_dtype) {
  const auto bytes = from.look(512);
  const std::string_view front(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (front.starts_with("\x93NUMPY")) return kind::npy;
  // With a dtype all else are numbers, whatever they look like.
  if (has_dtype) return kind::raw;
  if (front.starts_with("PK\x03\x04")) return kind::npz;
  // A header of less than 2^32 bytes that begins as JSON does
  const bool is_short = front.size() > 8 && front.substr(4, 4) == std::string_view("\0\0\0\0", 4);
  if (is_short && front[8] == '{') return kind::safetensors;
  if (looks_like_text(front)) return kind::table;
  return {};
}

kind kind_of(source& from, const std::string& path, const open_options& options) {
  if (options.as) return *options.as;
  if (const auto known = kind_by_name(path)) return *known;
  if (const auto known = kind_by_content(from, options.dtype.has_value())) return *known;
  refuse_file(from.name(),
              "expected .safetensors, .npy, .npz or a table, or --dtype for raw numbers");
}

void check_dtype(const source& from, kind what, const std::optional<element>& dtype) {
  const bool says_its_types = what == kind::safetensors || what == kind::safetensors_index;
  if (says_its_types && dtype) {
    throw std::domain_error("dtype: " + from.name() + " says its types itself");
  }
  if (what == kind::raw && !dtype) {
    throw std::domain_error("dtype: raw numbers need one, such as BF16 or float32");
  }
}

}  // namespace

kind parse_kind(std::string_view name) {
  for (const auto& [word, what] :
       std::initializer_list<std::pair<std::string_view, kind>>{{"safetensors", kind::safetensors},
                                                                {"index", kind::safetensors_index},
                                                                {"npy", kind::npy},
                                                                {"npz", kind::npz},
                                                                {"csv", kind::table},
                                                                {"raw", kind::raw}}) {
    if (name == word) return what;
  }
  throw std::domain_error("input must be safetensors, index, npy, npz, csv or raw, got " +
                          in_quotes(name));
}

std::unique_ptr<tensor_file> open_file(const std::string& path, const open_options& options) {
  auto from = std::make_shared<source>(path);
  if (from->look(1).empty()) refuse_file(from->name(), "is empty");
  const kind what = kind_of(*from, path, options);
  check_dtype(*from, what, options.dtype);
  switch (what) {
    case kind::safetensors:
      return open_safetensors(std::move(from));
    case kind::safetensors_index:
      return open_safetensors_index(*from, path);
    case kind::npy:
      return open_npy(std::move(from), options.dtype);
    case kind::raw:
      return open_raw(std::move(from), *options.dtype);
    case kind::table:
      return open_table(std::move(from), path, options);
    case kind::npz:
      break;
  }
#ifdef KTLN2_HAS_ARCHIVES
  if (from->is_pipe()) refuse_file(from->name(), "an .npz file cannot be read from a pipe");
  return open_npz(path, options.dtype);
#else
  refuse_file(from->name(), "is an archive, which is not read here: unpack its .npy files");
#endif
}

}  // namespace ktln2::data
