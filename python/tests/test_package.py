"""The package as a whole: types, stubs, doctests, a clean interpreter, pip."""

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import pytest

import ktln2

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(ktln2.__file__).parent
MODULES = sorted(one.name for one in pkgutil.iter_modules([str(PACKAGE)]))


def python(*arguments, executable=sys.executable, **environment):
    """Runs another interpreter, with nothing of this one's environment, and fails if it does."""
    clean = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": os.environ.get("HOME", "/"),
             **environment}
    with tempfile.TemporaryDirectory(prefix="ktln2-") as folder:  # mypy leaves things behind
        done = subprocess.run([str(executable), *map(str, arguments)], env=clean, cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=900)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("name", ["ktln2", *(f"ktln2.{one}" for one in MODULES if one != "_core")])
def test_the_examples_in_the_docstrings_are_so(name):
    found = doctest.testmod(importlib.import_module(name),
                            optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


def test_a_clean_interpreter_imports_it_without_the_rest_of_the_world():
    heavy = "scipy", "matplotlib", "pandas", "mpi4py", "dask"
    code = (f"import sys, ktln2; print([one for one in {heavy!r} if one in sys.modules]); "
            "print(ktln2.entropy('p2e2', ktln2.normal()))")
    out = python("-c", code, PYTHONPATH=str(PACKAGE.parent)).splitlines()
    assert out[0] == "[]" and out[1].startswith("3.08749693")


def test_all_that_is_public_is_there_and_has_words():
    for name in ktln2.__all__:
        assert getattr(ktln2, name).__doc__, name


@pytest.mark.long
def test_the_types_are_consistent():
    python("-m", "mypy", "--strict", "--cache-dir=/dev/null", PACKAGE)


@pytest.mark.long
def test_the_stub_of_the_extension_is_what_it_has():
    python("-m", "mypy.stubtest", "ktln2._core", "--allowlist",
           ROOT / "python/tests/stubtest_allowlist.txt", PYTHONPATH=str(PACKAGE.parent),
           MYPYPATH=str(PACKAGE.parent))


@pytest.mark.long
def test_pip_installs_it_without_a_network(tmp_path):
    venv.create(tmp_path / "venv", system_site_packages=True, with_pip=True)
    own = tmp_path / "venv/bin/python"
    python("-m", "pip", "install", "--no-index", "--quiet", ROOT, executable=own,
           PIP_DISABLE_PIP_VERSION_CHECK="1")
    out = python("-c", "import ktln2; print(ktln2.__file__); "
                 "print(ktln2.entropy('p2e2', ktln2.normal()))", executable=own).splitlines()
    assert out[0].startswith(str(tmp_path)) and out[1].startswith("3.08749693")
    assert "ktln2" in python("-m", "pip", "list", executable=own)
