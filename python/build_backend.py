"""Builds the wheel with CMake: what `pip install .` calls. It needs nothing but Python itself.

A release build that is there already, for the same Python, is used; otherwise build/wheel is made,
with all that the package does not need left out.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "ktln2"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
LEFT_OUT = ("CLI", "TESTS", "BENCH", "MPI")


def _version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text()
    found = re.search(r"^\s*VERSION (\S+)$", text, re.MULTILINE)
    if found is None:
        raise RuntimeError("CMakeLists.txt does not say which version it is")
    return found[1]


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _metadata() -> str:
    return (f"Metadata-Version: 2.1\nName: ktln2\nVersion: {_version()}\n"
            "Summary: The least cost, in bits and in joules, of computing on floating-point "
            "registers\nLicense: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
            "Provides-Extra: plot\nRequires-Dist: matplotlib; extra == 'plot'\n"
            "Description-Content-Type: text/markdown\n\n"
            + (ROOT / "README.md").read_text(encoding="utf-8"))


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)


def _is_for_this_python(build: Path) -> bool:
    """Whether it is configured here, with the package, for the Python that runs this."""
    cache = build / "CMakeCache.txt"
    if not cache.exists():
        return False
    text = cache.read_text()
    return (f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" in text
            and "KTLN2_BUILD_PYTHON:BOOL=ON\n" in text
            and (build / "python" / "ktln2" / f"_core{SUFFIX}").exists())


def _extension() -> Path:
    """The compiled module, built if it has to be."""
    build = ROOT / "build" / "release"
    if not _is_for_this_python(build):
        build = ROOT / "build" / "wheel"
        off = [f"-DKTLN2_BUILD_{what}=OFF" for what in LEFT_OUT]
        _run("cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", *off,
             "-DKTLN2_INSTALL=OFF", "-DKTLN2_BUILD_PYTHON=ON",
             f"-DPython_EXECUTABLE={sys.executable}")
    _run("cmake", "--build", str(build), "--target", "ktln2-python")
    return build / "python" / "ktln2" / f"_core{SUFFIX}"


def _digest(data: bytes) -> str:
    raw = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return "sha256=" + raw.rstrip(b"=").decode()


def _info_files() -> dict[str, bytes]:
    """What says whose wheel it is, and for which Python."""
    return {
        "METADATA": _metadata().encode(),
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
        "WHEEL": (f"Wheel-Version: 1.0\nGenerator: ktln2\nRoot-Is-Purelib: false\n"
                  f"Tag: {_tag()}\n").encode(),
    }


def _write_wheel(path: Path, files: dict[str, bytes]) -> None:
    info = f"ktln2-{_version()}.dist-info"
    files = {**files, **{f"{info}/{name}": data for name, data in _info_files().items()}}
    record = "".join(f"{name},{_digest(data)},{len(data)}\n" for name, data in files.items())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in {**files, f"{info}/RECORD": (record + f"{info}/RECORD,,\n").encode()}.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same tree, the same wheel
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):  # noqa: ANN001
    """Without it pip would build the whole to learn its name."""
    folder = Path(metadata_directory) / f"ktln2-{_version()}.dist-info"
    folder.mkdir()
    for name, data in _info_files().items():
        (folder / name).write_bytes(data)
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # noqa: ANN001
    extension = _extension()
    files = {f"ktln2/{one.name}": one.read_bytes() for one in sorted(PACKAGE.iterdir())
             if one.suffix in (".py", ".pyi") or one.name == "py.typed"}
    files[f"ktln2/{extension.name}"] = extension.read_bytes()
    name = f"ktln2-{_version()}-{_tag()}.whl"
    _write_wheel(Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory, config_settings=None):  # noqa: ANN001
    base = f"ktln2-{_version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    staged = Path(sdist_directory) / base
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        to = staged / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to)
    (staged / "PKG-INFO").write_text(_metadata(), encoding="utf-8")
    shutil.make_archive(str(staged), "gztar", sdist_directory, base)
    shutil.rmtree(staged)
    return base + ".tar.gz"
