# RUN: %pytest %s
"""The sources as the linters see them, each of which is shown to find a planted fault.

Here is what needs no build; `nox -s lint` adds the rest of C++ and the warnings of two compilers.
"""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(os.environ["TCGEN05_SOURCE_ROOT"])
SCRIPTS = Path(sysconfig.get_path("scripts"))
CPP = sorted(
    path
    for directory in ("include", "lib", "python", "test", "tools")
    for path in (ROOT / directory).rglob("*")
    if path.suffix in (".cpp", ".h")
)
LAYOUT = sorted((ROOT / "lib" / "Layout").rglob("*.cpp"))


def run(tool: str, *arguments: str | Path, **more: str) -> tuple[int, str]:
    """Exit status and output of a tool of the wheels, run in the root of the sources."""
    process = subprocess.run(
        [SCRIPTS / tool, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=550,
        check=False,
        **more,  # type: ignore[call-overload]
    )
    return process.returncode, process.stdout + process.stderr


def tidy(*files: Path) -> tuple[int, str]:
    """clang-tidy with the flags that the ground floor is compiled with."""
    config = f"--config-file={ROOT / '.clang-tidy'}"
    flags = ["-std=c++17", f"-I{ROOT / 'include'}", f"-I{ROOT / 'lib'}"]
    return run(
        "clang-tidy", "--quiet", config, *files, "--", *flags, "-fno-rtti", "-Wall", "-Wextra"
    )


def test_ruff() -> None:
    assert run("ruff", "check", "--no-cache", "--quiet", ".") == (0, "")
    assert run("ruff", "format", "--no-cache", "--quiet", "--check", ".") == (0, "")
    status, output = run("ruff", "check", "--no-cache", "-", input="import os\n")
    assert (status, "F401" in output) == (1, True)


def test_clang_format() -> None:
    assert CPP
    style = ("--style=file", "--dry-run", "--Werror")
    assert run("clang-format", *style, *CPP) == (0, "")
    status, _ = run("clang-format", *style, "--assume-filename=a.cpp", input="int  a;\n")
    assert status == 1


def test_clang_tidy_on_the_ground_floor() -> None:
    assert LAYOUT
    status, output = tidy(*LAYOUT)
    assert status == 0, output


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("int *pointer() { return 0; }\n", "modernize-use-nullptr"),
        ("static int unused() { return 1; }\n", "clang-diagnostic-unused-function"),
        ("int Bad_name(int x) { return x; }\n", "readability-identifier-naming"),
    ],
)
def test_clang_tidy_finds(text: str, check: str, tmp_path: Path) -> None:
    file = tmp_path / "planted.cpp"
    file.write_text(text)
    status, output = tidy(file)
    assert status == 1
    assert f"[{check},-warnings-as-errors]" in output
