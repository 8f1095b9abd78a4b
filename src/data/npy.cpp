#include "ktln2/data/npy.hpp"

#include <utility>

#include "data/placed.hpp"
#include "data/readers.hpp"
#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

npy_header header_of(source& from, const std::optional<element>& dtype) {
  const auto text_of = [](std::span<const std::byte> bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const std::uint64_t length = npy_header_bytes(from.name(), text_of(from.look(12)));
  return parse_npy_header(from.name(), text_of(from.look(static_cast<std::size_t>(length))), dtype);
}

class npy_file : public tensor_file {
 public:
  npy_file(std::shared_ptr<source> from, const std::optional<element>& dtype)
      : from_{std::move(from)}, header_{header_of(*from_, dtype)} {
    if (from_->size() && *from_->size() - header_.header_bytes != header_.data_bytes) {
      refuse_file(from_->name(),
                  "its shape takes " + std::to_string(header_.data_bytes) + " bytes, but " +
                      std::to_string(*from_->size() - header_.header_bytes) + " follow the header");
    }
    tensors_.push_back(
        {.file = from_->name(), .name = "", .type = header_.type, .shape = header_.shape});
  }

  [[nodiscard]] const std::vector<tensor>& tensors() const override { return tensors_; }
  [[nodiscard]] bool runs_by_once() const override { return from_->is_pipe(); }
  [[nodiscard]] std::vector<together> passes() const override { return one_by_one(1); }
  [[nodiscard]] std::unique_ptr<tensor_stream> open(const together& /*pass*/) override {
    return std::make_unique<placed_stream>(from_, 0, header_.type, header_.header_bytes,
                                           header_.data_bytes, true);
  }

 private:
  std::shared_ptr<source> from_;
  npy_header header_;
  std::vector<tensor> tensors_ = {};
};

}  // namespace

std::unique_ptr<tensor_file> open_npy(std::shared_ptr<source> from,
                                      const std::optional<element>& dtype) {
  return std::make_unique<npy_file>(std::move(from), dtype);
}

}  // namespace ktln2::data
