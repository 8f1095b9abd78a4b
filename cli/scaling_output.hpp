#pragma once

#include "commands.hpp"
#include "ktln2/scaling/choices.hpp"

namespace ktln2::cli {

/// All that `scaling` was asked.
struct scaling_question {
  market prices;
  std::string demand_name;
  entropy_kind kind;
  float_format format;
  register_formats formats;
  training what;
  std::string law_name;  ///< empty for exact regression
  std::string optimize;  ///< empty, or "p", "eta", "batch", "eta,batch"
  std::vector<double> at;
};

/// All that is answered.
struct scaling_answer {
  profit_curve curve;
  best_size size;
  json_value optimized;                        ///< null where nothing was
  std::vector<precision_choice> choices = {};  ///< of precision
  std::vector<profit_point> at = {};
  bool applies = true;  ///< the entropies at the best size
};

void show_json(const std::string& kind, const scaling_question& asked, const scaling_answer& made);
void show_csv(const scaling_answer& made);
void show_text(const scaling_question& asked, const scaling_answer& made);

}  // namespace ktln2::cli
