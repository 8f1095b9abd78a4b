#!/usr/bin/env python3
"""Computes tests/reference/joint.json and joint_more.json: joint entropies of two registers.

    tools/joint_reference.py build/release/tests/ktln2-oracle [--check]

tests/oracle sums over all pairs of cells in __float128 and takes the decimals of the tables with 34
digits. It shares no code with the library. The values of joint.json were first found by another
program.
In joint_more.json a parameter is the exact decimal expansion of a double.
"""
import subprocess

from mpmath import mpf

from reference import arguments, run

parser = arguments(__doc__)
parser.add_argument("oracle", help="the program that tests/oracle builds")
parser.add_argument("--table", default="joint.json joint_more.json", help="one of the two")
options = parser.parse_args()


def compute(_, params):
    formats = [params["p"], params["E"]] * 2 if "p" in params else [
        params[key] for key in ("px", "Ex", "py", "Ey")]
    numbers = [str(n) for n in formats] + [params[key] for key in ("w", "sigx", "sigxi")]
    done = subprocess.run([options.oracle, "pair", *numbers], capture_output=True, text=True,
                          check=True)
    value, error, *_ = done.stdout.split()
    return mpf(value), mpf(error)


run(options.table, compute, __doc__, options)
