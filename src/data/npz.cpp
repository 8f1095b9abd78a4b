#include <zip.h>

#include <array>
#include <mutex>
#include <utility>

#include "data/readers.hpp"
#include "data/refuse.hpp"
#include "ktln2/data/npy.hpp"

namespace ktln2::data {
namespace {

/// An open archive. libzip lets one thread at a time use it, and whoever does holds `turn`.
class archive {
 public:
  explicit archive(std::string file) : file_{std::move(file)} {
    int error = 0;
    zip_ = zip_open(file_.c_str(), ZIP_RDONLY, &error);
    if (zip_ != nullptr) return;
    zip_error_t what;
    zip_error_init_with_code(&what, error);
    const std::string text = zip_error_strerror(&what);
    zip_error_fini(&what);
    refuse_file(file_, "cannot be read as an archive: " + text);
  }
  ~archive() { zip_discard(zip_); }
  archive(const archive&) = delete;
  archive& operator=(const archive&) = delete;
  archive(archive&&) = delete;
  archive& operator=(archive&&) = delete;

  [[nodiscard]] zip_t* get() const { return zip_; }
  std::mutex turn;

 private:
  std::string file_;
  zip_t* zip_ = nullptr;
};

/// A member, unpacked from its beginning on.
class member {
 public:
  member(const archive& from, std::uint64_t index, std::string where)
      : where_{std::move(where)}, file_{zip_fopen_index(from.get(), index, 0)} {
    if (file_ == nullptr)
      refuse_file(where_, std::string("cannot be unpacked: ") + zip_strerror(from.get()));
  }
  ~member() { zip_fclose(file_); }
  member(const member&) = delete;
  member& operator=(const member&) = delete;
  member(member&&) = delete;
  member& operator=(member&&) = delete;

  /// As many bytes as there are. Throws file_error, also if the checksum is wrong at the end.
  std::size_t read_some(std::span<std::byte> buffer) {
    std::size_t done = 0;
    while (done < buffer.size()) {
      const zip_int64_t got = zip_fread(file_, buffer.data() + done, buffer.size() - done);
      if (got < 0)
        refuse_file(where_, std::string("cannot be unpacked: ") + zip_file_strerror(file_));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  std::string where_;
  zip_file_t* file_;
};

npy_header header_of_member(member& from, const std::optional<element>& dtype) {
  std::string text(12, '\0');
  text.resize(from.read_some(std::as_writable_bytes(std::span(text))));
  const std::uint64_t length = npy_header_bytes(from.where(), text);
  if (length > text.size()) {
    const std::size_t had = text.size();
    text.resize(static_cast<std::size_t>(length));
    text.resize(had + from.read_some(std::as_writable_bytes(std::span(text).subspan(had))));
  }
  return parse_npy_header(from.where(), text, dtype);
}

/// A member's numbers. No more than its header says are ever unpacked, whatever the archive holds.
class npz_stream : public tensor_stream {
 public:
  npz_stream(std::shared_ptr<archive> from, std::uint64_t index, const std::string& where,
             std::size_t tensor, const std::optional<element>& dtype)
      : archive_{std::move(from)}, tensor_{tensor} {
    const std::scoped_lock mine{archive_->turn};
    member_.emplace(*archive_, index, where);
    const npy_header header = header_of_member(*member_, dtype);
    unit_ = unit_of(header.type);
    bytes_ = header.data_bytes;
  }
  ~npz_stream() override {
    const std::scoped_lock mine{archive_->turn};
    member_.reset();
  }
  npz_stream(const npz_stream&) = delete;
  npz_stream& operator=(const npz_stream&) = delete;
  npz_stream(npz_stream&&) = delete;
  npz_stream& operator=(npz_stream&&) = delete;

  piece next(std::span<std::byte> buffer) override {
    const std::scoped_lock mine{archive_->turn};
    const std::uint64_t most = buffer.size() - buffer.size() % unit_.bytes;
    const auto part = buffer.first(static_cast<std::size_t>(std::min(most, bytes_ - done_)));
    const std::size_t got = member_->read_some(part);
    if (got < part.size()) {
      refuse_file(member_->where(), "ends after " + std::to_string(done_ + got) +
                                        " bytes of numbers, expected " + std::to_string(bytes_));
    }
    piece made{.tensor = tensor_,
               .first = done_ / unit_.bytes * unit_.numbers,
               .count = got / unit_.bytes * unit_.numbers,
               .bytes = part};
    done_ += got;
    if (done_ == bytes_) refuse_more();
    return made;
  }

 private:
  /// Reading beyond the end also lets libzip compare the checksum.
  void refuse_more() {
    std::array<std::byte, 1> more{};
    if (member_->read_some(more) > 0) {
      refuse_file(member_->where(), "holds more than the " + std::to_string(bytes_) +
                                        " bytes of numbers that its shape takes");
    }
  }

  std::shared_ptr<archive> archive_;
  std::optional<member> member_ = {};
  std::size_t tensor_;
  unit unit_ = {};
  std::uint64_t bytes_ = 0;
  std::uint64_t done_ = 0;
};

class npz_file : public tensor_file {
 public:
  npz_file(std::string path, std::optional<element> dtype)
      : path_{std::move(path)},
        dtype_{std::move(dtype)},
        archive_{std::make_shared<archive>(path_)} {
    const zip_int64_t entries = zip_get_num_entries(archive_->get(), 0);
    for (zip_int64_t i = 0; i < entries; ++i) add(static_cast<std::uint64_t>(i));
  }

  [[nodiscard]] const std::vector<tensor>& tensors() const override { return tensors_; }
  [[nodiscard]] std::vector<together> passes() const override {
    return one_by_one(tensors_.size());
  }
  [[nodiscard]] std::unique_ptr<tensor_stream> open(const together& pass) override {
    return std::make_unique<npz_stream>(archive_, indices_.at(pass.first),
                                        where(tensors_.at(pass.first).name), pass.first, dtype_);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  [[nodiscard]] std::string where(const std::string& name) const {
    return path_ + ": tensor " + in_quotes(name);
  }

  void add(std::uint64_t index) {
    zip_stat_t facts;
    if (zip_stat_index(archive_->get(), index, 0, &facts) != 0 ||
        (facts.valid & ZIP_STAT_NAME) == 0) {
      refuse_file(path_,
                  std::string("its list of members is broken: ") + zip_strerror(archive_->get()));
    }
    std::string name = facts.name;
    if (!name.ends_with(".npy")) {
      notes_.push_back(path_ + ": member " + in_quotes(name) + " left out, which is no .npy");
      return;
    }
    name.resize(name.size() - 4);
    if (!is_utf8(name)) refuse_file(path_, "the name " + in_quotes(name) + " is no UTF-8");
    member content{*archive_, index, where(name)};
    npy_header header = header_of_member(content, dtype_);
    const std::uint64_t expected = header.header_bytes + header.data_bytes;
    if ((facts.valid & ZIP_STAT_SIZE) != 0 && facts.size != expected) {
      refuse_file(where(name), "its shape takes " + std::to_string(expected) +
                                   " bytes with the header, but the archive says " +
                                   std::to_string(facts.size));
    }
    tensors_.push_back({.file = path_,
                        .name = std::move(name),
                        .type = header.type,
                        .shape = std::move(header.shape)});
    indices_.push_back(index);
  }

  std::string path_;
  std::optional<element> dtype_;
  std::shared_ptr<archive> archive_;
  std::vector<tensor> tensors_ = {};
  std::vector<std::uint64_t> indices_ = {};
  std::vector<std::string> notes_ = {};
};

}  // namespace

std::unique_ptr<tensor_file> open_npz(const std::string& path,
                                      const std::optional<element>& dtype) {
  return std::make_unique<npz_file>(path, dtype);
}

}  // namespace ktln2::data
