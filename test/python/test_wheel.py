# REQUIRES: installed
# RUN: %pytest %s
"""What is installed: licences, no trace of the machine that built it, no library others lack."""

from __future__ import annotations

import re
from importlib.metadata import PackagePath, distribution

import pytest

DISTRIBUTION = distribution("mlir-tcgen05")
FILES = [path for path in DISTRIBUTION.files or () if "__pycache__" not in path.parts]
ELF = [path for path in FILES if path.locate().is_file() and path.read_binary()[:4] == b"\x7fELF"]

# Two directories at least, at the start of a word: what a build leaves behind is longer.
ABSOLUTE = re.compile(rb"(?<![\w.$})\]*/-])/(?:[\w.+-]+/){2,}[\w.+-]+")
# Headers of the system, which assertions of libstdc++ name; and of upstream: the archive of MLIR's
# analyses was compiled there, and its assertions say so.
ELSEWHERE = {
    "": (b"/usr/include/c++/",),
    "libTcgen05PythonCAPI.so": (b"/opt/_internal/cpython-", b"/project/llvm-project/"),
}
# Text that the build writes.
GENERATED = re.compile(r".*_gen\.pyi?|_(layout|tcgen05)\.pyi")
# Libraries of glibc and of GCC, which manylinux allows, and those of the wheels of MLIR.
NEEDED = re.compile(
    r"lib(c|m|gcc_s|stdc\+\+|pthread|dl|rt)\.so\.\d+|ld-linux-x86-64\.so\.2"
    r"|lib(LLVM|MLIR|MLIRPythonCAPI)\.so[.\d]*"
)


def test_what_a_path_is() -> None:
    """A build's directory is found behind a word's start, and nothing else is one."""
    assert ABSOLUTE.findall(b"# from /home/someone/project/Ops.td") == [
        b"/home/someone/project/Ops.td"
    ]
    assert not ABSOLUTE.findall(b"include/mlir/IR/Ops.td and $ORIGIN/../mlir/lib/a.so and a / b")


def test_files_are_there() -> None:
    """Programs, plugin, both extension modules with their types, and the marker of PEP 561."""
    names = {path.name for path in FILES}
    assert {"tcgen05-opt", "tcgen05-lsp-server", "tcgen05-reduce"} <= names
    assert {"Tcgen05Plugin.so", "py.typed", "_tcgen05.pyi", "_layout.pyi"} <= names
    assert len(ELF) >= 6


def test_licences() -> None:
    """PEP 639: the texts, and an expression that names the project's."""
    licences = {path.name: path for path in FILES if "licenses" in path.parts}
    assert "LICENSE" in licences
    text = licences["LICENSE"].read_text()
    assert "Apache License" in text
    assert "LLVM Exceptions" in text
    assert any("THIRD" in name.upper() for name in licences), licences
    assert DISTRIBUTION.metadata["License-Expression"] == "Apache-2.0 WITH LLVM-exception"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_path_of_the_machine_that_built_it(path: PackagePath) -> None:
    """Binaries have neither the build's directories nor run paths that are absolute."""
    if path.name in ("RECORD", "direct_url.json", "METADATA"):
        return  # direct_url.json is pip's: where this very installation came from
    data = path.read_binary()
    known = sum((places for name, places in ELSEWHERE.items() if name in path.name), ())
    found = {place for place in ABSOLUTE.findall(data) if not place.startswith(known)}
    if path not in ELF and not GENERATED.fullmatch(path.name):
        # Written by hand, or a script, whose first line pip writes: a path is shown to a reader.
        found = {place for place in found if b"mlir-tcgen05" in place and b"http" not in data}
        found -= {place for place in found if data.startswith(b"#!")}
    assert not found


@pytest.mark.parametrize("path", ELF, ids=str)
def test_libraries(path: PackagePath) -> None:
    """What a binary is linked to is in glibc, in GCC, or in the wheels that are required."""
    data = path.read_binary()
    names = {
        name.decode() for name in re.findall(rb"\0((?:lib|ld-)[\w+.-]+\.so[.\d]*)(?=\0)", data)
    }
    assert names, "expected the names of libraries in the dynamic string table, but got none"
    assert {name for name in names if not NEEDED.fullmatch(name)} <= {ours.name for ours in ELF}
