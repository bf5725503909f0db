# REQUIRES: sources, clang
# RUN: %pytest %s
"""Every C++ file of ours as Debian's clang++ sees it, its warnings being errors.

GCC's are errors where pip builds the package and in `cmake --preset dev`. Where no clang++ is
found, `test_tidy.py` shows Clang's warnings all the same, but of what is installed only.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from compiled import ROOT, configure, flags_of, run

CLANG = os.environ["TCGEN05_CLANG"]
# Of GCC's warnings Clang does not know all.
ERRORS = ["-fsyntax-only", "-Werror", "-Wno-unknown-warning-option"]


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, list[str]]:
    """The flags of every file of ours in a build."""
    tree = tmp_path_factory.mktemp("clang")
    configure(tree)
    return flags_of(tree)


def test_no_warning(flags: dict[Path, list[str]]) -> None:
    sources = [
        path
        for directory in ("lib", "python", "tools", "test")
        for path in (ROOT / directory).rglob("*.cpp")
    ]
    # The programs of the tests have builds of their own, with the flags of the rest.
    flags |= {path: flags[ROOT / "lib" / "IR" / "Cp.cpp"] for path in sources if path not in flags}

    def check(source: Path) -> str:
        status, output = run(CLANG, *ERRORS, *flags[source], source)
        return "" if (status, output) == (0, "") else f"{source.name}:\n{output}"

    with ThreadPoolExecutor(2) as pool:
        found = [output for output in pool.map(check, sorted(sources)) if output]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("floor", ["Layout/Layout.cpp", "IR/Cp.cpp"])
@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("static int unused() { return 1; }\n", "unused-function"),
        (
            "struct A { virtual ~A(); virtual void f(); };\nstruct B : A { void f(); };\n",
            "suggest-override",
        ),
        ("int none(int x) { if (x) return 1; }\n", "return-type"),
    ],
)
def test_a_warning_is_found(
    flags: dict[Path, list[str]], floor: str, text: str, warning: str, tmp_path: Path
) -> None:
    planted = tmp_path / "planted.cpp"
    planted.write_text(text)
    status, output = run(CLANG, *ERRORS, *flags[ROOT / "lib" / floor], planted)
    assert status == 1
    assert f"[-Werror,-W{warning}" in output
