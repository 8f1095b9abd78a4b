#include "ktln2/measure/compressed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ktln2/measure/code_fields.hpp"
#include "measure/bytes_of.hpp"

namespace ktln2::measure {
namespace {

std::vector<std::uint16_t> bfloat16_codes(std::size_t count) {
  const number_format format = *find_number_format("bfloat16");
  std::mt19937 engine(1);
  std::normal_distribution<double> law(0, 0.02);
  std::vector<std::uint16_t> codes(count);
  for (auto& code : codes) code = static_cast<std::uint16_t>(format.quantize(law(engine)));
  return codes;
}

/// One tensor, in pieces of a kilobyte.
class tensor_in_memory : public data::tensor_file {
 public:
  tensor_in_memory(const data::element& type, std::vector<std::byte> bytes)
      : bytes_{std::move(bytes)}, tensors_{{"memory", "x", type}} {}

  [[nodiscard]] const std::vector<data::tensor>& tensors() const override { return tensors_; }
  [[nodiscard]] std::vector<together> passes() const override { return {{0, 1}}; }
  [[nodiscard]] std::unique_ptr<data::tensor_stream> open(const together& /*pass*/) override {
    return std::make_unique<stream>(*this);
  }

 private:
  class stream : public data::tensor_stream {
   public:
    explicit stream(const tensor_in_memory& of) : of_{of} {}
    data::piece next(std::span<std::byte> /*buffer*/) override {
      const std::size_t size = std::min<std::size_t>(1024, of_.bytes_.size() - at_);
      const auto bytes_of_one = static_cast<std::size_t>(of_.tensors_[0].type.bits / 8);
      const data::piece piece{0, at_ / bytes_of_one, size / bytes_of_one,
                              std::span(of_.bytes_).subspan(at_, size)};
      at_ += size;
      return piece;
    }

   private:
    const tensor_in_memory& of_;
    std::size_t at_ = 0;
  };

  std::vector<std::byte> bytes_;
  std::vector<data::tensor> tensors_;
};

/// The high byte compresses, the low one does not, and no compressor gets below the entropy but by
/// what it finds in the order of numbers, of which there is nothing here.
TEST(compressed, is_above_the_entropy_and_better_when_split) {
  const auto codes = bfloat16_codes(200000);
  const data::element type = element_of("bfloat16", 16);
  const auto found = zstd_sizes(bytes_of(codes), type);
  ASSERT_TRUE(found);
  const code_fields fields = fields_of(counted(type, bytes_of(codes), codes.size()));
  const double floor = fields.total.value.value() * 200000 / 8;
  EXPECT_EQ(found->bytes, 400000U);
  EXPECT_GT(static_cast<double>(found->split), 0.98 * floor);
  EXPECT_LT(static_cast<double>(found->split), 1.1 * floor);
  EXPECT_LT(found->split, found->plain);
}

TEST(compressed, big_endian_planes_are_the_same) {
  auto codes = bfloat16_codes(50000);
  data::element type = element_of("bfloat16", 16);
  const auto little = zstd_sizes(bytes_of(codes), type);
  for (auto& code : codes) code = static_cast<std::uint16_t>(code << 8U | code >> 8U);
  type.big_endian = true;
  EXPECT_EQ(zstd_sizes(bytes_of(codes), type)->split, little->split);
}

TEST(compressed, takes_a_sample_of_a_file) {
  const auto bytes = bytes_of(bfloat16_codes(10000));
  const data::element type = element_of("bfloat16", 16);
  tensor_in_memory file(type, bytes);
  const auto all = zstd_sizes(file, {0, 1}, 0);
  EXPECT_EQ(all->bytes, bytes.size());
  EXPECT_EQ(all->split, zstd_sizes(bytes, type)->split);
  const auto some = zstd_sizes(file, {0, 1}, 0, 5001);
  EXPECT_EQ(some->bytes, 5000U);
  EXPECT_EQ(some->plain, zstd_sizes(std::span(bytes).first(5000), type)->plain);
  EXPECT_EQ(zstd_sizes(std::span<const std::byte>{}, type)->bytes, 0U);
  const std::atomic<bool> stop = true;
  EXPECT_THROW(zstd_sizes(file, {0, 1}, 0, 5000, stop_token{stop}), stopped);
}

}  // namespace
}  // namespace ktln2::measure
