"""The least cost, in bits and in joules, of computing on floating-point registers.

>>> import ktln2
>>> h = ktln2.entropy("p24e8", ktln2.normal(mu=0, sigma=1))
>>> h
Bits(26.4637339907... ± ...e-13)
>>> h.joules(T=300)
Joules(7.5976821507...e-20 ± ...e-34)
"""

from . import cost, mismatch, plot, scaling, simulate
from ._ask import Answer, Bill, Fit, Optimum, Report, ask
from ._bits import Bits, Joules
from ._core import version as __version__
from ._custom import custom
from ._data import fit, measure
from ._entropy import (Approximation, BitWorth, FieldBits, JointBits, Pair, approximations, by_bit,
                       by_field, compare, entropy, joint, pair)
from ._format import Format, codes, common_formats, decode, quantize
from ._law import Law
from ._laws import (chi2, empirical, exponential, gamma, halfnormal, laplace, logistic,
                    lognormal, mixture, normal, relu, sgd, slope, student, triangular, truncated,
                    uniform)
from ._many import Vector, ols, row
from ._sweep import sweep

__all__ = [
    "Answer", "Approximation", "Bill", "BitWorth", "Bits", "FieldBits", "Fit", "Format",
    "JointBits", "Joules", "Law", "Optimum", "Pair", "Report", "Vector", "__version__", "approximations",
    "ask", "by_bit", "by_field", "chi2", "codes", "common_formats", "compare", "cost", "custom",
    "decode", "empirical", "entropy", "exponential", "fit", "gamma", "halfnormal", "joint",
    "laplace", "logistic", "lognormal", "measure", "mismatch", "mixture", "normal", "ols", "pair",
    "plot", "quantize", "relu", "row", "scaling", "sgd", "simulate", "slope", "student", "sweep", "triangular",
    "truncated", "uniform",
]
