#!/usr/bin/env python3
"""check_reference.py finds what is wrong with a table."""
import json
import os
import tempfile
import unittest

from check_reference import faults_in

ENTRY = {"id": "a", "quantity": "H", "params": {}, "value": "1", "method": "by hand"}
TABLE = {"generator": "tools/some_reference.py", "working_digits": 45, "entries": [ENTRY]}


class Check(unittest.TestCase):
    def faults(self, table, program="some.json", readme="| `some.json` |"):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "tools"))
            folder = os.path.join(root, "tables")
            os.mkdir(folder)
            for path, text in (("tools/some_reference.py", program), ("tables/README.md", readme),
                               ("tables/some.json", json.dumps(table))):
                with open(os.path.join(root, path), "w", encoding="utf-8") as stream:
                    stream.write(text)
            return faults_in(folder, root)

    def test_a_good_table(self):
        self.assertEqual(self.faults(TABLE), [])

    def test_a_bare_list(self):
        self.assertIn("expected an object", self.faults([ENTRY])[0])

    def test_a_generator_that_is_not_there(self):
        for other in ("tools/other.py", "tables/README.md"):
            self.assertIn("no file in tools/", self.faults(TABLE | {"generator": other})[0])
        without = {key: value for key, value in TABLE.items() if key != "generator"}
        self.assertIn("no file in tools/", self.faults(without)[0])

    def test_a_generator_of_something_else(self):
        self.assertIn("does not speak of it", self.faults(TABLE, program="print()")[0])

    def test_entries(self):
        self.assertIn("occurs twice", self.faults(TABLE | {"entries": [ENTRY, ENTRY]})[0])
        self.assertIn("has no value", self.faults(TABLE | {"entries": [ENTRY | {"value": ""}]})[0])

    def test_the_readme(self):
        self.assertIn("README.md does not list it", self.faults(TABLE, readme="")[0])


if __name__ == "__main__":
    unittest.main()
