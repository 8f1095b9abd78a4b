// What --plot draws of a mismatch cost: the landscape of which it is a height, or its parts.
#include <stdexcept>

#include "ask/islands.hpp"
#include "ask/mismatch.hpp"
#include "output.hpp"
#include "pictures.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

/// Points a side where the user names none. Exact entropies take some ten milliseconds each.
int fineness_of(const ask::mismatch_question& asked) {
  if (asked.landscape > 0) return asked.landscape;
  return asked.entropies == entropy_kind::smooth ? 61 : 21;
}

}  // namespace

void require_picture(const ask::mismatch_question& asked) {
  const bool is_slow = asked.how && asked.which == sgd_model::exact;
  if (is_slow && asked.landscape == 0) {
    throw std::domain_error(
        "mismatch: --plot by --law exact needs --landscape N: each of its N x N points may take a "
        "second");
  }
  if (asked.landscape == 1) {
    throw std::domain_error("mismatch: --plot needs a --landscape of 2 at least, got 1");
  }
  const mismatch::variational_bounds& in = asked.bounds;
  if (in.sigma_x_low == in.sigma_x_high || in.sigma_xi_low == in.sigma_xi_high) {
    throw std::domain_error("mismatch: --plot needs --bounds with some room in both directions");
  }
}

paper::plot_request picture_of(const ask::mismatch_answer& made, const stop_token& stop) {
  const auto above_best = [&](mismatch::nats production) {
    return plain((production - made.star().production.value).value());
  };
  const int side = fineness_of(made.asked);
  const bool is_there = made.asked.landscape == side;
  const std::vector<mismatch::landscape_point> heights =
      is_there ? made.landscape : ask::landscape_around(made.asked, side, stop);
  table rows({"sigma_x", "sigma_xi", "mmc"});
  for (const mismatch::landscape_point& one : heights) {
    rows.add({plain(one.sigma_x), plain(one.sigma_xi), above_best(one.production)});
  }
  table marks({"what", "sigma_x", "sigma_xi", "mmc"});
  marks.add({"here", plain(made.asked.model.sigma_x), plain(made.asked.model.sigma_xi),
             plain(made.mmc().value.value())});
  for (std::size_t i = 0; i < made.optima.size(); ++i) {
    const mismatch::variational_optimum& one = made.optima[i];
    marks.add({i < made.best_count ? "optimum" : "local minimum", plain(one.sigma_x),
               plain(one.sigma_xi), above_best(one.production.value)});
  }
  return {"mismatch",
          fmt::format("mismatch {} {}: {:.6g} k_B here", made.asked.kind,
                      made.asked.formats.data.x.name(), made.mmc().value.value()),
          rows.csv(),
          {{"marks", marks.csv()}}};
}

paper::plot_request picture_of(const ask::islands_answer& made, const stop_token& /*stop*/) {
  table rows({"part", "nats"});
  for (const auto& one : made.entries()) rows.add({one.name, plain(one.value.value())});
  return {"islands",
          fmt::format("mismatch islands {}: {} input states on {} islands",
                      made.asked.formats.data.x.name(), made.states, made.islands),
          rows.csv()};
}

}  // namespace ktln2::cli
