#pragma once

#include "cli/team.hpp"

namespace ktln2::cli {

/// The processes of an MPI job, one thread of work in each. Process 0 hands out blocks as they are
/// wanted, works on some itself, and takes all of them in order.
class mpi_team : public team {
 public:
  /// MPI must be initialized, with MPI_THREAD_FUNNELED or more.
  mpi_team();

  [[nodiscard]] bool writes() const override { return rank_ == 0; }
  [[nodiscard]] bool has_threads() const override { return false; }
  void run(const row_range& rows, const row_maker& make, const row_taker& take,
           const stop_token& stop) override;
  /// To be called by every process at its end, whatever has become of it: process 0 sends the
  /// others home, and they wait for that.
  void leave();

 private:
  void serve(const row_maker& make);
  void send_home();

  int rank_ = 0;
  int size_ = 1;
  bool is_over_ = false;  ///< home was sent, or heard
};

}  // namespace ktln2::cli
