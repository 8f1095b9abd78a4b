#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ask/block.hpp"
#include "ask/codebook.hpp"
#include "ask/number.hpp"
#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"

namespace ktln2::ask {

/// What a register can hold, and some of its values or all of them.
struct format_question {
  float_format format;
  bool values = false;
  std::vector<register_code> index = {};  ///< from 1 to K
};

struct format_answer {
  format_question asked;
  std::vector<wide> values;   ///< all, ascending, if they were asked for
  std::vector<wide> indexed;  ///< one for each index

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

std::variant<format_question, codebook_format_question, number_format_question,
             block_format_question, catalogue_question>
read_format(const words& asked);
format_answer solve(const format_question& asked, const stop_token& stop = {});

/// How some numbers are stored.
struct quantize_question {
  float_format format;
  std::vector<double> x;
};

struct stored_number {
  double x = 0;
  register_fields fields;
  wide value;
  register_code code = 0;
};

struct quantize_answer {
  float_format format;
  std::vector<stored_number> stored;

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

std::variant<quantize_question, codebook_quantize_question, number_quantize_question,
             block_quantize_question>
read_quantize(const words& asked);
quantize_answer solve(const quantize_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
