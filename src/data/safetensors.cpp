#include "ktln2/data/safetensors.hpp"

#include <array>
#include <set>
#include <utility>

#include "data/placed.hpp"
#include "data/readers.hpp"
#include "data/refuse.hpp"
#include "data/source.hpp"

namespace ktln2::data {
namespace {

/// What stands before the header: how long it is.
constexpr std::uint64_t length_bytes = 8;

std::uint64_t header_length(source& from) {
  std::array<std::byte, length_bytes> bytes{};
  if (from.read_some(0, bytes) < bytes.size()) {
    refuse_file(from.name(), "is too short to be a .safetensors file");
  }
  std::uint64_t length = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    length = length << 8U | std::to_integer<std::uint64_t>(bytes.at(i));
  }
  return length;
}

std::string header_text(source& from, std::uint64_t length) {
  const std::string claim = "header: it claims to have " + std::to_string(length) + " bytes, ";
  if (length > most_header_bytes) {
    refuse_file(from.name(), claim + "expected at most " + std::to_string(most_header_bytes));
  }
  if (from.size() && length > *from.size() - length_bytes) {
    refuse_file(from.name(), claim + "but the file has only " + std::to_string(*from.size()));
  }
  // Little by little, since a pipe may claim much and hold nothing.
  constexpr std::uint64_t step = 1 << 20;
  std::string text;
  while (text.size() < length) {
    const std::size_t had = text.size();
    text.resize(static_cast<std::size_t>(std::min(length, had + step)));
    from.read(length_bytes + had, std::as_writable_bytes(std::span(text).subspan(had)));
  }
  return text;
}

class safetensors_file : public tensor_file {
 public:
  explicit safetensors_file(std::shared_ptr<source> from) : from_{std::move(from)} {
    const std::uint64_t length = header_length(*from_);
    const std::string text = header_text(*from_, length);
    data_ = length_bytes + length;
    const auto size = from_->size();
    for (placed_tensor& one : parse_safetensors_header(
             from_->name(), text, size ? std::optional(*size - data_) : std::nullopt)) {
      begins_.push_back(one.begin);
      tensors_.push_back(std::move(one.what));
    }
  }

  [[nodiscard]] const std::vector<tensor>& tensors() const override { return tensors_; }
  [[nodiscard]] bool runs_by_once() const override { return from_->is_pipe(); }
  [[nodiscard]] std::vector<together> passes() const override {
    return one_by_one(tensors_.size());
  }
  [[nodiscard]] std::unique_ptr<tensor_stream> open(const together& pass) override {
    return stream_of(pass.first, pass.first);
  }
  /// Of the tensor here, under the number that it has elsewhere.
  [[nodiscard]] std::unique_ptr<tensor_stream> stream_of(std::size_t here, std::size_t elsewhere) {
    const tensor& one = tensors_.at(here);
    const std::uint64_t bytes = bytes_of(one.type, product_of(one.shape).value()).value();
    return std::make_unique<placed_stream>(from_, elsewhere, one.type, data_ + begins_[here], bytes,
                                           here + 1 == tensors_.size());
  }

 private:
  std::shared_ptr<source> from_;
  std::uint64_t data_ = 0;
  std::vector<std::uint64_t> begins_ = {};
  std::vector<tensor> tensors_ = {};
};

/// A file as another one names it, from its own folder.
std::string beside(const std::string& other, const std::string& name) {
  return other.substr(0, other.rfind('/') + 1) + name;
}

/// A model in several files: those of their tensors that the index names.
class sharded_file : public tensor_file {
 public:
  sharded_file(const std::string& index,
               const std::map<std::string, std::vector<std::string>>& shards) {
    for (const auto& [shard, names] : shards) {
      const std::string path = beside(index, shard);
      if (!exists(path)) {
        refuse_file(index, "the file " + in_quotes(shard) + " that it names is missing");
      }
      files_.push_back(std::make_unique<safetensors_file>(std::make_shared<source>(path)));
      add(index, path, {names.begin(), names.end()});
    }
  }

  [[nodiscard]] const std::vector<tensor>& tensors() const override { return tensors_; }
  [[nodiscard]] std::vector<together> passes() const override {
    return one_by_one(tensors_.size());
  }
  [[nodiscard]] std::unique_ptr<tensor_stream> open(const together& pass) override {
    const auto& [file, here] = places_.at(pass.first);
    return files_[file]->stream_of(here, pass.first);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  /// What the index names of the last file.
  void add(const std::string& index, const std::string& path, std::set<std::string> names) {
    const std::vector<tensor>& held = files_.back()->tensors();
    std::size_t unnamed = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (names.erase(held[i].name) == 0) {
        ++unnamed;
        continue;
      }
      tensors_.push_back(held[i]);
      places_.emplace_back(files_.size() - 1, i);
    }
    if (!names.empty()) {
      refuse_file(index, "tensor " + in_quotes(*names.begin()) + " is not in " + path);
    }
    if (unnamed > 0) {
      notes_.push_back(path + ": " + std::to_string(unnamed) +
                       (unnamed == 1 ? " tensor" : " tensors") +
                       " left out, which the index does not name");
    }
  }

  std::vector<std::unique_ptr<safetensors_file>> files_ = {};
  std::vector<tensor> tensors_ = {};
  std::vector<std::pair<std::size_t, std::size_t>> places_ = {};  ///< file, tensor in it
  std::vector<std::string> notes_ = {};
};

}  // namespace

std::vector<tensor_file::together> one_by_one(std::size_t tensors) {
  std::vector<tensor_file::together> passes(tensors);
  for (std::size_t i = 0; i < tensors; ++i) passes[i].first = i;
  return passes;
}

std::unique_ptr<tensor_file> open_safetensors(std::shared_ptr<source> from) {
  return std::make_unique<safetensors_file>(std::move(from));
}

std::unique_ptr<tensor_file> open_safetensors_index(source& from, const std::string& path) {
  if (!from.size() || *from.size() > most_header_bytes) {
    refuse_file(
        path, "an index must be a file of at most " + std::to_string(most_header_bytes) + " bytes");
  }
  std::string text(static_cast<std::size_t>(*from.size()), ' ');
  from.read(0, std::as_writable_bytes(std::span(text)));
  return std::make_unique<sharded_file>(path, parse_safetensors_index(path, text));
}

}  // namespace ktln2::data
