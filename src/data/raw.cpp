#include <mutex>
#include <utility>

#include "data/placed.hpp"
#include "data/readers.hpp"
#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

/// Numbers from a pipe, which are counted as they run by; at the end their tensor is told.
class counted_stream : public tensor_stream {
 public:
  counted_stream(std::unique_ptr<tensor_stream> from, tensor& of)
      : from_{std::move(from)}, of_{&of} {}

  piece next(std::span<std::byte> buffer) override {
    const std::scoped_lock mine{turn_};
    const piece made = from_->next(buffer);
    count_ += made.count;
    if (made.count == 0) of_->shape = {count_ / static_cast<std::uint64_t>(of_->type.parts)};
    return made;
  }

 private:
  std::unique_ptr<tensor_stream> from_;
  tensor* of_;
  std::uint64_t count_ = 0;
  std::mutex turn_;
};

/// Numbers and nothing else, up to the end of the file.
class raw_file : public tensor_file {
 public:
  raw_file(std::shared_ptr<source> from, const element& type) : from_{std::move(from)} {
    tensors_.push_back({.file = from_->name(), .name = "", .type = type});
    if (!from_->size()) return;
    const unit whole = unit_of(type);
    if (*from_->size() % whole.bytes != 0) {
      refuse_file(from_->name(), "has " + std::to_string(*from_->size()) +
                                     " bytes, which is no whole number of " + type.name +
                                     " numbers: expected a multiple of " +
                                     std::to_string(whole.bytes));
    }
    tensors_[0].shape = {*from_->size() / whole.bytes * whole.numbers /
                         static_cast<std::uint64_t>(type.parts)};
  }

  [[nodiscard]] const std::vector<tensor>& tensors() const override { return tensors_; }
  [[nodiscard]] bool runs_by_once() const override { return from_->is_pipe(); }
  [[nodiscard]] std::vector<together> passes() const override { return one_by_one(1); }
  [[nodiscard]] std::unique_ptr<tensor_stream> open(const together& /*pass*/) override {
    auto made = std::make_unique<placed_stream>(from_, 0, tensors_[0].type, 0, from_->size());
    if (from_->size()) return made;
    return std::make_unique<counted_stream>(std::move(made), tensors_[0]);
  }

 private:
  std::shared_ptr<source> from_;
  std::vector<tensor> tensors_ = {};
};

}  // namespace

std::unique_ptr<tensor_file> open_raw(std::shared_ptr<source> from, const element& type) {
  return std::make_unique<raw_file>(std::move(from), type);
}

}  // namespace ktln2::data
