"""Random command lines for ktln2: every command, kind, option, law and key, with values that are
right, at the border, or hostile."""

import random

LAWS = {
    "normal": {"mu": "real", "sigma": "scale"},
    "student": {"dof": "scale", "loc": "real", "scale": "scale"},
    "uniform": {"low": "real", "high": "real"},
    "laplace": {"loc": "real", "scale": "scale"},
    "logistic": {"loc": "real", "scale": "scale"},
    "slope": {"n": "count", "w": "real", "sigma_x": "scale", "sigma_xi": "scale"},
    "sgd": {"steps": "steps", "batch": "count", "eta": "rate", "w0": "real", "w0_sigma": "scale",
            "w": "real",
            "sigma_x": "scale", "sigma_xi": "scale", "law": "sgd_law"},
    "pair": {"w": "real", "sigma_x": "scale", "sigma_xi": "scale", "mu_x": "real", "b": "real"},
    "row": {"d": "few", "w": "numbers", "sigma_x": "scale", "corr": "share", "ar": "share", "mu": "numbers",
            "b": "real", "sigma_xi": "scale"},
    "ols": {"n": "count", "d": "few", "w": "numbers", "sigma_x": "scale", "corr": "share", "mu": "real",
            "b": "real", "sigma_xi": "scale", "intercept": "share", "ridge": "scale"},
    "lognormal": {"mu": "real", "sigma": "scale"},
    "exponential": {"scale": "scale"},
    "gamma": {"shape": "scale", "scale": "scale"},
    "chi2": {"dof": "scale"},
    "halfnormal": {"sigma": "scale"},
    "triangular": {"low": "real", "mode": "real", "high": "real"},
}
# Made of other laws, or of a file.
COMPOSED = ("mixture", "relu", "truncated", "empirical")

MODEL = {"w": "real", "sigma-x": "scale", "sigma-xi": "scale"}
DESCENT = {"batch": "count", "eta": "rate", "w0": "real", "w0-sigma": "scale"}
FORMATS = {"y-format": "any_format", "model-format": "any_format"}
PRICING = {"entropy": "entropy_kind", "temperature": "scale", "kbt": "scale", "units": "energy_unit"}
CHIP = {"per-op": "energy"}
INTERNAL = {"internal": "internal", "reset": "real"}
AVERAGED = {"n": "count", "mu": "real", "sigma": "scale", "sum": None}
MARKET = {"energy-price": "price", "inference-price": "price", "price-rise": "price",
          "demand": "demand", "at": "count_list"}
ENVIRONMENT = {"alpha": "scale", "constant": "scale"}
SEARCH = {**ENVIRONMENT, "environment": "expression", "bounds": "bounds", "landscape": "few"}
RUN = {"trials": "trials", "seed": "count", "threads": "few", "arithmetic": "arithmetic",
       "bins": "few", "low": "real", "high": "real"}
BLOCKS = {"scale-policy": "scale_policy", "second-level-scale": "scale"}

# Command and kind, with the arguments that make it one: its arguments and its options, each with what it takes; None for a flag.
COMMANDS = {
    ("format", ""): (["any_format"], {"values": None, "index": "count_list"}),
    ("quantize", ""): (["any_format", "real", "real"], {"rounding": "rounding",
                                                        "overflow": "overflow", **BLOCKS}),
    ("compare", ""): (["law", "any_format", "any_format"], {"plot": "plot_file"}),
    ("law", ""): (["law"], {"at": "real_list", "coefficient": "coefficient", "covariance": "square_file"}),
    ("entropy", ""): (["any_format", "law"], {"tolerance": "scale", "y-format": "any_format", "bits": None,
                                          "order": "order", "coefficient": "coefficient",
                                          "covariance": "square_file",
                                          "certify": None, "terms": None,
                                          "rounding": "rounding", "overflow": "overflow",
                                          "temperature": "scale", "units": "energy_unit",
                                          **BLOCKS, "plot": "plot_file"}),
    ("cost", "exact"): (["any_format"], {"n": "count", "features": "few", "covariance": "square_file",
                                     "ridge": "scale", **MODEL, **FORMATS, **PRICING, **CHIP,
                                     **INTERNAL}),
    ("cost", "sgd"): (["any_format"], {"steps": "steps", "n": "count", "epochs": "few", **CHIP, **DESCENT, **MODEL, "law": "sgd_law",
                                   **FORMATS, **PRICING, **INTERNAL}),
    ("cost", "average"): (["any_format"], {**AVERAGED, "of": "law", "model-format": "any_format",
                                       **PRICING, **INTERNAL, "plot": "plot_file"}),
    ("cost", "inference"): (["any_format"], {"slope": "real", "sigma-x": "scale", "features": "few",
                                         "w": "real", "mu": "real", **PRICING, **INTERNAL}),
    ("scaling", "exact"): (["any_format"], {**MARKET, **MODEL, "optimize": "optimized", **FORMATS,
                                        **PRICING}),
    ("scaling", "ridge"): (["any_format"], {**MARKET, **MODEL, "features": "few", "snr": "scale",
                                        "baseline": "baseline", "count-inference": None,
                                        "intercept": None, "optimize": "optimized", **FORMATS,
                                        **PRICING}),
    ("scaling", "sgd"): (["any_format"], {**MARKET, **DESCENT, **MODEL, "law": "sgd_law",
                                      "features": "few", "snr": "scale", "baseline": "baseline",
                                      "optimize": "optimized", **FORMATS, **PRICING}),
    ("mismatch", "exact"): (["any_format"], {"n": "count", **MODEL, **SEARCH, **FORMATS, **PRICING}),
    ("mismatch", "sgd"): (["any_format"], {"steps": "steps", **DESCENT, **MODEL, "law": "sgd_law",
                                       **SEARCH, **FORMATS, **PRICING}),
    ("mismatch", "islands"): (["tiny_format"], {"algorithm": "algorithm", "n": "few",
                                                "steps": "few", "batch": "few", "eta": "rate",
                                                "w0": "real", **MODEL, **ENVIRONMENT,
                                                "bounds": "bounds"}),
    ("mismatch", "ctmc"): (["protocol"], {"duration": "scale", "bias": "real", "rate": "scale",
                                          "register": "tiny_format", "sigma": "scale",
                                          "loaded": "scale", "kbt": "scale"}),
    ("mismatch", "ctmc cmos"): ([], {"duration": "scale", "rate": "scale", "vdd": "few",
                                     "capacitance": "few", "slope-factor": "few",
                                     "input": "scale", "kbt": "scale"}),
    ("simulate", "slope"): (["any_format"], {"n": "few", **MODEL, **RUN}),
    ("simulate", "sgd"): (["any_format"], {"steps": "few", "features": "few", **DESCENT, "batch": "few", **MODEL,
                                       "law": "sgd_law", **RUN}),
    ("simulate", "ols"): (["any_format"], {"n": "few", "features": "few", "corr": "share", "mu": "real",
                                       "intercept": "real", "covariance": "square_file", **MODEL,
                                       **RUN}),
    ("simulate", "average"): (["any_format"], {**AVERAGED, "n": "few", **RUN}),
    ("paper", ""): ([], {"out": "path", "only": "figure", "set": "setting", "quick": None,
                         "seed": "count", "claims": "claims", "threads": "few"}),
    ("explain", ""): (["label"], {}),
    ("explain", "eq:loss"): (["label"], {}),
    ("tour", ""): ([], {}),
}
NEEDED = {"scaling": ("energy-price", "inference-price"), "paper": ("only", "quick", "out")}
NO_ROWS = ("sweep", "explain")
SWEPT = [key for key in COMMANDS if key[0] in
         ("law", "entropy", "cost", "scaling", "mismatch", "simulate")]

# What may take seconds: searches, pairs of registers and SGD's exact law.
LONG = [key for key in COMMANDS if key[0] in ("scaling", "mismatch")
        or key in (("cost", "exact"), ("cost", "sgd"), ("cost", "average"), ("cost", "inference"))]
LONG_LAWS = ("pair", "row", "ols", "sgd")

CHOICES = {
    "numbers": ["1", "1/-2/0.5", "0", "1/2", "1e308/1", "/", "1//2"],
    "share": ["0", "0.5", "-0.3", "1", "0.99", "nan"],
    "order": ["x1,x2,y", "y,x1", "x1,x1,y", "y", ",", "x9"],
    "coefficient": ["1", "2", "b", "w1", "0", "-1", "x"],
    "square_file": ["nothing.txt", "/dev/null", "/dev"],
    "baseline": ["zero", "null"],
    "rounding": ["nearest", "toward-zero", "nearest-even", "up", "down", "to-odd"],
    "overflow": ["saturate", "infinity", "nan"],
    "scale_policy": ["floor", "ceil", "rceil", "even", "nearest"],
    "sgd_law": ["ou", "stationary", "moments", "moments", "exact"],
    "entropy_kind": ["exact", "smooth"],
    "energy_unit": ["J", "zJ", "eV", "kT", "kt", "ZJ", "cal"],
    "energy": ["0.4pJ", "0.4pj", "1MJ", "4e-13", "1kT", "2.5eV", "0J", "-1pJ", "pJ", "1e400J"],
    "demand": ["inverse", "power:a=2", "threshold:at=1.1,a=20,most=1", "power", "threshold"],
    "expression": ["constant + alpha*sigma_x^2", "500", "w*sigma_x + sin(sigma_xi)",
                   "ln(sigma_x)", "alpha*(sigma_x^2+sigma_xi^2)+constant"],
    "internal": ["3", "exponent", "sign*2 - exponent/7", "0.1*ones", "x", "ln(abs(x))", "1/x",
                 "index/width + mantissa", "exp(x)", "file:nowhere.txt"],
    "bounds": ["0.75,5,0.5,5", "1,2,1,2", "1,1,1,1"],
    "arithmetic": ["ideal", "format"],
    "algorithm": ["exact", "sgd"],
    "protocol": ["erase", "reset"],
    "optimized": ["p"],
    "plot_file": ["bars.svg", "bars.jpg", "nowhere/bars.png"],
    "path": ["out", "-dash", "a/b"],
    "figure": ["fig:C0_vs_p", "fig:eps0_vs_p"],
    "setting": ["fig:C0_vs_p.E=4", "fig:eps0_vs_p.E=3,4"],
    "claims": ["empty.toml", "nothing.toml"],
    "label": ["all", "eq:single_mean_0", "thm:steps", "fig:profit_ex", "sec:prelim", "tab:approx_audit"],
}
BORDER = {
    "real": ["0", "-0", "1e-300", "1e300", "-1e308", "5e-324", "1e-5", "16777217", "0.1"],
    "scale": ["1e-300", "1e300", "5e-324", "1.7976931348623157e308", "1e-9", "1e9", "0"],
    "rate": ["0", "1", "2", "1e-9", "1e9", "-0.1"],
    "count": ["0", "1", "2", "1e6", "1e15", "9007199254740993", "1e18", "18446744073709551615"],
    "few": ["0", "1", "2"],
    "steps": ["0", "1", "1e9"],
    "trials": ["0", "1", "2"],
    "price": ["0", "1e-300", "1e300", "-1"],
    "format": ["p1e0", "p64e15", "p1e1", "p2e1", "p64e0", "p53e11", "p1e15"],
    "tiny_format": ["p1e0", "p1e1", "p3e2"],
}
OWNED = ["binary16", "binary32", "binary64", "bfloat16", "tf32", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1",
         "e8m0", "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz", "e4m3ieee", "e3m4", "posit8", "posit16", "posit32",
         "int8", "int16", "int32", "mxint8", "mxint8s", "q3.4", "q0.15", "q31.0", "half", "BF16",
         "mxfp8e4m3", "mxfp8e5m2", "mxfp6e3m2", "mxfp6e2m3", "mxfp4", "block:mxint8", "block:mxint8s", "nvfp4"]
HOSTILE = ["", " ", "nan", "inf", "-inf", "1e999", "1e-999", "0x10", "1,5", "1 ", "--", "-", "-x",
           "--json", "--help=1", "%s%n", "\x1b[31m", "1\n2", "１", "½", b"\xff", b"p\xc3", b"1\xe2\x82",
           "a" * 5000, "(" * 5000, "9" * 500, "normal:", "normal:mu", "normal:mu=1,mu=2", ":", "=",
           "p24", "p0e8", "p65e8", "1e", "../../..", "mu=1", "1:2:3", "-1e400", "null", "{}", "[1]",
           "mixture:", "mixture:1@", "mixture:1@normal/", "mixture:-1@normal/2@normal",
           "mixture:nan@normal", "mixture:0@normal", "relu:", "relu:relu:normal", "relu:pair",
           "truncated:low=1,high=0@normal", "truncated:normal", "truncated:low=1e300@normal",
           "empirical:", "empirical:.", "empirical:/dev/null", "empirical:nowhere",
           "$(id)", "a=b", "sigma_x=1", "1;2", "'", '"']


class writer:
    """Writes the words of one command line. The mode says what kind of values it takes."""

    def __init__(self, seed, is_quick=False):
        """A quick one leaves out what may take seconds."""
        self.random = random.Random(seed)
        self.left_out = LONG if is_quick else []
        self.laws = [name for name in LAWS if not (is_quick and name in LONG_LAWS)]
        self.mode = self.random.choices(["right", "border", "hostile"], [50, 30, 20])[0]

    def one_of(self, values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def value(self, kind):
        if self.mode == "hostile" and self.chance(0.25):
            return self.one_of(HOSTILE)
        if self.mode != "right" and kind in BORDER and self.chance(0.4):
            return self.one_of(BORDER[kind])
        if kind in CHOICES:
            return self.one_of(CHOICES[kind])
        return getattr(self, kind)()

    def real(self):
        return f"{self.random.gauss(0, 2):.{self.random.randint(1, 17)}g}"

    def scale(self):
        return f"{10 ** self.random.uniform(-2, 2):.{self.random.randint(1, 17)}g}"

    def rate(self):
        return f"{10 ** self.random.uniform(-3, -0.3):.3g}"

    def price(self):
        return f"{10 ** self.random.uniform(-1, 18):.3g}"

    def count(self):
        return str(int(10 ** self.random.uniform(0.5, 4)))

    def few(self):
        return str(self.random.randint(1, 6))

    def steps(self):
        return str(self.random.randint(1, 200))

    def trials(self):
        return str(self.random.randint(10, 2000))

    def real_list(self):
        return [self.value("real") for _ in range(self.random.randint(1, 3))]

    def count_list(self):
        return [self.value("count") for _ in range(self.random.randint(1, 3))]

    def format(self):
        return f"p{self.random.randint(1, 53)}e{self.random.randint(0, 11)}"

    def any_format(self):
        """The paper's, or one that people own."""
        if self.chance(0.5):
            return self.value("format")
        if self.chance(0.3):
            bits = self.random.randint(2, 17)
            return f"binary{bits}p{self.random.randint(0, bits)}{self.one_of('su')}{self.one_of('ef')}"
        if self.chance(0.2):
            return (f"float:p={self.random.randint(1, 30)},exponent_bits={self.random.randint(1, 12)},"
                    f"bias={self.random.randint(-3, 200)},nan={self.one_of(['ieee', 'top', 'none'])},"
                    f"infinity={self.one_of(['yes', 'no'])}")
        return self.one_of(OWNED)

    def tiny_format(self):
        return f"p{self.random.randint(1, 2)}e{self.random.randint(1, 2)}"

    def law(self):
        name = self.one_of([*self.laws, *COMPOSED])
        return getattr(self, name)() if name in COMPOSED else self.plain_law(name)

    def inner_law(self):
        return self.plain_law(self.one_of([name for name in self.laws if name not in ("pair", "row", "ols")]))

    def mixture(self):
        parts = []
        for _ in range(self.random.randint(1, 3)):
            weight = self.value("scale")
            parts.append((weight if isinstance(weight, bytes) else weight.encode()) + b"@" +
                         self.inner_law())
        return b"mixture:" + b"/".join(parts)

    def relu(self):
        return b"relu:" + self.inner_law()

    def truncated(self):
        low, high = self.value("real"), self.value("real")
        ends = b"low=%s,high=%s" % tuple(word if isinstance(word, bytes) else word.encode()
                                         for word in (low, high))
        return b"truncated:" + ends + b"@" + self.inner_law()

    def empirical(self):
        return self.one_of([b"empirical:nothing.txt", b"empirical:/dev/null"])

    def plain_law(self, name):
        keys = [key for key in LAWS[name] if self.chance(0.6)]
        if self.mode == "hostile" and self.chance(0.2):
            keys.append(self.one_of(["mu", "nonsense", keys[0] if keys else "x"]))
        settings = []
        for key in keys:
            word = self.value(LAWS[name].get(key, "real"))
            settings.append(key.encode() + b"=" + (word if isinstance(word, bytes) else word.encode()))
        blank = self.one_of([b"", b"", b"", b" "])
        return name.encode() + (b":" + blank + (b"," + blank).join(settings) if settings else b"")

    def axis(self, options, arguments):
        keys = [name for name, kind in options.items() if kind in ("real", "scale", "count", "few")]
        keys += ["p", "E"] if {"format", "any_format"} & set(arguments) else []
        keys += ["mu", "sigma", "w", "n"] if "law" in arguments else []
        low, high = sorted((self.value("few"), self.value("few")), key=str)
        shape = self.one_of(["{0}:{1}:3", "{0}:{1}:2:log", "{0},{1}", "{0}:{1}"])
        text = self.one_of(keys or ["x"]) + "=" + (shape.format(low, high)
                                                   if isinstance(low, str) and isinstance(high, str)
                                                   else "1,2")
        if self.mode == "border" and self.chance(0.3):
            text = self.one_of(["mu=-1e308:1e308:3", "sigma=1e-300:1e300:3:log", "sigma=1:2:1",
                                "n=1:3", "p=1:3", "sigma=5e-324:1:2:log", "p=64,65"])
        return self.one_of(HOSTILE) if self.mode == "hostile" and self.chance(0.2) else text

    def options(self, command, declared):
        words = []
        needed = NEEDED.get(command, ())
        for name, kind in declared.items():
            if name not in needed and not self.chance(0.3):
                continue
            words.append(f"--{name}")
            if kind is None:
                continue
            found = self.value(kind)
            words += found if isinstance(found, list) else [found]
        return words

    def question(self, command, kind):
        arguments, declared = COMMANDS[command, kind]
        if self.mode == "hostile" and self.chance(0.2):  # the options of another kind
            declared = self.one_of(list(COMMANDS.values()))[1]
        words = kind.split()
        words += [self.value(what) for what in arguments]
        return words + self.options(command, declared)

    def sweep(self):
        command, kind = self.one_of([key for key in SWEPT if key not in self.left_out])
        arguments, declared = COMMANDS[command, kind]
        # Rows take long enough without long ones.
        words = [command, *self.question(command, kind), "--over", self.axis(declared, arguments)]
        if self.chance(0.2):
            words += ["--over", self.axis(declared, arguments)]
        if self.chance(0.2):
            words += ["--columns", self.one_of(["all", "value,error", "warnings", "fields.exponent",
                                                "nonsense", ""])]
        if self.chance(0.15):
            words += ["--out", self.one_of(["rows.csv", "rows.npz", "-dash.csv", "rows.txt",
                                            "nowhere/rows.csv", b"\xff.csv"])]
        if self.chance(0.3):
            words += ["--threads", self.value("few")]
        return words

    def mutated(self, words):
        """One word lost, doubled, moved or put in."""
        at = self.random.randrange(len(words))
        how = self.random.randrange(4)
        if how == 0:
            return words[:at] + words[at + 1:]
        if how == 1:
            return words[:at] + [words[at]] + words[at:]
        if how == 2:
            rest = words[:at] + words[at + 1:]
            return [*rest, words[at]]
        return words[:at] + [self.one_of(HOSTILE)] + words[at:]

    def line(self):
        kinds = [key for key in COMMANDS if key not in self.left_out]
        command, kind = self.one_of([*kinds, *[("sweep", "")] * 3])
        if command == "paper" and self.chance(0.7):
            command, kind = "entropy", ""  # the longest of them need not come as often
        words = self.sweep() if command == "sweep" else self.question(command, kind)
        style = self.one_of(["", "", "--json", "--json", "--csv"])
        if style and not (style == "--csv" and command in NO_ROWS):
            words.append(style)
        words.insert(0, command)
        if self.chance(0.01):
            words.append("--help")
        if self.mode == "hostile" and self.chance(0.3):
            words = self.mutated(words)
        if command == "paper" and not {"--only", "--quick"} & set(words):
            words.append("--quick")  # all of it takes more than a minute, as it should
        encoded = [word if isinstance(word, bytes) else word.encode() for word in words]
        return [word.replace(b"\0", b"") for word in encoded]
