#include <gtest/gtest.h>
#include <zip.h>

#include <utility>
#include <vector>

#include "npy_text.hpp"
#include "scratch.hpp"

namespace {

using ktln2::data::open_file;

/// Writes an archive with these members.
void write_zip(const std::string& path,
               const std::vector<std::pair<std::string, std::string>>& members, int method) {
  zip_t* const zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  ASSERT_NE(zip, nullptr);
  for (const auto& [name, content] : members) {
    zip_source_t* const content_of = zip_source_buffer(zip, content.data(), content.size(), 0);
    const zip_int64_t index = zip_file_add(zip, name.c_str(), content_of, ZIP_FL_ENC_GUESS);
    ASSERT_GE(index, 0);
    zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), method, 0);
  }
  ASSERT_EQ(zip_close(zip), 0);
}

std::string many(std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += little_endian(i * i, 4);
  return bytes;
}

std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(npz, gives_what_was_written_stored_and_deflated) {
  const scratch here;
  const std::string path = here.path("m.npz");
  const std::string data = many(5000);
  for (const int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    write_zip(path,
              {{"w.npy", npy(npy_literal_of("<u4", "(50, 100)"), data)},
               {"readme.txt", "hello"},
               {"empty.npy", npy(npy_literal_of("<f8", "(0,)"), "")},
               {"b.npy", npy(npy_literal_of("<f2", "(3,)"), "abcdef")}},
              method);
    const auto file = open_file(path);
    ASSERT_EQ(file->tensors().size(), 3U);
    EXPECT_EQ(file->tensors()[0].name, "w");
    EXPECT_EQ(file->tensors()[2].name, "b");
    EXPECT_EQ(file->notes(),
              std::vector<std::string>{path + ": member 'readme.txt' left out, which is no .npy"});
    const auto all = read_all(*file, 4099);
    EXPECT_EQ(all[0].bytes, data);
    EXPECT_EQ(all[0].count, 5000U);
    EXPECT_EQ(all[1].count, 0U);
    EXPECT_EQ(all[2].bytes, "abcdef");
    // and again, from the beginning
    EXPECT_EQ(read_all(*file)[0].bytes, data);
  }
}

TEST(npz, holds_no_more_than_its_headers_say) {
  const scratch here;
  const std::string path = here.path("bomb.npz");
  // 16 MiB that take 16 KiB
  write_zip(path, {{"w.npy", npy(npy_literal_of("<u4", "(2,)"), std::string(1U << 24U, '\0'))}},
            ZIP_CM_DEFLATE);
  EXPECT_LT(std::filesystem::file_size(path), 30'000U);
  EXPECT_EQ(complaint(path), path +
                                 ": tensor 'w': its shape takes 76 bytes with the header, but the "
                                 "archive says 16777284");
  write_zip(path, {{"w.npy", npy(npy_literal_of("<u4", "(200,)"), "abcd")}}, ZIP_CM_DEFLATE);
  EXPECT_EQ(complaint(path), path +
                                 ": tensor 'w': its shape takes 870 bytes with the header, but the "
                                 "archive says 74");
  write_zip(path, {{"w.npy", "hello"}}, ZIP_CM_STORE);
  EXPECT_EQ(complaint(path), path + ": tensor 'w': does not begin as a .npy file does");
}

/// Wherever a byte of an archive is wrong, it is an error or does not matter, and never a crash.
TEST(npz, survives_any_wrong_byte) {
  const scratch here;
  const std::string path = here.path("m.npz");
  const std::string data = many(100);
  write_zip(path, {{"w.npy", npy(npy_literal_of("<u4", "(100,)"), data)}}, ZIP_CM_DEFLATE);
  const std::string good = content_of(path);
  int refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    (void)here.file("m.npz", bad);
    try {
      const auto all = read_all(*open_file(path));
      if (!all.empty()) {
        EXPECT_EQ(all[0].bytes, data) << i;
      }
    } catch (const ktln2::data::file_error&) {
      ++refused;
    }
    if (i % 7 == 0) {
      (void)here.file("m.npz", good.substr(0, i));
      EXPECT_NE(complaint(path), "nothing was thrown") << i;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(npz, must_be_an_archive) {
  const scratch here;
  const std::string path = here.file("m.npz", "hello, this is no archive");
  EXPECT_TRUE(complaint(path).starts_with(path + ": cannot be read as an archive: "));
}

}  // namespace
