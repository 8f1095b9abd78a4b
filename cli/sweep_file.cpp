#include "sweep_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "ask/csv.hpp"
#include "npz.hpp"
#include "paper/report/files.hpp"

namespace ktln2::cli {
namespace {

bool is_npz(const std::filesystem::path& file) { return file.extension() == ".npz"; }

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
  throw std::runtime_error("sweep: cannot " + std::string(what) + " " + file.string() + ": " +
                           std::strerror(errno));
}

/// The question that a finished CSV was the answer to; empty if it says nothing of the kind.
std::string question_in_csv(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line.starts_with("# ") ? line.substr(2) : "";
}

std::string head_of(const std::string& question, const std::vector<std::string>& headings) {
  std::string head = "# " + question + "\n";
  for (const std::string& one : headings) {
    if (&one != &headings.front()) head += ',';
    ask::append_csv(head, one);
  }
  return head + "\n";
}

}  // namespace

sweep_file::sweep_file(std::filesystem::path file, std::string question)
    : file_{std::move(file)}, part_{file_.string() + ".part"}, question_{std::move(question)} {
  if (file_.extension() != ".csv" && !is_npz(file_)) {
    throw std::domain_error("sweep: --out must end in .csv or .npz, got '" + file_.string() + "'");
  }
  if (std::filesystem::exists(file_)) {
    const std::string other =
        is_npz(file_) ? question_in_npz(file_.string()) : question_in_csv(file_);
    if (other != question_) {
      throw std::domain_error("sweep: " + file_.string() +
                              (other.empty() ? " is there already and was not written by a sweep"
                                             : " belongs to another sweep: " + other));
    }
    is_complete_ = true;
    return;
  }
  paper::require_place("sweep: --out", file_);
}

sweep_file::~sweep_file() {
  if (descriptor_ >= 0) close(descriptor_);
}

void sweep_file::begin(std::vector<std::string> headings) {
  headings_ = std::move(headings);
  head_ = head_of(question_, headings_);
  if (is_complete_) return;
  descriptor_ = open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(part_, "write");
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    throw std::runtime_error("sweep: another process writes " + part_.string());
  }
  keep_whole_rows();
}

/// What a killed sweep has left may end in the middle of a row.
void sweep_file::keep_whole_rows() {
  std::string begin(head_.size(), '\0');
  const ssize_t found = pread(descriptor_, begin.data(), begin.size(), 0);
  if (found < 0) fail(part_, "read");
  begin.resize(static_cast<std::size_t>(found));
  if (begin.size() < head_.size() && head_.starts_with(begin)) {
    if (ftruncate(descriptor_, 0) != 0) fail(part_, "write");
    append(head_);
    rows_ = 0;
    return;
  }
  if (begin != head_) {
    const std::string first = begin.substr(0, begin.find('\n'));
    throw std::domain_error("sweep: " + part_.string() + " belongs to another sweep" +
                            (first.starts_with("# ") ? ": " + first.substr(2) : ""));
  }
  std::vector<char> bytes(1U << 16U);
  auto at = static_cast<off_t>(head_.size());
  off_t whole = at;
  for (ssize_t n = 0; (n = pread(descriptor_, bytes.data(), bytes.size(), at)) > 0; at += n) {
    for (ssize_t i = 0; i < n; ++i) {
      if (bytes[static_cast<std::size_t>(i)] != '\n') continue;
      ++rows_;
      whole = at + i + 1;
    }
  }
  if (ftruncate(descriptor_, whole) != 0 || lseek(descriptor_, whole, SEEK_SET) != whole) {
    fail(part_, "write");
  }
}

void sweep_file::append(std::string_view csv) {
  while (!csv.empty()) {
    const ssize_t written = write(descriptor_, csv.data(), csv.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(part_, "write");
    csv.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string sweep_file::text() const { return paper::contents_of(file_); }

void sweep_file::finish() {
  if (fsync(descriptor_) != 0) fail(part_, "write");
  if (!is_npz(file_)) return paper::put_in_place(part_, file_);
  const std::filesystem::path made = file_.string() + ".made";
  write_npz(made.string(), part_.string(), headings_, question_);
  paper::put_in_place(made, file_);
  std::filesystem::remove(part_);
}

}  // namespace ktln2::cli
