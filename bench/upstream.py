"""Section 2: many copies, against the same in upstream's operations.

Ours is parsed, verified, lowered and printed by our tool; the rival is what a person writes without
the dialect, base descriptors and all, parsed, verified and printed by upstream's tool and nothing
else. So the two end with modules that say the same, and ours has done more. Copies are in 128-byte
swizzle, 64 to an op and to a base descriptor, or each with an op and a descriptor of its own.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

from . import tools
from .rows import Row, Table
from .sampling import BrokenBenchmarkError, Sample, in_turn, search_path
from .sampling import run as run_program

SECTION = "2. Against upstream's text"
SPELLINGS = {64: "64 copies an op", 1: "one copy an op"}
LOWER = (f"--pass-pipeline={tools.LOWERING}",)
ARITH = ("--pass-pipeline=builtin.module(convert-arith-to-llvm)",)
SLOPE, ADDED_US = 1.05, 3.0
PARTS_AT = 102_400
"""The number of copies, at most, whose time is looked at by its parts."""


def _sizes(quick: bool, largest: int) -> list[int]:
    sizes = [1_024, 16_384] if quick else [1_024, 10_240, 102_400, 1_024_000]
    return [n for n in sizes if n <= largest] or [1_024]


def _slope(points: dict[int, float]) -> float:
    """Of log time against log N, by least squares."""
    xs, ys = ([math.log(v) for v in side] for side in (points.keys(), points.values()))
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )


def rival(name: str) -> str:
    """The contender that does what another of that name does, upstream."""
    return f"{name}, upstream"


def _write(whose: str, count: int, group: int, path: Path) -> None:
    """Writes a text in another process: what this one ever held counts as its children's peak."""
    command = [sys.executable, "-m", "bench.texts", whose, str(count), str(group), path]
    run_program(command, env={**os.environ, "PYTHONPATH": search_path()})


def _cost(tool: Path, text: Path, flags: tuple[str, ...] = ()) -> Sample:
    return tools.timed(tool, text, flags).sample


def _parts(table: Table, files: dict[str, Path], count: int) -> None:
    """Rows of what verification and lowering alone cost a copy, by MLIR's clock.

    The rival is upstream's own lowering of the arithmetic of its longer text, the least that a
    pass of MLIR takes for so many operations.
    """
    for name in SPELLINGS.values():
        values, theirs = [], []
        for _ in range(3):
            lowered = tools.timed(tools.ours(), files[name], LOWER).seconds
            plain = tools.timed(tools.ours(), files[name], [tools.UNVERIFIED]).seconds
            both = lowered["Parser"] - plain["Parser"] + lowered["ConvertTcgen05ToNVVM"]
            values.append(both / count * 1e6)
            arith = tools.timed(tools.mlir_opt(), files[rival(name)], ARITH).seconds
            theirs.append(arith["ArithToLLVMConversionPass"] / count * 1e6)
        table.limit(SECTION, f"verify and lower a copy, {name}", values, ADDED_US, unit="us",
                    note="by the wall, without parsing and printing")  # fmt: skip
        table.compare(SECTION, f"verify and lower, {name}", "convert-arith-to-llvm", values, theirs,
                      unit="us", note="upstream's lowering of its text's arithmetic")  # fmt: skip


def run(table: Table, quick: bool, largest: int = 1_024_000) -> None:
    """Adds the rows."""
    sizes = _sizes(quick, largest)
    costs: dict[str, dict[int, list[Sample]]] = {}
    with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
        empty = Path(directory) / "empty.mlir"
        empty.write_text("")
        for count in sizes:
            files: dict[str, Path] = {}
            for group, name in SPELLINGS.items():
                files[name] = Path(directory) / f"ours{group}.mlir"
                files[rival(name)] = Path(directory) / f"upstream{group}.mlir"
                _write("ours", count, group, files[name])
                _write("upstream", count, group, files[rival(name)])
            contenders = {
                "start": partial(_cost, tools.ours(), empty),
                rival("start"): partial(_cost, tools.mlir_opt(), empty),
            }
            for name in SPELLINGS.values():
                contenders[name] = partial(_cost, tools.ours(), files[name], LOWER)
                contenders[rival(name)] = partial(_cost, tools.mlir_opt(), files[rival(name)])
            rounds = 2 if count > 500_000 else 3 if quick or count > 50_000 else 5
            for name, got in in_turn(contenders, rounds).items():
                assert not isinstance(got, str)
                costs.setdefault(name, {})[count] = got
            for name in SPELLINGS.values():
                sizes_text = " and ".join(
                    f"{files[n].stat().st_size / 1e6:.2g} MB" for n in (name, rival(name))
                )
                table.compare(
                    SECTION, f"{count:,} copies, {name}", "mlir-opt",
                    costs[name][count], costs[rival(name)][count],
                    at_most=1.0, goal="less time", note=sizes_text,
                )  # fmt: skip
            if count == max(n for n in sizes if n <= PARTS_AT or n == sizes[0]):
                _parts(table, files, count)
            for file in files.values():
                file.unlink()
    _growth(table, costs, sizes)


def _growth(table: Table, costs: dict[str, dict[int, list[Sample]]], sizes: list[int]) -> None:
    """Rows of what a copy adds: time, memory, and whether both grow evenly."""

    def net(name: str, count: int, peak: bool = False) -> list[float]:
        """Of each round, less what the tool takes for nothing. Seconds, or bytes."""
        start = costs[rival("start") if name.endswith("upstream") else "start"][count]
        if peak and not all(sample.peak for sample in [*start, *costs[name][count]]):
            raise BrokenBenchmarkError(f"expected to see the memory of {name}, but it is too small")
        of = (lambda sample: sample.peak) if peak else (lambda sample: sample.cpu)
        nothing = statistics.median(map(of, start))
        return [max(of(sample) - nothing, 1e-9) for sample in costs[name][count]]

    large = sizes[-1]
    for name in SPELLINGS.values():
        mine, theirs = ([x / large * 1e6 for x in net(n, large)] for n in (name, rival(name)))
        table.limit(SECTION, f"added by a copy, {name}", mine, ADDED_US, unit="us",
                    note="parsed, verified, lowered and printed")  # fmt: skip
        table.compare(SECTION, f"added by a copy, {name}", "mlir-opt", mine, theirs, unit="us")
        table.compare(
            SECTION, f"peak memory of a copy, {name}", "mlir-opt",
            [x / large for x in net(name, large, peak=True)],
            [x / large for x in net(rival(name), large, peak=True)],
            unit="byte", at_most=1.0, goal="no more",
        )  # fmt: skip
    # What is too short is mostly the start of the tool.
    points = [n for n in sizes if n >= 10_000] if len(sizes) > 2 else sizes
    for name in SPELLINGS.values():
        if len(points) < 2:
            break
        mine, theirs = (
            _slope({n: statistics.median(net(x, n)) for n in points}) for x in (name, rival(name))
        )
        table.add(
            Row(SECTION, f"slope, {name}", "mlir-opt", "", mine, theirs, ratio=mine / theirs,
                goal=f"at most {SLOPE}", met=mine <= SLOPE,
                note=f"log time against log N, {points[0]:,} to {large:,}")
        )  # fmt: skip
