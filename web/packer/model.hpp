#pragma once

#include <cstdint>

#include "wasm_reader.hpp"

namespace ktln2::packer {

/// ln(p/(1-p)) in units of 2^-8, and p again, in units of 2^-12.
class logistic {
 public:
  logistic();
  [[nodiscard]] int stretch(int p) const { return stretched_[p]; }
  static int squash(int x);

 private:
  std::int16_t stretched_[4096];
};

/// How likely the next bit is one, from what came before: contexts look up what followed them so
/// far, and two logistic mixtures weigh what they say. Integers only, so it is the same everywhere.
class model {
 public:
  explicit model(bool is_wasm);

  /// In units of 2^-16, neither 0 nor 1.
  int predict();
  void take(int bit);

  /// What was taken so far, in whole bytes.
  [[nodiscard]] const std::uint8_t* text() const { return text_; }
  [[nodiscard]] std::uint32_t length() const { return length_; }

 private:
  static constexpr int contexts = 7;
  static constexpr int inputs = contexts + 1;  ///< the last one: what followed the same text before
  static constexpr std::uint32_t places = 1U << 18;
  static constexpr std::uint32_t longest = 63;

  /// What followed a context, by the bits of half a byte so far: how often 0 and how often 1, in
  /// four bits each; one comes, and the other is half forgotten. The first byte tells contexts
  /// apart.
  using history = std::uint8_t[16];
  using weights = std::int16_t[inputs];
  /// A chance for each of 33 places between sure not and sure.
  using curve = std::uint16_t[33];

  void choose_contexts();
  void choose_code_contexts();
  void choose_text_contexts();
  void look_up_histories();
  void look_for_match();
  void ask_histories();
  void ask_match();
  void take_byte(std::uint8_t byte);

  logistic shape_;
  bool is_wasm_;
  wasm_reader reader_;

  std::uint8_t text_[1U << 22];
  std::uint32_t length_ = 0;
  std::uint32_t last_ = 0;   ///< four bytes
  std::uint32_t older_ = 0;  ///< the four before
  std::uint32_t word_ = 0;

  int bits_ = 0;     ///< how many of the next byte are known
  int partial_ = 1;  ///< they, after a one
  int half_ = 1;     ///< those of this half of it
  std::uint32_t contexts_[contexts];
  history* histories_[contexts];
  std::uint32_t match_ = 0;  ///< where the text stands whose end is the same, if it has a length
  std::uint32_t match_length_ = 0;
  std::uint32_t kind_ = 0;  ///< of context, for mixtures

  alignas(16) std::int16_t said_[inputs];
  weights* weights_[2];
  int mixed_[2];
  std::uint16_t* refined_[2];

  std::uint8_t next_[2][256];
  std::uint16_t chances_[contexts][256];  ///< of a one, by what followed
  std::uint16_t match_chances_[longest + 1];
  std::uint32_t match_places_[places];
  alignas(16) weights mixtures_[2][1024];
  curve curves_[2][1024];
  alignas(16) history tables_[contexts][1U << 16];
};

}  // namespace ktln2::packer
