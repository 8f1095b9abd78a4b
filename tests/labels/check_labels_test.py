#!/usr/bin/python3
"""check_labels.py sees what it should, and nothing else."""

import tempfile
import unittest
from pathlib import Path

from check_labels import complaints, known_labels, unknown_citations

LABELS = {"thm:steps", "eq:single_mean_0", "lem:Ac-bound"}


class CheckLabels(unittest.TestCase):
    def unknown(self, text):
        return list(unknown_citations(text, LABELS))

    def test_known_labels_pass(self):
        for text in [
            "///  H = p + 2  [eq:single_mean_0] [thm:steps]",
            "see `thm:steps`, [lem:Ac-bound, thm:steps] and thm:steps: it smooths",
            "TEST(entropy, thm_steps_moves_the_entropy_by_at_most_half_a_bit)",
            "TEST(lem_Ac_bound, holds)",
            "TEST(entropy, is_positive)",
        ]:
            self.assertEqual([], self.unknown(text), text)

    def test_what_is_no_citation_passes(self):
        for text in ["app::run()", "std::map:x", "http://tab:8080", "eq: a = b", "map:steps=1"]:
            self.assertEqual([], self.unknown(text), text)

    def test_unknown_labels_fail(self):
        self.assertEqual([(2, "eq:nowhere")], self.unknown("\n/// [eq:nowhere]"))
        self.assertEqual([(1, "thm:step")], self.unknown("`thm:step`"))
        self.assertEqual([(1, "lem:Ac")], self.unknown("[thm:steps, lem:Ac]"))
        self.assertEqual([(1, "fig:none")], self.unknown('test("fig:none: is a sentence")'))
        self.assertEqual([(1, "thm_stepsize")], self.unknown("TEST(a, thm_stepsize)"))
        self.assertEqual([(2, "eq_none_x")], self.unknown("\nRC_GTEST_PROP(a,\n eq_none_x, ())"))

    def test_a_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            (root / "docs/a.md").write_text("one\ntwo [thm:stepz]\n")
            (root / "README.md").write_text("[thm:steps]\n")
            sentence = "docs/a.md:2: the paper has no label thm:stepz. Did you mean thm:steps?"
            self.assertEqual([sentence], list(complaints(root, LABELS)))

    def test_the_list_of_the_paper(self):
        self.assertEqual(230, len(known_labels()))
        self.assertLessEqual({"eq:Landauer", "thm:steps", "tab:approx_audit"}, known_labels())


if __name__ == "__main__":
    unittest.main()
