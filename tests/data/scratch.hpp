#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/data/open.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

/// All bytes of a pass, tensor by tensor, with the counts checked.
struct tensor_content {
  std::uint64_t count = 0;
  std::string bytes;
};
inline std::vector<tensor_content> read_pass(ktln2::data::tensor_file& file,
                                             const ktln2::data::tensor_file::together& pass,
                                             std::size_t buffer_bytes = 4096) {
  std::vector<tensor_content> all(pass.count);
  std::vector<std::byte> buffer(buffer_bytes);
  const auto stream = file.open(pass);
  while (true) {
    const ktln2::data::piece piece = stream->next(buffer);
    if (piece.count == 0) return all;
    tensor_content& one = all.at(piece.tensor - pass.first);
    if (piece.first != one.count) throw std::logic_error("a piece is out of order");
    one.count += piece.count;
    one.bytes.append(reinterpret_cast<const char*>(piece.bytes.data()), piece.bytes.size());
  }
}

/// Of every tensor of a file.
inline std::vector<tensor_content> read_all(ktln2::data::tensor_file& file,
                                            std::size_t buffer_bytes = 4096) {
  std::vector<tensor_content> all;
  for (const auto& pass : file.passes()) {
    for (tensor_content& one : read_pass(file, pass, buffer_bytes)) all.push_back(std::move(one));
  }
  return all;
}

/// What is said when a file is opened and read.
inline std::string complaint(const std::string& path,
                             const ktln2::data::open_options& options = {}) {
  return message_of<ktln2::data::file_error>(
      [&] { read_all(*ktln2::data::open_file(path, options)); });
}
