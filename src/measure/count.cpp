#include "ktln2/measure/count.hpp"

#include <array>
#include <memory>

#include "ktln2/core/parallel.hpp"

namespace ktln2::measure {
namespace {

/// As much as stays in a core's cache between being read and being counted.
constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

std::vector<tensor_counts> nothing_counted(const data::tensor_file& file,
                                           const data::tensor_file::together& pass) {
  std::vector<tensor_counts> made;
  made.reserve(pass.count);
  for (std::size_t i = 0; i < pass.count; ++i) {
    made.emplace_back(file.tensors()[pass.first + i].type);
  }
  return made;
}

}  // namespace

std::vector<tensor_counts> count(data::tensor_file& file, const data::tensor_file::together& pass,
                                 unsigned threads, const stop_token& stop,
                                 const bytes_counted& told) {
  if (threads == 0) threads = hardware_threads();
  const std::unique_ptr<data::tensor_stream> stream = file.open(pass);
  std::vector<std::vector<tensor_counts>> each(threads);
  parallel_for(threads, threads, [&](std::size_t t) {
    std::vector<tensor_counts>& own = each[t] = nothing_counted(file, pass);
    const auto buffer = std::make_unique<std::array<std::byte, buffer_bytes>>();
    const auto for_pieces = [&](const auto& add) {
      for (;;) {
        throw_if_stopped(stop);
        const data::piece next = stream->next(*buffer);
        if (next.count == 0) return;
        add(next);
        if (told) told(next.bytes.size());
      }
    };
    if (pass.count > 1) {
      return for_pieces([&](const data::piece& next) { own[next.tensor - pass.first].add(next); });
    }
    tensor_counts::in_a_row row{own.front()};
    for_pieces([&](const data::piece& next) { row.add(next); });
  });
  std::vector<tensor_counts> all = std::move(each.front());
  for (std::size_t t = 1; t < threads; ++t) {
    for (std::size_t i = 0; i < pass.count; ++i) all[i] += each[t][i];
  }
  return all;
}

}  // namespace ktln2::measure
