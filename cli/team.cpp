#include "team.hpp"

#include <memory>

#include "ktln2/core/parallel.hpp"

namespace ktln2::cli {

void thread_team::run(const row_range& rows, const row_maker& make, const row_taker& take,
                      const stop_token& stop) {
  parallel_in_order(
      rows.blocks(), rows.threads,
      [&](std::size_t i) -> std::function<void()> {
        // Shared, because a function object has to be copyable.
        auto bytes = std::make_shared<const std::string>(make(rows.begin_of(i), rows.end_of(i)));
        return [&take, bytes] { take(*bytes); };
      },
      stop);
}

}  // namespace ktln2::cli
