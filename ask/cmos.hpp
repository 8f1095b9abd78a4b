#pragma once

#include <string>
#include <vector>

#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/mismatch/cmos.hpp"

namespace ktln2::ask {

/// What erasing a bit of CMOS costs: a chain in time whose states are charges on a node.
struct cmos_question {
  mismatch::cmos_erasure erasure;
  kelvin temperature{300};
};

struct cmos_answer {
  cmos_question asked;
  std::size_t states = 0;
  mismatch::nats idle{0};  ///< what the bit gives off in a unit of time once it is erased
  struct row {
    double duration = 0;
    mismatch::cmos_path path;

    [[nodiscard]] bounded<mismatch::nats> landauer() const { return -path.system; }
  };
  std::vector<row> rows;  ///< a tenth of the duration, the duration, ten times it
  row best;               ///< of all durations, the one with the least heat for what is erased

  [[nodiscard]] const row& main() const { return rows[1]; }
  /// k_B T of each of these
  [[nodiscard]] double joules_of(mismatch::nats value) const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// Is the chain that is asked for this one?
bool asks_for_cmos(const words& asked);
cmos_question read_cmos(const words& asked);
cmos_answer solve(const cmos_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
