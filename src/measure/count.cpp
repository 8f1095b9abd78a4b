#include "ktln2/measure/count.hpp"

#include <array>
#include <memory>

#include "ktln2/core/parallel.hpp"

namespace ktln2::measure {
namespace {

/// As much as stays in a core's own cache, with the tables, between being read and being counted.
constexpr std::size_t buffer_bytes = std::size_t{1} << 17;

std::vector<tensor_counts> nothing_counted(const data::tensor_file& file,
                                           const data::tensor_file::together& pass) {
  std::vector<tensor_counts> made;
  made.reserve(pass.count);
  for (std::size_t i = 0; i < pass.count; ++i) {
    made.emplace_back(file.tensors()[pass.first + i].type);
  }
  return made;
}

/// add(piece) for as many pieces as come to this thread.
template <class Add>
void take_pieces(data::tensor_stream& from, const stop_token& stop, const Add& add) {
  const auto buffer = std::make_unique<std::array<std::byte, buffer_bytes>>();
  for (;;) {
    throw_if_stopped(stop);
    const data::piece next = from.next(*buffer);
    if (next.count == 0) return;
    add(next);
  }
}

}  // namespace

std::vector<tensor_counts> count(data::tensor_file& file, const data::tensor_file::together& pass,
                                 unsigned threads, const stop_token& stop,
                                 const bytes_counted& told, const std::function<void()>& beside) {
  if (threads == 0) threads = hardware_threads();
  const std::unique_ptr<data::tensor_stream> stream = file.open(pass);
  std::vector<std::vector<tensor_counts>> each(threads);
  parallel_for(threads, threads, [&](std::size_t t) {
    std::vector<tensor_counts>& own = each[t] = nothing_counted(file, pass);
    if (t == 0 && beside) beside();
    const auto tell = [&told](const data::piece& done) {
      if (told) told(done.bytes.size());
    };
    if (pass.count > 1) {
      return take_pieces(*stream, stop, [&](const data::piece& next) {
        own[next.tensor - pass.first].add(next);
        tell(next);
      });
    }
    tensor_counts::in_a_row row{own.front()};
    take_pieces(*stream, stop, [&](const data::piece& next) {
      row.add(next);
      tell(next);
    });
  });
  std::vector<tensor_counts> all = std::move(each.front());
  for (std::size_t t = 1; t < threads; ++t) {
    for (std::size_t i = 0; i < pass.count; ++i) all[i] += each[t][i];
  }
  return all;
}

void requantize(data::tensor_file& file, const data::tensor_file::together& pass,
                std::vector<std::vector<requantizer>>& into, unsigned threads,
                const stop_token& stop) {
  if (threads == 0) threads = hardware_threads();
  const std::unique_ptr<data::tensor_stream> stream = file.open(pass);
  std::vector<std::vector<std::vector<requantizer>>> each(threads, into);
  parallel_for(threads, threads, [&](std::size_t t) {
    take_pieces(*stream, stop, [&](const data::piece& next) {
      for (requantizer& one : each[t][next.tensor - pass.first]) one.add(next);
    });
  });
  for (const auto& own : each) {
    for (std::size_t i = 0; i < into.size(); ++i) {
      for (std::size_t k = 0; k < into[i].size(); ++k) into[i][k] += own[i][k];
    }
  }
}

}  // namespace ktln2::measure
