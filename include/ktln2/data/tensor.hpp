#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ktln2/format/number_format.hpp"

namespace ktln2::data {

/// A file that is not what it says it is. The message names the file, and the tensor, line or byte.
struct file_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What each number of a tensor is stored as.
struct element {
  std::string name;                          ///< as its file calls it: "BF16", "<f4"
  int bits = 0;                              ///< of one number: 4, 6, 8, 16, 32 or 64
  std::optional<number_format> format = {};  ///< none for truth values and unsigned integers
  int parts = 1;                             ///< 2 for a complex number: the two are counted alike
  bool big_endian = false;
};

/// One array of numbers in a file, or one column of a table.
struct tensor {
  std::string file;
  std::string name;
  element type;
  /// Of a table's column, and of raw numbers from a pipe: empty until they have been read.
  std::vector<std::uint64_t> shape = {};
  std::uint64_t missing = 0;  ///< cells of a table's column without a number, which are not counted
  std::uint64_t clipped =
      0;  ///< cells beyond the largest number of the type, which stands for them

  /// The product of the shape, times the parts of an element.
  [[nodiscard]] std::uint64_t count() const;
  /// Its name; that of its file where it has none.
  [[nodiscard]] std::string known_as() const;
  /// With that of its file, where others may have the same.
  [[nodiscard]] std::string in_file() const;
};

/// A piece of one tensor: whole elements, as they stand in the file. Those of 4 and 6 bits are
/// packed from the lowest bit of each byte on, and a piece begins with a whole byte.
struct piece {
  std::size_t tensor = 0;   ///< its place in tensor_file::tensors()
  std::uint64_t first = 0;  ///< index of its first number
  std::uint64_t count = 0;  ///< 0 at the end
  std::span<const std::byte> bytes = {};
};

/// The numbers of some tensors, handed out piece by piece.
class tensor_stream {
 public:
  tensor_stream() = default;
  virtual ~tensor_stream() = default;
  tensor_stream(const tensor_stream&) = delete;
  tensor_stream& operator=(const tensor_stream&) = delete;
  tensor_stream(tensor_stream&&) = delete;
  tensor_stream& operator=(tensor_stream&&) = delete;

  /// The next piece, in `buffer` (at least 4096 bytes). Several threads may ask at the same time,
  /// each with a buffer of its own. Throws file_error.
  virtual piece next(std::span<std::byte> buffer) = 0;
};

/// A file with tensors. What it says of itself has been checked; what it holds is read in pieces,
/// in memory that does not grow with the file.
class tensor_file {
 public:
  tensor_file() = default;
  virtual ~tensor_file() = default;
  tensor_file(const tensor_file&) = delete;
  tensor_file& operator=(const tensor_file&) = delete;
  tensor_file(tensor_file&&) = delete;
  tensor_file& operator=(tensor_file&&) = delete;

  [[nodiscard]] virtual const std::vector<tensor>& tensors() const = 0;
  /// Tensors that are read together: each by itself in most files, all columns of a table at once.
  struct together {
    std::size_t first = 0;
    std::size_t count = 1;
  };
  [[nodiscard]] virtual std::vector<together> passes() const = 0;
  /// Of a pass, from its beginning. Standard input can be opened once.
  [[nodiscard]] virtual std::unique_ptr<tensor_stream> open(const together& pass) = 0;
  /// Whether its passes must be opened and read one after the other, in order: it comes through a
  /// pipe.
  [[nodiscard]] virtual bool runs_by_once() const { return false; }
  /// What was left out, a sentence each: columns of text, members of other kinds.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

}  // namespace ktln2::data
