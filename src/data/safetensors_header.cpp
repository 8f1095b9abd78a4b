#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "data/refuse.hpp"
#include "data/safetensors_sax.hpp"
#include "ktln2/data/element.hpp"
#include "ktln2/data/safetensors.hpp"

namespace ktln2::data {
namespace {

std::string shown_shape(const std::vector<std::uint64_t>& shape) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, shape.size()); ++i) {
    text += (text.empty() ? "" : ", ") + std::to_string(shape[i]);
  }
  return "[" + text + (shape.size() > most ? ", …]" : "]");
}

[[noreturn]] void refuse_tensor(const std::string& file, const std::string& name,
                                const std::string& what) {
  refuse_file(file, "tensor " + in_quotes(name) + ": " + what);
}

std::string shape_of_type(const described_tensor& told, const element& type) {
  return "shape " + shown_shape(*told.shape) + " of " + type.name;
}

std::uint64_t bytes_claimed(const std::string& file, const described_tensor& told,
                            const element& type) {
  if (const auto elements = product_of(*told.shape)) {
    if (const auto bytes = bytes_of(type, *elements)) return *bytes;
  }
  refuse_tensor(file, told.name,
                shape_of_type(told, type) + " is no whole number of bytes below 2^63");
}

/// Where the tensor's bytes are, which must be as many as its shape and type make.
placed_tensor placed(const std::string& file, described_tensor&& told) {
  if (!told.dtype || !told.shape || !told.offsets) {
    refuse_tensor(file, told.name, "expected dtype, shape and data_offsets, one is missing");
  }
  const auto type = find_safetensors_element(*told.dtype);
  if (!type) {
    refuse_tensor(
        file, told.name,
        "unknown dtype " + in_quotes(*told.dtype) + ", expected one such as BF16 or F8_E4M3");
  }
  const auto& offsets = *told.offsets;
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    refuse_tensor(file, told.name,
                  "data_offsets must be a beginning and an end that is not before it, got " +
                      shown_shape(offsets));
  }
  const std::uint64_t bytes = bytes_claimed(file, told, *type);
  if (bytes != offsets[1] - offsets[0]) {
    refuse_tensor(file, told.name,
                  shape_of_type(told, *type) + " takes " + std::to_string(bytes) +
                      " bytes, but data_offsets " + shown_shape(offsets) + " hold " +
                      std::to_string(offsets[1] - offsets[0]));
  }
  return {.what = {.file = file,
                   .name = std::move(told.name),
                   .type = *type,
                   .shape = std::move(*told.shape)},
          .begin = offsets[0],
          .end = offsets[1]};
}

void refuse_repeated_names(const std::string& file, const std::vector<placed_tensor>& tensors) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const placed_tensor& one : tensors) names.push_back(one.what.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) refuse_file(file, "tensor " + in_quotes(*twice) + " occurs twice");
}

/// Tensors in the order of their bytes must follow each other closely, up to the end.
void refuse_gaps(const std::string& file, const std::vector<placed_tensor>& tensors,
                 std::optional<std::uint64_t> data_bytes) {
  std::uint64_t end = 0;
  const std::string* before = nullptr;
  for (const placed_tensor& one : tensors) {
    const std::string at = "tensor " + in_quotes(one.what.name) + ": begins at byte " +
                           std::to_string(one.begin) + " of the data, ";
    if (one.begin < end) refuse_file(file, at + "within tensor " + in_quotes(*before));
    if (one.begin > end) {
      refuse_file(file, at + "but no tensor holds the bytes from " + std::to_string(end) + " on");
    }
    end = one.end;
    before = &one.what.name;
  }
  if (!data_bytes || *data_bytes == end) return;
  const std::string sizes = "the tensors take " + std::to_string(end) +
                            " bytes, but the data has " + std::to_string(*data_bytes);
  refuse_file(file, sizes + (*data_bytes < end ? ": the file is truncated" : ""));
}

}  // namespace

std::vector<placed_tensor> parse_safetensors_header(const std::string& file, std::string_view json,
                                                    std::optional<std::uint64_t> data_bytes) {
  safetensors_sax reader{file};
  nlohmann::ordered_json::sax_parse(json, &reader);
  std::vector<placed_tensor> tensors;
  for (described_tensor& told : reader.take()) tensors.push_back(placed(file, std::move(told)));
  refuse_repeated_names(file, tensors);
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const placed_tensor& a, const placed_tensor& b) {
                     return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
                   });
  refuse_gaps(file, tensors, data_bytes);
  return tensors;
}

std::map<std::string, std::vector<std::string>> parse_safetensors_index(const std::string& file,
                                                                        std::string_view json) {
  // Deep nesting is harmless: the library keeps no stack of calls.
  const auto index = nlohmann::json::parse(json, nullptr, false);
  if (index.is_discarded()) refuse_file(file, "no JSON in UTF-8");
  const auto map = index.is_object() ? index.find("weight_map") : index.end();
  if (map == index.end() || !map->is_object()) {
    refuse_file(file, "expected an object weight_map that names the file of each tensor");
  }
  std::map<std::string, std::vector<std::string>> shards;
  for (const auto& [name, shard] : map->items()) {
    const std::string text = shard.is_string() ? shard.get<std::string>() : "";
    const bool is_plain = !text.empty() && text != "." && text != ".." &&
                          text.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
    if (!is_plain) {
      refuse_file(file, "tensor " + in_quotes(name) +
                            ": expected the name of a file beside the index, got " +
                            in_quotes(shard.is_string() ? text : shard.dump()));
    }
    shards[text].push_back(name);
  }
  return shards;
}

}  // namespace ktln2::data
