#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ktln2::data {

/// What a header says of one tensor.
struct described_tensor {
  std::string name;
  std::optional<std::string> dtype = {};
  std::optional<std::vector<std::uint64_t>> shape = {};
  std::optional<std::vector<std::uint64_t>> offsets = {};
};

/// Reads a header as it goes by, without building it up in memory: a header may take 100 MB. Keys
/// that it does not know are skipped, `__metadata__` among them. Throws file_error.
class safetensors_sax : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  explicit safetensors_sax(std::string file) : file_{std::move(file)} {}
  std::vector<described_tensor> take() { return std::move(tensors_); }

  bool null() override { return other("null"); }
  bool boolean(bool) override { return other("a truth value"); }
  bool number_integer(number_integer_t value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t, const string_t& text) override { return other(text); }
  bool string(string_t& text) override;
  bool binary(binary_t&) override { return other("bytes"); }
  bool start_object(std::size_t) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::detail::exception& error) override;

 private:
  enum class place { outside, file, tensor, list };
  enum class field { none, dtype, shape, offsets };

  /// A value where it does not belong.
  bool other(const std::string& what);
  /// Something that is skipped may lie within other such things.
  bool skip_deeper();
  [[nodiscard]] std::vector<std::uint64_t>& list();
  [[noreturn]] void refuse(const std::string& what) const;

  std::string file_;
  std::vector<described_tensor> tensors_ = {};
  place where_ = place::outside;
  field field_ = field::none;
  int skipped_depth_ = 0;
  bool skips_ = false;  ///< the value of the last key
};

}  // namespace ktln2::data
