#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/format/number_quantize.hpp"
#include "registers.hpp"
#include "rows.hpp"

namespace ktln2::python {
namespace {

/// Arrays of this size are done before anybody can press Ctrl-C.
constexpr std::size_t few_elements = std::size_t{1} << 16;
/// Above 32 MiB results are written past the caches, which parts of an array should not lose.
constexpr std::size_t streamed_part = (std::size_t{1} << 22) + 4096;
constexpr std::size_t slow_part = std::size_t{1} << 14;

/// "quantize_values: element 7 must be a number" is about an element of the whole array.
[[noreturn]] void rethrow_with_place(const std::domain_error& error, std::size_t first) {
  const std::string message = error.what();
  const std::string_view mark = ": element ";
  const std::size_t found = message.find(mark);
  if (found == std::string::npos) throw error;  // about the whole
  const char* const digits = message.c_str() + found + mark.size();
  char* rest = nullptr;
  const std::size_t index = std::strtoull(digits, &rest, 10);
  throw row_error(first + index, rest);
}

/// Does an array part by part. The lowest mistake is the one that is told.
void in_parts(std::size_t size, bool is_fast, unsigned threads,
              const std::function<void(std::size_t begin, std::size_t count)>& work) {
  const auto part = [&](std::size_t begin, std::size_t count) {
    try {
      work(begin, count);
    } catch (const std::domain_error& error) {
      rethrow_with_place(error, begin);
    }
  };
  if (size <= few_elements) {
    const py::gil_scoped_release unlocked;
    return part(0, size);
  }
  const std::size_t length = is_fast ? streamed_part : slow_part;
  const std::size_t parts = std::max<std::size_t>(1, size / length);
  run_attended([&](const stop_token& stop) {
    std::size_t lowest = SIZE_MAX;
    std::string message;
    std::mutex mutex;
    parallel_for(parts, threads, [&](std::size_t i) {
      if (stop.stop_requested()) return;
      const std::size_t begin = size / parts * i;
      const std::size_t end = i + 1 == parts ? size : size / parts * (i + 1);
      try {
        part(begin, end - begin);
      } catch (const row_error& error) {
        const std::lock_guard lock{mutex};
        if (error.row < lowest) {
          lowest = error.row;
          message = error.what();
        }
      }
    });
    throw_if_stopped(stop);
    if (lowest != SIZE_MAX) throw row_error(lowest, message);
  });
}

void require_nearest(const number_register& of) {
  if (of.ideal() == nullptr || of.ideal()->how == rounding::nearest) return;
  throw std::domain_error("rounding must be 'nearest' to store numbers in " + of.name() +
                          ", got 'toward-zero'");
}

bool is_fast(const number_register& of) {
  return of.ideal() != nullptr || has_array_kernel(of.number().format, of.number().rule);
}

template <class T>
std::span<const T> span_of(const plain_array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

template <class T>
std::span<T> span_into(plain_array<T>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

void quantize_doubles(const number_register& of, const plain_array<double>& x,
                      plain_array<double> out, unsigned threads) {
  require_nearest(of);
  const auto in = span_of(x);
  const auto stored = span_into(out);
  in_parts(in.size(), is_fast(of), threads, [&](std::size_t begin, std::size_t count) {
    if (of.ideal() != nullptr) {
      quantize_values(of.ideal()->format, in.subspan(begin, count), stored.subspan(begin, count));
    } else {
      quantize_values(of.number().format, in.subspan(begin, count), stored.subspan(begin, count),
                      of.number().rule);
    }
  });
}

void quantize_floats(const number_register& of, const plain_array<float>& x, plain_array<float> out,
                     unsigned threads) {
  const auto in = span_of(x);
  const auto stored = span_into(out);
  in_parts(in.size(), is_fast(of), threads, [&](std::size_t begin, std::size_t count) {
    quantize_values(of.number().format, in.subspan(begin, count), stored.subspan(begin, count),
                    of.number().rule);
  });
}

/// Are all its values floats, so that an array of floats can stay one?
bool holds_floats(const number_register& of) {
  if (of.ideal() != nullptr || of.number().rule.by_chance) return false;
  const float one = 1;
  float stored = 0;
  try {
    quantize_values(of.number().format, std::span<const float>{&one, 1},
                    std::span<float>{&stored, 1}, of.number().rule);
  } catch (const std::domain_error&) {
    return false;
  }
  return true;
}

template <class In, class Code>
void codes_of(const number_register& of, const plain_array<In>& x, plain_array<Code> out,
              unsigned threads) {
  require_nearest(of);
  const auto in = span_of(x);
  const auto stored = span_into(out);
  in_parts(in.size(), is_fast(of), threads, [&](std::size_t begin, std::size_t count) {
    const auto from = in.subspan(begin, count);
    const auto to = stored.subspan(begin, count);
    if constexpr (std::is_same_v<Code, std::uint64_t> && std::is_same_v<In, double>) {
      if (of.ideal() != nullptr) return quantize_codes(of.ideal()->format, from, to);
    }
    quantize_codes(of.number().format, from, to, of.number().rule);
  });
}

double decoded(const float_format& format, std::uint64_t code, std::size_t index) {
  try {
    return format.value(format.decode(code)).to_double();
  } catch (const std::domain_error&) {
    throw std::domain_error("decode: element " + std::to_string(index) + ": a code of " +
                            format.name() + " has " + std::to_string(format.width()) +
                            " bits, got " + std::to_string(code));
  }
}

template <class Code>
void decode_codes(const number_register& of, const plain_array<Code>& codes,
                  plain_array<double> out, unsigned threads) {
  const auto in = span_of(codes);
  const auto values = span_into(out);
  in_parts(in.size(), false, threads, [&](std::size_t begin, std::size_t count) {
    const auto from = in.subspan(begin, count);
    const auto to = values.subspan(begin, count);
    if (of.ideal() == nullptr) return decode(of.number().format, from, to);
    for (std::size_t i = 0; i < count; ++i) to[i] = decoded(of.ideal()->format, from[i], i);
  });
}

template <class In, class Code>
void bind_codes(py::module_& module) {
  module.def("codes", &codes_of<In, Code>, py::arg("register"), py::arg("x").noconvert(),
             py::arg("out").noconvert(), py::arg("threads"));
}

template <class Code>
void bind_decode(py::module_& module) {
  module.def("decode", &decode_codes<Code>, py::arg("register"), py::arg("codes").noconvert(),
             py::arg("out").noconvert(), py::arg("threads"));
}

}  // namespace

void bind_arrays(py::module_& module) {
  module.def("quantize", &quantize_doubles, py::arg("register"), py::arg("x").noconvert(),
             py::arg("out").noconvert(), py::arg("threads"));
  module.def("quantize", &quantize_floats, py::arg("register"), py::arg("x").noconvert(),
             py::arg("out").noconvert(), py::arg("threads"));
  module.def("holds_floats", &holds_floats, py::arg("register"));
  bind_codes<double, std::uint8_t>(module);
  bind_codes<double, std::uint16_t>(module);
  bind_codes<double, std::uint64_t>(module);
  bind_codes<float, std::uint8_t>(module);
  bind_codes<float, std::uint16_t>(module);
  bind_codes<float, std::uint64_t>(module);
  bind_decode<std::uint8_t>(module);
  bind_decode<std::uint16_t>(module);
  bind_decode<std::uint64_t>(module);
}

}  // namespace ktln2::python
