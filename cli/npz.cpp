#include "npz.hpp"

#include <zip.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace ktln2::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "NumPy is told that numbers are");

/// The entries of a line of CSV.
std::vector<std::string> split_row(const std::string& line) {
  std::vector<std::string> entries(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_doubled) entries.back() += line[++i];
      if (!is_doubled) is_quoted = !is_quoted;
    } else if (line[i] == ',' && !is_quoted) {
      entries.emplace_back();
    } else {
      entries.back() += line[i];
    }
  }
  return entries;
}

/// Calls f with the entries of each row behind the comments and the headings.
template <class F>
void for_each_row(const std::string& csv, F f) {
  std::ifstream stream(csv);
  if (!stream) throw std::runtime_error("sweep: cannot read " + csv);
  bool is_behind_headings = false;
  for (std::string line; std::getline(stream, line);) {
    if (!is_behind_headings) {
      is_behind_headings = !line.starts_with('#');
      continue;
    }
    f(split_row(line));
  }
}

/// The code points of UTF-8.
std::u32string decoded(const std::string& text) {
  std::u32string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) == 0x80U && !result.empty()) {
      result.back() = (result.back() << 6U) | (byte & 0x3fU);
    } else if (byte < 0x80U) {
      result.push_back(byte);
    } else {
      result.push_back(byte & (byte < 0xe0U ? 0x1fU : byte < 0xf0U ? 0x0fU : 0x07U));
    }
  }
  return result;
}

/// What the entries of a column have in common.
struct column {
  bool is_number = true;
  bool is_flag = true;
  std::size_t width = 1;  ///< of text

  void see(const std::string& entry) {
    width = std::max(width, entry.size());
    is_flag = is_flag && (entry == "true" || entry == "false");
    if (!is_number || entry.empty()) return;
    char* end = nullptr;
    (void)std::strtod(entry.c_str(), &end);
    is_number = *end == '\0';
  }
  [[nodiscard]] std::string type() const {
    if (is_flag) return "|b1";
    return is_number ? "<f8" : "<U" + std::to_string(width);
  }
  void append(std::string& bytes, const std::string& entry) const {
    if (is_flag) {
      bytes += entry == "true" ? '\1' : '\0';
    } else if (is_number) {
      const double value = std::strtod(entry.empty() ? "nan" : entry.c_str(), nullptr);
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: its bytes
    } else {
      std::u32string letters = decoded(entry);
      letters.resize(width);
      bytes.append(reinterpret_cast<const char*>(letters.data()),  // NOLINT: its bytes
                   4 * letters.size());
    }
  }
};

/// The header of a .npy file, version 1.0: padded so that the data begin at a multiple of 64.
std::string npy_header(const std::string& type, const std::string& shape) {
  std::string dictionary =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  constexpr std::size_t before = 10;
  dictionary.append(63 - (before + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header = "\x93NUMPY";
  header += {'\1', '\0', static_cast<char>(dictionary.size() & 0xffU),
             static_cast<char>(dictionary.size() >> 8U)};
  return header + dictionary;
}

/// An archive that is written when it is closed. Members are stored as they are.
class archive {
 public:
  explicit archive(const std::string& file) {
    int error = 0;
    zip_ = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
    if (zip_ == nullptr) throw std::runtime_error("sweep: cannot write " + file);
  }
  ~archive() {
    if (zip_ != nullptr) zip_discard(zip_);
  }
  archive(const archive&) = delete;
  archive& operator=(const archive&) = delete;
  archive(archive&&) = delete;
  archive& operator=(archive&&) = delete;

  /// The file is read when the archive is closed.
  void add(const std::string& name, std::FILE* content) {
    if (std::fflush(content) != 0) throw std::runtime_error("sweep: no room for temporary files");
    std::rewind(content);  // libzip begins to read where it stands
    zip_source_t* source = zip_source_filep(zip_, content, 0, -1);
    const zip_int64_t index =
        source == nullptr ? -1 : zip_file_add(zip_, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      throw std::runtime_error(std::string("sweep: cannot write .npz: ") + zip_strerror(zip_));
    }
    const auto member = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(zip_, member, ZIP_CM_STORE, 0);
    // The same rows give the same bytes, whenever they were computed.
    zip_file_set_dostime(zip_, member, 0, (1U << 5U) | 1U, 0);
  }

  void close() {
    if (zip_close(zip_) != 0) {
      throw std::runtime_error(std::string("sweep: cannot write .npz: ") + zip_strerror(zip_));
    }
    zip_ = nullptr;
  }

 private:
  zip_t* zip_ = nullptr;
};

void write_all(std::FILE* file, const std::string& bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
    throw std::runtime_error("sweep: no room for temporary files");
  }
}

/// libzip closes the file when it has read it.
std::FILE* new_member() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("sweep: no temporary file");
  return file;
}

}  // namespace

void write_npz(const std::string& file, const std::string& csv,
               const std::vector<std::string>& headings, const std::string& question) {
  std::vector<column> columns(headings.size());
  std::uint64_t rows = 0;
  for_each_row(csv, [&](std::vector<std::string> row) {
    row.resize(columns.size());
    ++rows;
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].see(row[i]);
  });
  std::vector<std::FILE*> members;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (headings[i] == "warnings") columns[i].is_number = columns[i].is_flag = false;
    members.push_back(new_member());
    write_all(members.back(), npy_header(columns[i].type(), "(" + std::to_string(rows) + ",)"));
  }
  std::string bytes;
  for_each_row(csv, [&](std::vector<std::string> row) {
    row.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      bytes.clear();
      columns[i].append(bytes, row[i]);
      write_all(members[i], bytes);
    }
  });
  column text;
  text.is_number = text.is_flag = false;
  text.width = question.size();
  bytes = npy_header(text.type(), "()");
  text.append(bytes, question);
  members.push_back(new_member());
  write_all(members.back(), bytes);

  archive made(file);
  for (std::size_t i = 0; i < headings.size(); ++i) made.add(headings[i] + ".npy", members[i]);
  made.add("question.npy", members.back());
  made.close();
}

std::string question_in_npz(const std::string& file) {
  const std::unique_ptr<zip_t, void (*)(zip_t*)> opened(zip_open(file.c_str(), ZIP_RDONLY, nullptr),
                                                        zip_discard);
  if (!opened) return "";
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> member(
      zip_fopen(opened.get(), "question.npy", 0), zip_fclose);
  if (!member) return "";
  constexpr std::size_t longest = 1U << 20U;
  std::string bytes(longest, '\0');
  const zip_int64_t size = zip_fread(member.get(), bytes.data(), bytes.size());
  if (size <= 0) return "";
  bytes.resize(static_cast<std::size_t>(size));
  const std::size_t begin = bytes.find('\n');
  std::string question;
  for (std::size_t i = begin == std::string::npos ? bytes.size() : begin + 1; i < bytes.size();
       i += 4) {
    question += bytes[i];  // it is ASCII, or it is no question of ours
  }
  return question;
}

}  // namespace ktln2::cli
