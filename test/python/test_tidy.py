# REQUIRES: sources
# RUN: %pytest %s
"""The C++ of what is installed as clang-tidy sees it, with the warnings of Clang among its checks.

The warnings of GCC are errors where pip builds the package; `test_clang.py` has those of Debian's
clang++. `test_lint.py` has the ground floor, which needs no headers of MLIR, and the proof that
what is planted is found.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compiled import ROOT, configure, flags_of, run

# Of GCC's flags Clang does not know all; both compilers are asked for the same warnings.
FLAGS = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-unknown-argument"]


def test_clang_tidy(tmp_path: Path) -> None:
    configure(tmp_path)
    # The fuzzers and sanitizers have builds of their own; the rest is code that is installed.
    directories = [ROOT / name for name in ("lib", "python", "tools")]
    sources = sorted(
        path
        for path in flags_of(tmp_path)
        if any(directory in path.parents for directory in directories)
        and ROOT / "lib" / "Layout" not in path.parents
    )
    names = {path.name for path in sources}
    assert {"Cp.cpp", "Kernel.cpp", "DialectExtension.cpp", "tcgen05-opt.cpp"} <= names

    def check(source: Path) -> str:
        status, output = run("clang-tidy", "--quiet", "-p", tmp_path, *FLAGS, source)
        return "" if status == 0 else f"{source.name}:\n{output}"

    with ThreadPoolExecutor(2) as pool:
        found = [output for output in pool.map(check, sources) if output]
    assert not found, "\n".join(found)
