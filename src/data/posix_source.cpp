#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "data/refuse.hpp"
#include "data/source.hpp"
#include "ktln2/data/tensor.hpp"

namespace ktln2::data {
namespace {

/// How long a pipe in a folder is waited for, which someone may have forgotten. In milliseconds.
constexpr int patience = 2000;

/// Opened without waiting for one who writes.
int opened(const std::string& path) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg,hicpp-vararg)
  return path == "-" ? dup(0) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/// From here on reading waits.
void let_wait(int descriptor) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg,hicpp-vararg)
  const int flags = fcntl(descriptor, F_GETFL);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg,hicpp-vararg)
  if (flags >= 0) fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

}  // namespace

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

source::source(const std::string& path)
    : name_{path == "-" ? "standard input" : path}, descriptor_{opened(path)} {
  struct stat facts {};
  try {
    if (descriptor_ < 0 && errno == ENOENT && is_pattern(path)) {
      refuse_file(name_, "no file matches");
    }
    if (descriptor_ < 0 || fstat(descriptor_, &facts) != 0) refuse_errno("cannot be opened");
    if (S_ISDIR(facts.st_mode)) refuse_file(name_, "is a directory, expected a file");
    if (path == "-") return;
    if (!S_ISREG(facts.st_mode) && !S_ISFIFO(facts.st_mode)) {
      refuse_file(name_, "is a device, expected a file or a pipe");
    }
    if (S_ISREG(facts.st_mode)) {
      size_ = static_cast<std::uint64_t>(facts.st_size);
      if (*size_ == 0) refuse_file(name_, "is empty");
      posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    } else if (!path.starts_with("/dev/fd/") && !path.starts_with("/proc/")) {
      pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
      if (poll(&waiting, 1, patience) == 0) refuse_file(name_, "is a pipe that no one writes into");
    }
    let_wait(descriptor_);
  } catch (...) {
    if (descriptor_ >= 0) close(descriptor_);
    throw;
  }
}

source::~source() { close(descriptor_); }

void source::refuse_errno(const char* what) const {
  refuse_file(name_, std::string(what) + ": " + std::generic_category().message(errno));
}

std::size_t source::read_file(std::uint64_t offset, std::span<std::byte> buffer) const {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t got = pread(descriptor_, buffer.data() + done, buffer.size() - done,
                              static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno("cannot be read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

/// What comes next through the pipe.
std::size_t source::take(std::span<std::byte> buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t got = ::read(descriptor_, buffer.data() + done, buffer.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno("cannot be read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  position_ += done;
  return done;
}

std::size_t source::read_pipe(std::uint64_t offset, std::span<std::byte> buffer) {
  const std::scoped_lock mine{turn_};
  std::size_t done = 0;
  if (offset < looked_at_.size()) {
    const auto kept = std::span(looked_at_).subspan(static_cast<std::size_t>(offset));
    done = std::min(kept.size(), buffer.size());
    std::copy_n(kept.begin(), done, buffer.begin());
    if (done == buffer.size()) return done;
  }
  std::array<std::byte, 4096> skipped{};
  while (position_ < offset + done) {
    const std::uint64_t more = std::min<std::uint64_t>(offset + done - position_, skipped.size());
    if (take(std::span(skipped).first(static_cast<std::size_t>(more))) < more) return done;
  }
  if (position_ > offset + done) refuse_file(name_, "runs by once, and can be read only in order");
  return done + take(buffer.subspan(done));
}

std::size_t source::read_some(std::uint64_t offset, std::span<std::byte> buffer) {
  return is_pipe() ? read_pipe(offset, buffer) : read_file(offset, buffer);
}

}  // namespace ktln2::data
