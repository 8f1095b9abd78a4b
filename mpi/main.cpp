// ktln2 on many machines: `mpirun ktln2-mpi sweep …` and `mpirun ktln2-mpi simulate …`.
#include <mpi.h>

#include <cstdio>

#include "cli/program.hpp"
#include "mpi_team.hpp"

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED) {
    std::fputs("ktln2: this MPI knows no threads\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  ktln2::cli::mpi_team team;
  const int status = ktln2::cli::run_program({argv + 1, argv + argc}, team);
  team.leave();
  MPI_Finalize();
  return status;
}
