"""What the pages show is so: examples are run, scripts too, pictures are drawn again."""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ktln2

ROOT = Path(__file__).resolve().parents[2]
PATH = str(Path(ktln2.__file__).parents[1])
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page):
    """The Python blocks of a page."""
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_examples_of_a_page_are_so(page):
    shown = "\n".join(one for one in blocks(page) if ">>>" in one)
    examples = doctest.DocTestParser().get_doctest(shown, {}, page, page, 0)
    assert examples.examples
    assert doctest.DocTestRunner(optionflags=FLAGS).run(examples).failed == 0


def script(word, tmp_path):
    """The block of docs/scale.md that has a word in it, as a file."""
    found, = [one for one in blocks("docs/scale.md") if word in one]
    file = tmp_path / "script.py"
    file.write_text(found)
    return str(file)


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=300, env={**os.environ, "PYTHONPATH": PATH})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")
def test_ranks_share_a_sweep(tmp_path):
    alone = ktln2.sweep("entropy p24e8 pair", w=[0.5, 1, 2], sigma_xi="1e-3:1:20:log")
    out = run("mpirun", "-n", "2", "--allow-run-as-root", "--oversubscribe", sys.executable,
              script("mpi4py", tmp_path), cwd=tmp_path)
    assert out == f"{alone.shape} {alone['value'].min()}\n"


@pytest.mark.long
def test_dask_maps_entropies_over_blocks(tmp_path):
    out = run(sys.executable, script("dask", tmp_path), cwd=tmp_path)
    assert re.fullmatch(r"\(20000,\) 26\.46\d+\n", out)


class OneRank:
    """As mpi4py has it."""

    def __init__(self, size):
        self.size, self.sent = size, []

    def Get_size(self):
        return self.size

    def Get_rank(self):
        return len(self.sent)

    def allgather(self, mine):
        self.sent.append(mine)
        if len(self.sent) < self.size:
            raise StopIteration
        return self.sent


@pytest.mark.parametrize("size", [1, 3, 7])
def test_rows_are_the_same_however_many_ranks_there_are(size):
    def asked(comm):
        return ktln2.sweep("entropy p4e4 normal", sigma="0.1:10:5:log", comm=comm)

    comm = OneRank(size)
    for _ in range(size - 1):
        with pytest.raises(StopIteration):
            asked(comm)
    assert asked(comm).tolist() == asked(None).tolist()


def test_a_mistake_reaches_every_rank():
    with pytest.raises(ValueError, match="sigma must be finite"):
        ktln2.sweep("entropy p4e4 normal", sigma=[1, -1], comm=OneRank(1))


def test_every_picture_of_the_page_can_be_drawn():
    sys.path.insert(0, str(ROOT / "python/tools"))
    try:
        from docs_pictures import pictures
    finally:
        sys.path.pop(0)
    drawn = dict(pictures())
    assert set(drawn) == set(ktln2.plot.__all__)
    page = (ROOT / "docs/python.md").read_text()
    for name, axes in drawn.items():
        assert (ROOT / f"docs/python-{name}.png").exists() and f"(python-{name}.png)" in page
        assert axes.has_data() and axes.get_xlabel() and (axes.get_title() or axes.get_legend())
        axes.figure.canvas.draw()


@pytest.mark.long
@pytest.mark.parametrize("name", ["tour", "mantissa", "checkpoint"])
def test_a_notebook_runs(name, tmp_path):
    done = run(sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir",
               str(tmp_path), str(ROOT / f"python/notebooks/{name}.ipynb"), cwd=tmp_path)
    assert printed(tmp_path / f"{name}.ipynb") == printed(ROOT / f"python/notebooks/{name}.ipynb"), done


def printed(notebook):
    """What its cells print, and how many pictures each draws."""
    cells = [one for one in json.loads(Path(notebook).read_text())["cells"]
             if one["cell_type"] == "code"]
    assert any(one["outputs"] for one in cells)
    return [("".join(part for out in one["outputs"] for part in out.get("text", [])),
             sum("image/png" in out.get("data", {}) for out in one["outputs"])) for one in cells]
