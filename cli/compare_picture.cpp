// What --plot draws of a comparison: a bar for each format.
#include "ask/compare.hpp"
#include "pictures.hpp"
#include "views.hpp"

namespace ktln2::cli {

paper::plot_request picture_of(const ask::compare_answer& made, const stop_token& /*stop*/) {
  return {"compare", made.asked.distribution, rows_of(made).csv()};
}

}  // namespace ktln2::cli
