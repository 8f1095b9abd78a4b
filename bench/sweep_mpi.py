#!/usr/bin/python3
"""The same sweep by two threads of ktln2 and by two processes of ktln2-mpi: how much longer MPI takes.

Start-up (mpirun needs some time to begin) is measured by a sweep of one row and taken off.
Usage: sweep_mpi.py BUILD_DIR [ROWS]
"""

import os
import subprocess
import sys
import time

build = sys.argv[1]
rows = int(float(sys.argv[2])) if len(sys.argv) > 2 else 200_000
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1")
threads = [f"{build}/ktln2"]
processes = ["mpirun", "-n", "2", f"{build}/ktln2-mpi"]


def seconds(program, count, more):
    command = [*program, "sweep", "entropy", "p24e8", "normal", "--over",
               f"sigma=1e-9:1e6:{count}:log", *more]
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.monotonic() - begin


def net(program, more=()):
    return min(seconds(program, rows, more) for _ in range(3)) - seconds(program, 1, more)


by_threads = net(threads, ["--threads", "2"])
by_processes = net(processes)
print(f"two threads {by_threads:.2f} s, two processes {by_processes:.2f} s: "
      f"{100 * (by_processes / by_threads - 1):+.1f} %")
