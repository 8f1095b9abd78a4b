#!/usr/bin/python3
"""check_docs.py sees what it should, and nothing else."""

import tempfile
import unittest
from pathlib import Path

from check_docs import check_page, matches

PROGRAM = """#!/bin/sh
case $1 in
  paper | tour) echo welcome ;;
  bits) echo 26.46; echo more; echo end ;;
  bad) echo 'ktln2: bad' >&2; exit 2 ;;
  crash) kill -9 $$ ;;
esac
"""


class CheckDocs(unittest.TestCase):
    def wrong(self, page):
        """The (line number, complaint) pairs of a page, with PROGRAM as the program."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            program.write_text(PROGRAM)
            program.chmod(0o755)
            Path(folder, "page.md").write_text(page)
            compiler = ["g++", "-std=c++20"]
            outcomes = check_page(Path(folder, "page.md"), Path(folder), program, compiler)
            return [(number, wrong) for number, _, wrong in outcomes if wrong]

    def sh(self, *lines):
        return self.wrong("\n".join(["```sh", *lines, "```", ""]))

    def test_what_is_true_passes(self):
        self.assertEqual([], self.sh("$ ktln2 bits", "26.46", "more", "end"))
        self.assertEqual([], self.sh("$ ktln2 bits", "2...6", "...", "$ ktln2 bits | wc -l", "3"))
        self.assertEqual([], self.sh("$ ./run", "welcome", "", "$ ./run bits", "...", "end"))
        self.assertEqual([], self.sh("$ ktln2 \\", "    tour", "welcome"))
        self.assertEqual([], self.sh("$ ktln2 tour > file", "$ cat file", "welcome"))
        self.assertEqual([], self.sh("$ ktln2 bad", "ktln2: bad"))
        self.assertEqual([], self.wrong("```cpp\nint f();\n```\n```console\n$ false\n```\n"))
        self.assertEqual([], self.wrong("```cpp\nint main() { return 0; }\n```\n"))

    def test_what_is_false_fails(self):
        self.assertEqual(2, self.sh("$ ktln2 bits", "26.47", "more", "end")[0][0])
        self.assertEqual(3, self.sh("$ ktln2 tour", "$ ktln2 bits", "26.46")[0][0])
        self.assertIn("exits with 2", self.sh("$ ktln2 bad")[0][1])
        self.assertIn("exits with", self.sh("$ ktln2 crash", "...")[0][1])
        self.assertIn("shows no command", self.sh("ktln2 tour")[0][1])
        self.assertIn("does not compile", self.wrong("```cpp\nint main() { no; }\n```\n")[0][1])
        self.assertIn("exits with 3", self.wrong("```cpp\nint main() { return 3; }\n```\n")[0][1])

    def test_dots(self):
        self.assertTrue(matches(["a", "...", "b"], ["a", "b"]))
        self.assertTrue(matches(["a ... c"], ["a b c"]))
        self.assertFalse(matches(["a ... c"], ["a b", "c"]))
        self.assertFalse(matches(["a.b"], ["axb"]))


if __name__ == "__main__":
    unittest.main()
