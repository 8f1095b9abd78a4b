#pragma once

#include <cstdint>

namespace ktln2::packer {

/// Mixes a number into a hash.
constexpr std::uint32_t hashed(std::uint32_t hash, std::uint32_t number) {
  hash = (hash ^ number) * 0x9E3779B1U;
  return hash ^ (hash >> 15);
}
constexpr std::uint32_t hashed(std::uint32_t hash, std::uint32_t number, std::uint32_t other) {
  return hashed(hashed(hash, number), other);
}

/// Follows the bytes of a WebAssembly module whose functions do not say their sizes, and knows what
/// the next byte is about.
class wasm_reader {
 public:
  enum place {
    magic,
    section,
    section_size,
    other,
    function_count,
    local_groups,
    local_count,
    local_type,
    opcode,
    operand
  };

  void take(std::uint8_t byte) {
    if (at_ == other && --left_in_section_ == 0) return expect(section);
    step(byte);
  }

  [[nodiscard]] place at() const { return at_; }
  [[nodiscard]] bool is_in_code() const { return at_ >= local_groups; }
  /// How many functions have begun, and one more once the last one has ended.
  [[nodiscard]] std::uint32_t function() const { return function_; }
  /// Of the instruction at hand, where an operand is next, and else of the last one.
  [[nodiscard]] std::uint8_t op() const { return static_cast<std::uint8_t>(op_); }
  /// What the next byte is: which operand, with the bytes of it that were there already.
  [[nodiscard]] std::uint32_t slot() const { return slot_; }
  [[nodiscard]] std::uint32_t opcodes() const { return opcodes_; }  ///< the last four
  [[nodiscard]] std::uint32_t older_opcodes() const { return older_opcodes_; }
  /// The last one, with its operands.
  [[nodiscard]] std::uint32_t instruction() const { return last_instruction_; }

 private:
  void step(std::uint8_t byte) {
    switch (at_) {
      case magic:
        if (--magic_left_ == 0) expect(section);
        break;
      case section:
        section_ = byte;
        expect(section_size);
        break;
      case section_size:
        if (!is_read(byte)) break;
        left_in_section_ = value_;
        expect(section_ == 10 ? function_count : other);
        break;
      case other:
        break;
      case function_count:
        if (!is_read(byte)) break;
        functions_left_ = value_;
        begin_function();
        break;
      case local_groups:
        if (!is_read(byte)) break;
        groups_ = value_;
        expect(groups_ > 0 ? local_count : opcode);
        break;
      case local_count:
        if (is_read(byte)) expect(local_type);
        break;
      case local_type:
        expect(--groups_ > 0 ? local_count : opcode);
        break;
      case opcode:
        op_ = byte;
        instruction_ = hashed(0, byte);
        operands_ = operands_of(byte);
        next_operand();
        break;
      case operand:
        take_operand(byte);
        break;
    }
  }

  void expect(place next) {
    at_ = next;
    value_ = shift_ = 0;
    slot_ = hashed(next, 0);
  }

  /// Whether a number in LEB128 is complete with this byte.
  bool is_read(std::uint8_t byte) {
    value_ |= shift_ < 32 ? (byte & 127U) << shift_ : 0;
    shift_ += 7;
    slot_ = hashed(slot_, byte);
    return byte < 128;
  }

  void begin_function() {
    ++function_;
    if (functions_left_-- == 0) return expect(section);
    depth_ = 1;
    opcodes_ = older_opcodes_ = 0;
    last_instruction_ = 0;
    expect(local_groups);
  }

  /// A letter for each: v how many labels follow, 4 and 8 so many bytes, p a further opcode, and
  /// else a number.
  static const char* operands_of(int op) {
    if ((op >= 0x02 && op <= 0x04) || op == 0x06) return "t";              // blocks
    if ((op >= 0x07 && op <= 0x09) || op == 0x18) return "c";              // exceptions
    if (op == 0x0c || op == 0x0d) return "b";                              // branches
    if (op == 0x0e) return "v";                                            // br_table
    if (op == 0x10 || op == 0xd2) return "f";                              // call, ref.func
    if (op == 0x11) return "yx";                                           // call_indirect
    if (op >= 0x20 && op <= 0x22) return "l";                              // locals
    if ((op >= 0x23 && op <= 0x26) || op == 0xd0) return "g";              // globals
    if (op >= 0x28 && op <= 0x3e) return "ao";                             // memory
    if (op == 0x3f || op == 0x40 || op == 0x41 || op == 0x42) return "i";  // its size, constants
    if (op == 0x43) return "4";
    if (op == 0x44) return "8";
    return op == 0xfc ? "p" : "";
  }

  void next_operand() {
    if (*operands_ == 0) return end_instruction();
    expect(operand);
    kind_ = *operands_++;
    fixed_ = kind_ == '4' || kind_ == '8' ? kind_ - '0' : 0;
    slot_ = hashed(operand, static_cast<std::uint32_t>(op_), static_cast<std::uint32_t>(kind_));
  }

  void take_operand(std::uint8_t byte) {
    instruction_ = hashed(instruction_, byte);
    const bool is_whole = is_read(byte);
    if (fixed_ > 0 ? --fixed_ > 0 : !is_whole) return;
    if (kind_ == 'p') operands_ = value_ == 10 ? "ii" : value_ == 11 ? "i" : "";
    if (kind_ == 'v') {
      labels_ = value_ + 1;
      kind_ = 'n';
      return expect(operand);
    }
    if (kind_ == 'n' && --labels_ > 0) return expect(operand);
    next_operand();
  }

  void end_instruction() {
    last_instruction_ = instruction_;
    older_opcodes_ = older_opcodes_ << 8 | opcodes_ >> 24;
    opcodes_ = opcodes_ << 8 | static_cast<std::uint32_t>(op_);
    if ((op_ >= 0x02 && op_ <= 0x04) || op_ == 0x06) ++depth_;
    if ((op_ == 0x0b || op_ == 0x18) && --depth_ == 0) return begin_function();
    expect(opcode);
  }

  place at_ = magic;
  int magic_left_ = 8;
  int section_ = 0;
  std::uint32_t left_in_section_ = 0;
  std::uint32_t functions_left_ = 0;
  int depth_ = 0;
  std::uint32_t function_ = 0;
  std::uint32_t groups_ = 0;
  std::uint32_t value_ = 0;
  std::uint32_t shift_ = 0;
  int op_ = 0;
  const char* operands_ = "";
  char kind_ = 0;
  int fixed_ = 0;
  std::uint32_t labels_ = 0;
  std::uint32_t slot_ = 0;
  std::uint32_t opcodes_ = 0;
  std::uint32_t older_opcodes_ = 0;
  std::uint32_t instruction_ = 0;
  std::uint32_t last_instruction_ = 0;
};

}  // namespace ktln2::packer
