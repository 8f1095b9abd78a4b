#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ktln2/data/tensor.hpp"
#include "ktln2/measure/code_table.hpp"
#include "ktln2/measure/exact_sums.hpp"

namespace ktln2::measure {

/// What the numbers of a tensor are. Truth values and unsigned integers are whole numbers. Zeros
/// and subnormal numbers are among the finite ones, and the last four are of these alone.
struct number_facts {
  std::uint64_t count = 0;
  std::uint64_t zeros = 0;
  std::uint64_t subnormals = 0;
  std::uint64_t infinities = 0;
  std::uint64_t nans = 0;
  std::optional<std::uint64_t> first_nan = {};  ///< its index
  std::optional<double> smallest = {};          ///< magnitude but 0
  std::optional<double> largest = {};           ///< magnitude
  double mean = 0;
  double deviation = 0;

  [[nodiscard]] std::uint64_t finite() const { return count - infinities - nans; }
};

/// The codes of a tensor, counted. Up to 16 bits each of them; of wider numbers the 16 leading
/// bits, and each byte below these by itself: beyond 2^22 numbers, of an eighth of them, spread all
/// over the tensor. Pieces may come in any order, to several counts that are put together at the
/// end: nothing depends on it.
class tensor_counts {
 public:
  /// Throws std::domain_error for elements of another size than 4, 6, 8, 16, 32 or 64 bits.
  explicit tensor_counts(data::element type);

  /// Throws std::domain_error if the piece has not the bytes for its numbers.
  void add(const data::piece& piece);

  /// Several pieces by one thread, which counts nothing else meanwhile: quicker than one by one.
  /// They are counted when it ends.
  class in_a_row {
   public:
    explicit in_a_row(tensor_counts& to) : to_{to} {}
    ~in_a_row() { to_.take_from_desk(); }
    in_a_row(const in_a_row&) = delete;
    in_a_row& operator=(const in_a_row&) = delete;
    in_a_row(in_a_row&&) = delete;
    in_a_row& operator=(in_a_row&&) = delete;

    /// As above.
    void add(const data::piece& piece);

   private:
    tensor_counts& to_;
    std::uint64_t waiting_ = 0;  ///< numbers that the thread has counted
  };

  /// Of other pieces of the same tensor, or of a tensor with the same elements.
  tensor_counts& operator+=(const tensor_counts& other);

  [[nodiscard]] const data::element& type() const { return type_; }
  [[nodiscard]] std::uint64_t count() const { return codes_.total(); }
  /// The codes, or their 16 leading bits.
  [[nodiscard]] const code_table& codes() const { return codes_; }
  /// The bits that are not in codes(), 0 for numbers of up to 16.
  [[nodiscard]] int low_bits() const { return type_.bits - codes_.bits(); }
  /// The bytes that are not in codes(), from the highest, of as many numbers as low_count() says.
  [[nodiscard]] std::vector<code_table> low_bytes() const;
  /// Where these are not all numbers: the same in several parts, each of them all over the tensor.
  /// How they differ says how far off the sample may be. Otherwise none.
  [[nodiscard]] std::vector<std::vector<code_table>> parts_of_low_bytes() const;
  /// count(), or about an eighth of it where there are many; the same share of each of the tensors
  /// that were put together.
  [[nodiscard]] std::uint64_t low_count() const;

  [[nodiscard]] number_facts facts() const;
  /// Is one code all there is? True for none.
  [[nodiscard]] bool is_constant() const;
  /// Equal for equal bytes; the same for others with a probability of about 2^-32.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  /// Formats of half the bits or fewer that would hold every one of the numbers, the narrowest
  /// first. Of the 32 and 64 bits of floating-point numbers only.
  [[nodiscard]] std::vector<std::string> narrower() const;

  /// For another process of the same program, which knows the type.
  void put_into(byte_writer& bytes) const;
  static tensor_counts from(data::element type, byte_reader& bytes);

 private:
  /// What was seen of numbers with more than 16 bits; of others only the first NaN. Of bits, those
  /// that one of them has at least, and those that all have.
  struct census {
    std::uint64_t zeros = 0;
    std::uint64_t infinities = 0;
    std::uint64_t nans = 0;
    std::uint64_t first_nan = std::numeric_limits<std::uint64_t>::max();
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -1;
    std::uint64_t any = 0;
    std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  };
  struct candidate {
    number_format format;
    bool holds_all = true;
  };

  void require_fit(const data::piece& piece) const;
  /// Counts on the thread's own tables.
  void add_to_desk(const data::piece& piece);
  void take_from_desk();
  void take_few(const data::piece& piece);
  void add_packed(const data::piece& piece);
  void add_bytes(const data::piece& piece);
  template <class Word>
  void add_words(const data::piece& piece);
  template <class Word>
  void add_block(std::span<const std::byte> block, std::uint64_t first);
  template <class Float, class Range>
  void add_floats(std::span<const std::byte> block, std::uint64_t first, const Range& found);
  template <class Float>
  void look_closer(std::span<const std::byte> block, std::uint64_t first);
  template <class Float>
  void narrow(std::span<const std::byte> block);
  template <class Word>
  void add_integers(std::span<const std::byte> block);
  template <class Word>
  void add_others(std::span<const std::byte> block, std::uint64_t first);
  template <class Word>
  void find_nan(const data::piece& piece);
  void add_number(double x, std::uint64_t index);
  [[nodiscard]] number_facts facts_of_codes() const;

  data::element type_;
  code_table codes_;
  std::array<std::vector<code_table>, 8> low_sample_;
  std::vector<code_table> low_rest_;  ///< the other numbers; left off where they are many
  exact_sums sums_;
  census seen_;
  std::uint64_t digest_ = 0;
  std::vector<candidate> narrower_;
};

}  // namespace ktln2::measure
