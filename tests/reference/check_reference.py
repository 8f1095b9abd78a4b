#!/usr/bin/env python3
"""Every table here names the program in tools/ that computes it, and the README lists it.

usage: check_reference.py [FOLDER [ROOT]]
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = ("id", "quantity", "params", "value", "method")


def faults_of_head(name, table, root):
    if not isinstance(table, dict) or not table.get("entries"):
        return [f"{name}: expected an object with generator, working_digits and entries"]
    generator = str(table.get("generator"))
    path = os.path.join(root, generator)
    if not generator.startswith("tools/") or not os.path.isfile(path):
        return [f"{name}: its generator {generator} is no file in tools/"]
    faults = []
    with open(path, encoding="utf-8") as stream:
        if name not in stream.read():
            faults.append(f"{name}: {generator} does not speak of it")
    if not isinstance(table.get("working_digits"), int):
        faults.append(f"{name}: no working_digits")
    return faults


def faults_of_entries(name, entries):
    faults, seen = [], set()
    for entry in entries:
        key = entry.get("id")
        missing = [field for field in FIELDS if not entry.get(field) and field != "params"]
        if "params" not in entry:
            missing.append("params")
        if missing:
            faults.append(f"{name}: {key} has no {', '.join(missing)}")
        if key in seen:
            faults.append(f"{name}: {key} occurs twice")
        seen.add(key)
    return faults


def faults_in(folder, root):
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as stream:
        readme = stream.read()
    faults = []
    names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            table = json.load(stream)
        found = faults_of_head(name, table, root)
        faults += found or faults_of_entries(name, table["entries"])
        if f"`{name}`" not in readme:
            faults.append(f"{name}: README.md does not list it")
    return faults if names else [f"no tables in {folder}"]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    root = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "..", "..")
    faults = faults_in(folder, root)
    print("\n".join(faults) or "every table has its generator")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
