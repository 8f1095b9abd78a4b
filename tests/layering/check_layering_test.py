#!/usr/bin/python3
"""check_layering.py sees what it should, and nothing else."""

import tempfile
import unittest
from pathlib import Path

from check_layering import violations


class CheckLayering(unittest.TestCase):
    def found(self, tree):
        """The complaints about a tree given as {path: content}."""
        with tempfile.TemporaryDirectory() as folder:
            for path, content in tree.items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content)
            return list(violations(Path(folder)))

    def test_the_derivation_is_allowed(self):
        tree = {
            "include/ktln2/core/units.hpp": "#pragma once\n#include <cmath>\n",
            "include/ktln2/format/cell.hpp": '#include "ktln2/core/units.hpp"\n',
            "src/entropy/exact.cpp": "#include <ktln2/format/cell.hpp>\n"
            "#include <ktln2/distribution/normal.hpp>\n"
            "#include <ktln2/core/version.hpp>\n",
            "src/simulation/draw.cpp": '#include "ktln2/distribution/normal.hpp"\n',
            "src/certificate/proof.cpp": '#include "ktln2/format/cell.hpp"\n',
            "cli/main.cpp": '#include "output.hpp"\n#include "ktln2/mismatch/var.hpp"\n',
            "cli/output.hpp": "",
            "cli/explain.cpp": '#include "paper/explain.hpp"\n',
            "paper/explain.hpp": '#include "ktln2/cost/device.hpp"\n',
        }
        self.assertEqual([], self.found(tree))

    def assert_one(self, found, start):
        self.assertEqual(1, len(found), found)
        self.assertTrue(found[0].startswith(start), found)

    def test_upward(self):
        tree = {"include/ktln2/core/a.hpp": "\n#include <ktln2/entropy/b.hpp>\n"}
        start = "include/ktln2/core/a.hpp:2: core must not include entropy"
        self.assert_one(self.found(tree), start)

    def test_siblings(self):
        for a, b in [("format", "distribution"), ("distribution", "format"),
                     ("scaling", "mismatch"), ("simulation", "entropy"),
                     ("certificate", "entropy"), ("entropy", "certificate")]:
            tree = {f"src/{a}/x.cpp": f'#  include "ktln2/{b}/y.hpp"\n'}
            self.assert_one(self.found(tree), f"src/{a}/x.cpp:1: {a} must not include {b}")

    def test_leaves(self):
        tree = {"paper/fig.cpp": '#include "../cli/output.hpp"\n', "cli/output.hpp": ""}
        self.assert_one(self.found(tree), "paper/fig.cpp:1: paper must not include cli")
        tree = {"paper/fig.cpp": '#include "cli/output.hpp"\n', "cli/output.hpp": ""}
        self.assert_one(self.found(tree), "paper/fig.cpp:1: paper must not include cli")
        tree = {"web/page.cpp": '#include "paper/fig.hpp"\n', "paper/fig.hpp": ""}
        self.assert_one(self.found(tree), "web/page.cpp:1: web must not include paper")
        tree = {"src/core/a.cpp": '#include "cli/output.hpp"\n', "cli/output.hpp": ""}
        self.assert_one(self.found(tree), "src/core/a.cpp:1: core must not include cli")

    def test_private_headers(self):
        tree = {"src/format/a.cpp": '#include "../entropy/b.hpp"\n', "src/entropy/b.hpp": ""}
        self.assert_one(self.found(tree), "src/format/a.cpp:1: format must not include entropy")

    def test_unknown_modules(self):
        tree = {"src/core/a.cpp": "#include <ktln2/utils/b.hpp>\n"}
        self.assert_one(self.found(tree), "src/core/a.cpp:1: core includes 'utils'")
        tree = {"src/utils/a.cpp": "#include <ktln2/core/b.hpp>\n"}
        self.assert_one(self.found(tree), "src/utils/a.cpp:1: 'utils' is no module")
        tree = {"src/core/a.cpp": "#include <ktln2/all.hpp>\n"}
        self.assert_one(self.found(tree), "src/core/a.cpp:1: core includes include/ktln2/all.hpp")


if __name__ == "__main__":
    unittest.main()
