#include "data/safetensors_sax.hpp"

#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

constexpr int deepest = 64;

const char* name_of_field(bool is_shape) { return is_shape ? "shape" : "data_offsets"; }

}  // namespace

void safetensors_sax::refuse(const std::string& what) const {
  const bool has_name = where_ != place::outside && !tensors_.empty();
  refuse_file(file_,
              (has_name ? "tensor " + in_quotes(tensors_.back().name) : "header") + ": " + what);
}

std::vector<std::uint64_t>& safetensors_sax::list() {
  return field_ == field::shape ? *tensors_.back().shape : *tensors_.back().offsets;
}

bool safetensors_sax::other(const std::string& what) {
  if (skips_) {
    skips_ = skipped_depth_ > 0;
    return true;
  }
  if (where_ == place::list) {
    refuse(std::string(name_of_field(field_ == field::shape)) +
           " must hold whole numbers from 0 to 2^63 - 1, got " + what);
  }
  if (where_ == place::tensor && field_ == field::dtype)
    refuse("dtype must be a name, got " + what);
  if (where_ == place::tensor) {
    refuse(std::string(name_of_field(field_ == field::shape)) + " must be a list of numbers, got " +
           what);
  }
  refuse("expected an object, got " + what);
}

bool safetensors_sax::skip_deeper() {
  if (++skipped_depth_ > deepest) refuse("is nested too deep");
  return true;
}

bool safetensors_sax::number_integer(number_integer_t value) {
  return other(std::to_string(value));
}

bool safetensors_sax::number_unsigned(number_unsigned_t value) {
  constexpr std::uint64_t most = ~std::uint64_t{0} >> 1U;
  if (skips_ || where_ != place::list || value > most) return other(std::to_string(value));
  list().push_back(value);
  return true;
}

bool safetensors_sax::string(string_t& text) {
  if (skips_ || where_ != place::tensor || field_ != field::dtype) return other(in_quotes(text));
  tensors_.back().dtype = text;
  return true;
}

bool safetensors_sax::start_object(std::size_t) {
  if (skips_) return skip_deeper();
  if (where_ == place::outside) {
    where_ = place::file;
  } else if (where_ == place::file) {
    where_ = place::tensor;
  } else {
    return other("an object");
  }
  return true;
}

bool safetensors_sax::key(string_t& name) {
  if (skips_) return true;
  if (where_ == place::file) {
    skips_ = name == "__metadata__";
    if (!skips_) tensors_.push_back({.name = name});
    return true;
  }
  described_tensor& last = tensors_.back();
  field_ = name == "dtype"          ? field::dtype
           : name == "shape"        ? field::shape
           : name == "data_offsets" ? field::offsets
                                    : field::none;
  skips_ = field_ == field::none;
  if ((field_ == field::dtype && last.dtype) || (field_ == field::shape && last.shape) ||
      (field_ == field::offsets && last.offsets)) {
    refuse("says " + name + " twice");
  }
  return true;
}

bool safetensors_sax::end_object() {
  if (skips_) {
    skips_ = --skipped_depth_ > 0;
    return true;
  }
  where_ = where_ == place::tensor ? place::file : place::outside;
  return true;
}

bool safetensors_sax::start_array(std::size_t) {
  if (skips_) return skip_deeper();
  const bool is_expected =
      where_ == place::tensor && (field_ == field::shape || field_ == field::offsets);
  if (!is_expected) return other("a list");
  (field_ == field::shape ? tensors_.back().shape : tensors_.back().offsets).emplace();
  where_ = place::list;
  return true;
}

bool safetensors_sax::end_array() {
  if (skips_) {
    skips_ = --skipped_depth_ > 0;
    return true;
  }
  where_ = place::tensor;
  return true;
}

bool safetensors_sax::parse_error(std::size_t at, const std::string& /*last*/,
                                  const nlohmann::detail::exception& /*error*/) {
  refuse_file(file_, "header: no JSON in UTF-8 at byte " + std::to_string(at) + " of it");
}

}  // namespace ktln2::data
