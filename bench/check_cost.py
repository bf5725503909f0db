"""What checking the protocol costs: seconds for kernels of many copies.

    python -m bench.check_cost [--copies 10000] [--rounds 3] [--json OUT]

Kernels of some and of ten times as many copies are checked, and MLIR's own timing of the pass is
read: `awaited` commits and waits for 16 copies at a time, `pending` copies to 128 places before it
waits, and `branches` has a branch around each copy.

Goals: 10,000 copies in one second, and ten times as many in at most twelve times as long. Exits
with status 1 if one is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from . import tools
from .rows import Table
from .sampling import BrokenBenchmarkError

SECTION = "Checking the protocol"
SMEM = "!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>"
WAIT = (
    "nvvm.tcgen05.commit %bar : !llvm.ptr<3>\n"
    "nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32\n"
)
PLACES = 128
BATCHES = {"awaited": 16, "pending": PLACES, "branches": 16}
GOAL_SECONDS, GOAL_RATIO = 1.0, 12.0


def tmem(place: int) -> str:
    """The type of a region four columns wide, at one of 128 places."""
    layout = f"[128, 4] : [1@lane, 1@col], offset [{4 * place}@col]"
    return f"!tcgen05.tmem<128x4xi32, #tcgen05.layout<{layout}>>"


def kernel_text(kind: str, copies: int) -> str:
    """A kernel of that many copies that is correct."""
    lines = []
    for i in range(copies):
        place = i % BATCHES[kind]
        copy = f'tcgen05.cp "cta_group::1.128x128b" %t{place}, %s : {tmem(place)}, {SMEM}'
        lines.append(f"scf.if %c {{\n{copy}\n}}" if kind == "branches" else copy)
        if place == BATCHES[kind] - 1 or i == copies - 1:
            lines.append(WAIT)
    views = [f"%t{p} = tcgen05.tmem_view %a : {tmem(p)}" for p in range(PLACES)]
    arguments = f"%a: i32, %s: {SMEM}, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32, %c: i1"
    body = "\n".join([*views, "%e = nvvm.elect.sync -> i1", "scf.if %e {", *lines, "}"])
    return f"gpu.module @m {{\ngpu.func @k({arguments}) kernel {{\n{body}\ngpu.return\n}}\n}}\n"


def measure(kind: str, copies: int, rounds: int) -> list[float]:
    """Seconds of the pass, by round. The kernel must be found correct."""
    seconds: list[float] = []
    with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
        path = Path(directory) / "kernel.mlir"
        path.write_text(kernel_text(kind, copies))
        for _ in range(rounds):
            timed = tools.timed(tools.ours(), path, ["--tcgen05-check-protocol"])
            if "warning: " in timed.errors:
                raise BrokenBenchmarkError(f"expected no finding, but got:\n{timed.errors[:2000]}")
            seconds.append(timed.seconds["Tcgen05CheckProtocol"])
    return seconds


def main(argv: list[str] | None = None) -> int:
    """Prints the table; returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.check_cost", description="Measures what checking the protocol costs."
    )
    parser.add_argument("--copies", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all rows, with samples")
    options = parser.parse_args(argv)
    table = Table("wall")
    for kind in BATCHES:
        once, ten = (measure(kind, n * options.copies, options.rounds) for n in (1, 10))
        few, many = (f"{n * options.copies:,} copies" for n in (1, 10))
        # The goal is of 10,000 copies; of others, as much for each.
        goal = GOAL_SECONDS * options.copies / 10_000
        table.limit(SECTION, f"{kind}, {few}", once, goal, unit="s")
        table.compare(SECTION, f"{kind}, {many}", few, ten, once, unit="s", at_most=GOAL_RATIO)
    table.finish()
    if options.json:
        table.write(options.json, vars(options) | {"json": None})
    return int(bool(table.missed()))


if __name__ == "__main__":
    sys.exit(main())
