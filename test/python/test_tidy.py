# REQUIRES: sources
# RUN: %pytest %s
"""The C++ of what is installed as clang-tidy sees it, with the warnings of Clang among its checks.

The warnings of GCC are errors where pip builds the package. `test_lint.py` has the ground floor,
which needs no headers of MLIR, and the proof that what is planted is found.
"""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(os.environ["TCGEN05_SOURCE_ROOT"])
SCRIPTS = Path(sysconfig.get_path("scripts"))
# Of GCC's flags Clang does not know all; both compilers are asked for the same warnings.
FLAGS = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-unknown-argument"]


def run(tool: str, *arguments: str | Path) -> tuple[int, str]:
    """Exit status and output of a tool of the wheels."""
    process = subprocess.run(
        [SCRIPTS / tool, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"},
        timeout=1200,
        check=False,
    )
    return process.returncode, process.stdout


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build tree that knows the flags of every file and has the generated headers."""
    tree = tmp_path_factory.mktemp("tidy")
    headers = [f"Tcgen05{floor}IncGen" for floor in ("IR", "Analysis", "Conversion")]
    for arguments in (["--preset", "dev", "-B", tree], ["--build", tree, "--target", *headers]):
        status, output = run("cmake", *arguments)
        assert status == 0, output
    return tree


def test_clang_tidy(build: Path) -> None:
    entries = json.loads((build / "compile_commands.json").read_text())
    # The fuzzers and sanitizers have builds of their own; the rest is code that is installed.
    directories = [ROOT / name for name in ("lib", "python", "tools")]
    sources = sorted(
        {
            path
            for path in (Path(entry["file"]) for entry in entries)
            if any(directory in path.parents for directory in directories)
            and ROOT / "lib" / "Layout" not in path.parents
        }
    )
    names = {path.name for path in sources}
    assert {"Cp.cpp", "Kernel.cpp", "DialectExtension.cpp", "tcgen05-opt.cpp"} <= names

    def check(source: Path) -> str:
        status, output = run("clang-tidy", "--quiet", "-p", build, *FLAGS, source)
        return "" if status == 0 else f"{source.name}:\n{output}"

    with ThreadPoolExecutor(2) as pool:
        found = [output for output in pool.map(check, sources) if output]
    assert not found, "\n".join(found)
