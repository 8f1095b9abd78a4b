#include "data/source.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "npy_text.hpp"
#include "scratch.hpp"

namespace {

using ktln2::data::expand;
using ktln2::data::kind;
using ktln2::data::open_file;
using ktln2::data::parse_element;

/// A pipe with this content, under a name by which it can be opened; a thread writes it.
class full_pipe {
 public:
  explicit full_pipe(std::string content) : content_{std::move(content)} {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
    writer_ = std::thread([this] {
      for (std::size_t done = 0; done < content_.size();) {
        const ssize_t put = write(ends_[1], content_.data() + done, content_.size() - done);
        if (put <= 0) break;
        done += static_cast<std::size_t>(put);
      }
      close(ends_[1]);
    });
  }
  ~full_pipe() {
    // What is left is read, so that the thread can end.
    char rest[4096];
    while (read(ends_[0], rest, sizeof rest) > 0) {
    }
    writer_.join();
    close(ends_[0]);
  }
  full_pipe(const full_pipe&) = delete;
  full_pipe& operator=(const full_pipe&) = delete;
  full_pipe(full_pipe&&) = delete;
  full_pipe& operator=(full_pipe&&) = delete;
  [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(ends_[0]); }

 private:
  std::string content_;
  int ends_[2] = {};
  std::thread writer_;
};

TEST(raw, is_numbers_and_nothing_else) {
  const scratch here;
  const std::string path = here.file("m.bin", "abcdefghijkl");
  for (const auto& [dtype, count] : std::vector<std::pair<std::string, std::uint64_t>>{
           {"BF16", 6}, {"float32", 3}, {"F4", 24}, {"e2m3", 16}, {"<c8", 2}, {"q3.4", 12}}) {
    const auto complex_or_not = parse_element(dtype);
    if (dtype == "<c8") continue;
    const auto file = open_file(path, {.dtype = complex_or_not});
    EXPECT_EQ(file->tensors()[0].count(), count) << dtype;
    EXPECT_EQ(read_all(*file)[0].count, count) << dtype;
    EXPECT_EQ(read_all(*file)[0].bytes, "abcdefghijkl") << dtype;
  }
  EXPECT_EQ(complaint(path, {.dtype = parse_element("F64")}),
            path +
                ": has 12 bytes, which is no whole number of F64 numbers: expected a multiple "
                "of 8");
  EXPECT_EQ(message_of([&] { (void)open_file(path, {.as = kind::raw}); }),
            "dtype: raw numbers need one, such as BF16 or float32");
}

TEST(element, has_the_names_that_people_use) {
  EXPECT_EQ(parse_element("bf16").format->name(), "bfloat16");
  EXPECT_EQ(parse_element("f8_e4m3").format->name(), "e4m3");
  EXPECT_EQ(parse_element("posit16").bits, 16);
  EXPECT_TRUE(parse_element(">f8").big_endian);
  EXPECT_EQ(message_of([] { (void)parse_element("tf32"); }),
            "dtype: a number in a file takes 4, 6, 8, 16, 32 or 64 bits, but tf32 takes 19");
  EXPECT_EQ(message_of([] { (void)parse_element("spam"); }),
            "dtype: expected a type such as BF16, F8_E4M3, U8, <f4 or a format such as bfloat16, "
            "got 'spam'");
}

TEST(source, refuses_what_is_no_file) {
  const scratch here;
  EXPECT_EQ(complaint(here.path("none.npy")),
            here.path("none.npy") + ": cannot be opened: No such file or directory");
  EXPECT_EQ(complaint(here.path("")), here.path("") + ": is a directory, expected a file");
  EXPECT_EQ(complaint("/dev/null"), "/dev/null: is a device, expected a file or a pipe");
  const std::string empty = here.file("empty.bin", "");
  EXPECT_EQ(complaint(empty), empty + ": is empty");
  const std::string odd = here.file("odd.bin", "\x01\x02\x03");
  EXPECT_EQ(complaint(odd),
            odd + ": expected .safetensors, .npy, .npz or a table, or --dtype for raw numbers");
}

TEST(source, does_not_wait_forever_for_a_pipe) {
  const scratch here;
  const std::string path = here.path("m.npy");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(complaint(path), path + ": is a pipe that no one writes into");
}

TEST(source, reads_pipes) {
  const std::string data(100'000, 'x');
  {
    const full_pipe pipe{data};
    const auto file = open_file(pipe.path(), {.dtype = parse_element("BF16")});
    EXPECT_TRUE(file->runs_by_once());
    EXPECT_EQ(read_all(*file)[0].bytes, data);
    EXPECT_EQ(file->tensors()[0].shape, std::vector<std::uint64_t>{50'000});
  }
  {
    const full_pipe pipe{npy(npy_literal_of("<f4", "(25000,)"), data)};
    EXPECT_EQ(read_all(*open_file(pipe.path()))[0].bytes, data);
  }
  const std::string header = R"({"a":{"dtype":"U8","shape":[50000],"data_offsets":[0,50000]},)"
                             R"("b":{"dtype":"U8","shape":[50000],"data_offsets":[50000,100000]}})";
  const std::string safetensors = little_endian(header.size(), 8) + header + data;
  {
    const full_pipe pipe{safetensors};
    const auto file = open_file(pipe.path());
    ASSERT_EQ(file->tensors().size(), 2U);
    EXPECT_EQ(read_pass(*file, {1, 1})[0].bytes, data.substr(50'000));
    EXPECT_EQ(message_of<ktln2::data::file_error>([&] {
                (void)read_pass(*file, {0, 1});
              }),
              pipe.path() + ": runs by once, and can be read only in order");
  }
  {
    const full_pipe pipe{safetensors.substr(0, safetensors.size() - 1)};
    const auto file = open_file(pipe.path());
    EXPECT_EQ(message_of<ktln2::data::file_error>([&] {
                (void)read_all(*file);
              }).substr(pipe.path().size(), 16),
              ": ends at byte " + std::to_string(safetensors.size() - 1).substr(0, 1));
  }
  for (const std::string& whole : {safetensors, npy(npy_literal_of("<f4", "(25000,)"), data),
                                   npy(npy_literal_of("<f4", "(0,)"), "")}) {
    const full_pipe pipe{whole + "more"};
    const auto file = open_file(pipe.path());
    EXPECT_EQ(message_of<ktln2::data::file_error>([&] { (void)read_all(*file); }),
              pipe.path() + ": its numbers end at byte " + std::to_string(whole.size()) +
                  ", but more bytes follow");
  }
  {
    const full_pipe pipe{std::string(100'001, 'x')};
    EXPECT_EQ(complaint(pipe.path(), {.dtype = parse_element("BF16")}),
              pipe.path() + ": ends at byte 100001, within a number of 2 bytes");
  }
  {
    const full_pipe pipe{""};
    EXPECT_EQ(complaint(pipe.path()), pipe.path() + ": is empty");
  }
  {
    const full_pipe pipe{""};
    EXPECT_EQ(complaint(pipe.path(), {.dtype = parse_element("BF16")}), pipe.path() + ": is empty");
  }
}

TEST(source, reads_a_pipe_with_several_threads) {
  std::string data;
  for (std::size_t i = 0; i < 100'000; ++i) data += little_endian(i, 4);
  const full_pipe pipe{data};
  const auto file = open_file(pipe.path(), {.dtype = parse_element("U32")});
  const auto stream = file->open({0, 1});
  std::atomic<std::uint64_t> wrong = 0;
  std::atomic<std::uint64_t> count = 0;
  const auto work = [&] {
    std::vector<std::byte> buffer(4096);
    for (auto piece = stream->next(buffer); piece.count > 0; piece = stream->next(buffer)) {
      count += piece.count;
      const std::string_view bytes(reinterpret_cast<const char*>(piece.bytes.data()),
                                   piece.bytes.size());
      if (bytes != std::string_view(data).substr(4 * piece.first, bytes.size())) ++wrong;
    }
  };
  std::thread other{work};
  work();
  other.join();
  EXPECT_EQ(count, 100'000U);
  EXPECT_EQ(wrong, 0U);
}

/// One thread tells of the end within a number; the others find nothing more.
TEST(source, tells_several_threads_of_one_mistake) {
  const full_pipe pipe{std::string(40'001, 'x')};
  const auto file = open_file(pipe.path(), {.dtype = parse_element("U16")});
  const auto stream = file->open({0, 1});
  std::vector<std::byte> buffer(4096);
  const auto read_on = [&] {
    while (stream->next(buffer).count > 0) {
    }
  };
  EXPECT_EQ(message_of<ktln2::data::file_error>(read_on),
            pipe.path() + ": ends at byte 40001, within a number of 2 bytes");
  EXPECT_EQ(message_of<ktln2::data::file_error>(read_on), "nothing was thrown");
}

TEST(expand, finds_files_by_pattern) {
  const scratch here;
  using names = std::vector<std::string>;
  const std::string b = here.file("b.npy", "");
  const std::string a = here.file("a.npy", "");
  (void)here.file(".hidden.npy", "");
  const std::string odd = here.file("[x].npy", "");
  std::filesystem::create_directory(here.path("deep"));
  const std::string deep = here.file("deep/a.npy", "");
  EXPECT_EQ(expand({here.path("*.npy")}), (names{odd, a, b}));
  EXPECT_EQ(expand({here.path("?.npy"), a}), (names{a, b, a}));
  EXPECT_EQ(expand({here.path("[b-z].npy")}), names{b});
  EXPECT_EQ(expand({odd, "-", "none"}), (names{odd, "-", "none"}));
  EXPECT_EQ(expand({here.path("d*/*.npy")}), names{deep});
  const std::string nothing = here.path("*.csv");
  EXPECT_EQ(expand({nothing, a}), (names{nothing, a}));
  EXPECT_EQ(complaint(nothing), nothing + ": no file matches");
}

}  // namespace
