#include "paper/report/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace ktln2::paper {
namespace {

namespace fs = std::filesystem;

/// How files that are being written are called, here and in draw.py: what a run that was killed
/// left can be told from what is the user's.
constexpr std::string_view aside_mark = ".ktln2-";

void remove_leftovers(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code ignored;
    if (entry.path().filename().string().starts_with(aside_mark)) fs::remove(entry.path(), ignored);
  }
}

/// Mostly a place that cannot be; but for a disk that is full nobody's words are to blame.
[[noreturn]] void refuse_directory(const std::string& what, const std::error_code& error) {
  const std::string problem = "paper: --out: cannot " + what + ": " + error.message();
  const bool is_full = error == std::errc::no_space_on_device || error == std::errc::io_error;
  if (is_full) throw std::runtime_error(problem);
  throw std::domain_error(problem);
}

/// Waits until a file, or what a folder lists, is on the disk.
bool is_synced(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  // Some file systems cannot sync a folder, and say so.
  const bool is_good = fsync(descriptor) == 0 || errno == EINVAL;
  close(descriptor);
  return is_good;
}

}  // namespace

std::string contents_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void put_in_place(const fs::path& aside, const fs::path& file) {
  std::error_code error;
  const bool is_on_disk = is_synced(aside);
  if (is_on_disk) fs::rename(aside, file, error);
  if (is_on_disk && !error && is_synced(file.has_parent_path() ? file.parent_path() : ".")) return;
  throw std::runtime_error("cannot write " + file.string());
}

void write_whole(const fs::path& file, std::string_view text) {
  const fs::path aside =
      file.parent_path() / fmt::format("{}{}-{}", aside_mark, getpid(), file.filename().string());
  std::ofstream stream(aside, std::ios::binary);
  stream << text;
  stream.close();
  try {
    if (!stream) throw std::runtime_error("cannot write " + file.string());
    put_in_place(aside, file);
  } catch (const std::runtime_error&) {
    std::error_code ignored;
    fs::remove(aside, ignored);
    throw;
  }
}

void require_place(const std::string& where, const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const auto refuse = [&](const std::string& why) {
    throw std::domain_error(where + ": cannot write " + file.string() + ": " + why);
  };
  std::error_code none;
  if (!fs::is_directory(folder, none)) refuse("there is no folder " + folder.string());
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse("the folder " + folder.string() + " is not to be written to");
  }
  if (fs::is_directory(file, none)) refuse("it is a folder");
}

output_directory::output_directory(const fs::path& out) {
  for (const char* folder : {"data", "figures", "draw"}) {
    std::error_code error;
    fs::create_directories(out / folder, error);
    if (error) refuse_directory("make the directory " + (out / folder).string(), error);
  }
  lock_ = open((out / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (lock_ < 0) {
    refuse_directory("write to " + out.string(), std::error_code(errno, std::generic_category()));
  }
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw std::runtime_error("another run is writing to " + out.string());
  }
  for (const char* folder : {"", "data", "figures", "draw"}) remove_leftovers(out / folder);
}

output_directory::~output_directory() { close(lock_); }

}  // namespace ktln2::paper
