#include "model.hpp"

#include <wasm_simd128.h>

namespace ktln2::packer {
namespace {

constexpr int limit = 2047;

/// Moves a chance in units of 2^-16 towards what came.
void learn(std::uint16_t& chance, bool came) {
  chance = static_cast<std::uint16_t>(chance + (((came ? 0xffff : 0) - chance) >> 6));
}

int limited(int x) { return x > limit ? limit : x < -limit ? -limit : x; }

}  // namespace

logistic::logistic() {
  int p = 0;
  for (int x = -limit; x <= limit; ++x) {
    for (const int end = squash(x); p <= end; ++p) stretched_[p] = static_cast<std::int16_t>(x);
  }
  while (p < 4096) stretched_[p++] = limit;
}

int logistic::squash(int x) {
  static constexpr std::int16_t at[33] = {1,    2,    3,    6,    10,   16,   27,   45,   73,
                                          120,  194,  310,  488,  747,  1101, 1546, 2047, 2549,
                                          2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068,
                                          4079, 4085, 4089, 4092, 4093, 4094};
  if (x > limit) return 4095;
  if (x < -limit) return 0;
  const int place = (x >> 7) + 16;
  const int rest = x & 127;
  return (at[place] * (128 - rest) + at[place + 1] * rest + 64) >> 7;
}

model::model(bool is_wasm) : is_wasm_{is_wasm} {
  const auto more = [](int count) { return count < 15 ? count + 1 : count; };
  const auto fewer = [](int count) { return count > 2 ? count / 2 + 1 : count; };
  for (int seen = 0; seen < 256; ++seen) {
    const int zeros = seen >> 4;
    const int ones = seen & 15;
    next_[0][seen] = static_cast<std::uint8_t>(more(zeros) << 4 | fewer(ones));
    next_[1][seen] = static_cast<std::uint8_t>(fewer(zeros) << 4 | more(ones));
    const int chance = 0xffff * (5 * ones + 2) / (5 * (zeros + ones) + 4);
    for (auto& of_context : chances_) of_context[seen] = static_cast<std::uint16_t>(chance);
  }
  for (std::uint16_t& chance : match_chances_) chance = 0xc000;
  for (auto& set : mixtures_) {
    for (weights& each : set) {
      for (std::int16_t& weight : each) weight = 5000;
    }
  }
  for (auto& set : curves_) {
    for (curve& each : set) {
      for (int i = 0; i < 33; ++i) {
        each[i] = static_cast<std::uint16_t>(16 * logistic::squash(128 * (i - 16)));
      }
    }
  }
  choose_contexts();
}

void model::choose_contexts() {
  if (is_wasm_ && reader_.is_in_code()) {
    choose_code_contexts();
  } else {
    choose_text_contexts();
  }
  for (std::uint32_t i = 0; i < contexts; ++i) contexts_[i] = hashed(contexts_[i], i);
}

/// What the next byte is, after so many opcodes or instructions.
void model::choose_code_contexts() {
  const wasm_reader& r = reader_;
  const std::uint32_t slot = r.slot();
  const std::uint32_t before = r.opcodes();
  const std::uint32_t last = before & 0xffU;
  const bool is_operand = r.at() == wasm_reader::operand;
  contexts_[0] = slot;
  contexts_[1] = hashed(slot, last);
  contexts_[2] = hashed(slot, before & 0xffffffU);
  contexts_[3] = hashed(slot, before, r.older_opcodes() & 0xffffU);
  contexts_[4] = hashed(slot, before, r.older_opcodes());
  contexts_[5] = hashed(slot, r.instruction());
  contexts_[6] = hashed(slot, r.function(), is_operand ? last : r.instruction());
  kind_ = is_operand ? 256U + r.op() : r.at() == wasm_reader::opcode ? last : 512U + r.at();
}

void model::choose_text_contexts() {
  contexts_[0] = last_ & 0xffU;
  contexts_[1] = last_ & 0xffffU;
  contexts_[2] = last_ & 0xffffffU;
  contexts_[3] = last_;
  contexts_[4] = hashed(last_, older_ & 0xffU);
  contexts_[5] = hashed(last_ & 0xffff00U, 1);
  contexts_[6] = hashed(word_, last_ & 0xffU);
  kind_ = 600U + (last_ & 0xffU);
}

void model::look_up_histories() {
  half_ = 1;
  for (int i = 0; i < contexts; ++i) {
    const std::uint32_t hash = hashed(contexts_[i], static_cast<std::uint32_t>(partial_));
    const auto sign = static_cast<std::uint8_t>(hash >> 24);
    history* const here = &tables_[i][hash & 0xffffU];
    history* const there = &tables_[i][(hash & 0xffffU) ^ 1U];
    // Of two places the one that is the context's, or else that which was seen less often.
    const bool is_there = (*here)[0] != sign && ((*there)[0] == sign || (*there)[1] < (*here)[1]);
    histories_[i] = is_there ? there : here;
    history& found = *histories_[i];
    if (found[0] == sign) continue;
    wasm_v128_store(found, wasm_i8x16_splat(0));
    found[0] = sign;
  }
}

void model::ask_histories() {
  for (int i = 0; i < contexts; ++i) {
    const std::uint8_t seen = (*histories_[i])[half_];
    said_[i] = static_cast<std::int16_t>(seen == 0 ? 0 : shape_.stretch(chances_[i][seen] >> 4));
  }
}

void model::ask_match() {
  int said = 0;
  if (match_length_ > 0) {
    const int expected = text_[match_] | 256;
    if (expected >> (8 - bits_) == partial_) {
      said = shape_.stretch(match_chances_[match_length_] >> 4);
      if ((expected >> (7 - bits_) & 1) == 0) said = -said;
    } else {
      match_length_ = 0;
    }
  }
  said_[contexts] = static_cast<std::int16_t>(said);
}

int model::predict() {
  if (bits_ == 0 || bits_ == 4) look_up_histories();
  ask_histories();
  ask_match();
  const auto partial = static_cast<std::uint32_t>(partial_);
  const std::uint32_t match_kind = match_length_ > 15 ? 2 : match_length_ > 0 ? 1 : 0;
  weights_[0] = &mixtures_[0][kind_];
  weights_[1] = &mixtures_[1][match_kind << 8 | partial];
  const v128_t said = wasm_v128_load(said_);
  int together = 0;
  for (int set = 0; set < 2; ++set) {
    const v128_t products = wasm_i32x4_dot_i16x8(said, wasm_v128_load(*weights_[set]));
    const int sum = wasm_i32x4_extract_lane(products, 0) + wasm_i32x4_extract_lane(products, 1) +
                    wasm_i32x4_extract_lane(products, 2) + wasm_i32x4_extract_lane(products, 3);
    const int x = limited(sum >> 14);
    mixed_[set] = logistic::squash(x);
    together += x;
  }
  together /= 2;
  // What came where the mixtures said so, in half of the weight
  const std::uint32_t curves[2] = {hashed(kind_, partial) >> 22,
                                   hashed(contexts_[5], partial) >> 22};
  const int place = (together + 2048) >> 7;
  const int rest = (together + 2048) & 127;
  int p = 2 * 16 * logistic::squash(together);
  for (int set = 0; set < 2; ++set) {
    std::uint16_t* const at = &curves_[set][curves[set]][place];
    p += (at[0] * (128 - rest) + at[1] * rest) >> 7;
    refined_[set] = rest < 64 ? at : at + 1;
  }
  p >>= 2;
  return p < 16 ? 16 : p > 0xfff0 ? 0xfff0 : p;
}

void model::take(int bit) {
  const v128_t said = wasm_v128_load(said_);
  for (int set = 0; set < 2; ++set) {
    const int error = 2 * ((bit << 12) - mixed_[set]);
    const v128_t step =
        wasm_i16x8_q15mulr_sat(said, wasm_i16x8_splat(static_cast<std::int16_t>(error)));
    wasm_v128_store(*weights_[set], wasm_i16x8_add_sat(wasm_v128_load(*weights_[set]), step));
    learn(*refined_[set], bit != 0);
  }
  for (int i = 0; i < contexts; ++i) {
    std::uint8_t& seen = (*histories_[i])[half_];
    learn(chances_[i][seen], bit != 0);
    seen = next_[bit][seen];
  }
  if (match_length_ > 0) {
    const bool is_right = (text_[match_] >> (7 - bits_) & 1) == bit;
    learn(match_chances_[match_length_], is_right);
    if (!is_right) match_length_ = 0;
  }
  partial_ = partial_ << 1 | bit;
  half_ = half_ << 1 | bit;
  if (++bits_ == 8) take_byte(static_cast<std::uint8_t>(partial_));
}

void model::take_byte(std::uint8_t byte) {
  bits_ = 0;
  partial_ = 1;
  text_[length_++] = byte;
  older_ = older_ << 8 | last_ >> 24;
  last_ = last_ << 8 | byte;
  const bool is_letter = (byte | 32) >= 'a' && (byte | 32) <= 'z';
  const bool is_digit = byte >= '0' && byte <= '9';
  word_ = is_letter || is_digit || byte == '_' || byte == '$' ? hashed(word_, byte) : 0;
  if (is_wasm_) reader_.take(byte);
  look_for_match();
  choose_contexts();
}

void model::look_for_match() {
  if (match_length_ > 0) {
    ++match_;
    if (match_length_ < longest) ++match_length_;
  }
  if (length_ < 6) return;
  std::uint32_t& place = match_places_[hashed(last_, older_ & 0xffffU) % places];
  if (match_length_ == 0) {
    std::uint32_t same = 0;
    while (same < 32 && same < place && text_[place - 1 - same] == text_[length_ - 1 - same])
      ++same;
    match_ = place;
    match_length_ = same < 6 ? 0 : same;
  }
  place = length_;
}

}  // namespace ktln2::packer
