#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ktln2::measure {

/// Plain values one after another, for another process of the same program.
class byte_writer {
 public:
  template <class Value>
  void put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const std::size_t before = bytes_.size();
    bytes_.resize(before + sizeof(Value));
    std::memcpy(bytes_.data() + before, &value, sizeof(Value));
  }
  template <class Value>
  void put_all(const std::vector<Value>& values) {
    put(values.size());
    for (const Value& one : values) put(one);
  }
  void put_text(std::string_view text) {
    put(text.size());
    bytes_ += text;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Takes them out again, in the same order.
class byte_reader {
 public:
  explicit byte_reader(std::string_view bytes) : left_{bytes} {}

  template <class Value>
  Value get() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value{};
    std::memcpy(static_cast<void*>(&value), taken(sizeof(Value)).data(), sizeof(Value));
    return value;
  }
  template <class Value>
  std::vector<Value> get_all() {
    std::vector<Value> values(get<std::size_t>());
    for (Value& one : values) one = get<Value>();
    return values;
  }
  std::string get_text() { return std::string(taken(get<std::size_t>())); }

 private:
  std::string_view taken(std::size_t count) {
    if (count > left_.size()) throw std::logic_error("byte_reader: nothing left");
    const std::string_view front = left_.substr(0, count);
    left_.remove_prefix(count);
    return front;
  }

  std::string_view left_;
};

}  // namespace ktln2::measure
