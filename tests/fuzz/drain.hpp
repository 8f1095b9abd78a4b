#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "ktln2/data/open.hpp"

namespace fuzz {

/// Opens a file and reads all that it holds: whole numbers in order, as many as it says.
inline void drain(const std::string& path, const ktln2::data::open_options& options = {}) {
  allow_mistakes<ktln2::data::file_error>([&] {
    const auto file = ktln2::data::open_file(path, options);
    std::vector<std::byte> buffer(4096);
    for (const auto& pass : file->passes()) {
      std::vector<std::uint64_t> counts(pass.count);
      const auto stream = file->open(pass);
      for (auto piece = stream->next(buffer); piece.count > 0; piece = stream->next(buffer)) {
        std::uint64_t& count = counts.at(piece.tensor - pass.first);
        require(piece.first == count && piece.bytes.size() <= buffer.size());
        count += piece.count;
      }
      for (std::size_t i = 0; i < pass.count; ++i) {
        require(counts[i] == file->tensors().at(pass.first + i).count());
      }
    }
  });
}

}  // namespace fuzz
