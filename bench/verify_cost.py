"""What verifying copies costs: microseconds for each.

    python -m bench.verify_cost [--copies 100000] [--rounds 5] [--json OUT]

Modules of equal length are parsed by tcgen05-opt with and without verification, in turn, and MLIR's
own timing of the parser is compared; the difference, divided by the number of copies, is the cost.
Copies are of one kind, so that all but the first find their plan in the dialect, or all of
different kinds: ordinary ones and nested ones. Refused walks try every point of every swizzle. The
first of them ends a module, so what they cost is measured by calling `plan_cp` from Python, a
thousand times.

Goals: 2 microseconds for a copy of a kind already seen, 15 for a new general one. Exits with status
1 if one is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mlir_tcgen05.layout import Layout, LayoutError, plan_cp

from . import tools
from .rows import Row, Table, spread_of

SECTION = "Verifying a copy"
TMEM = "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>"
REFUSALS = 1000

# Every storage makes another type, and with it another plan. The last is the goal, microseconds.
KINDS: dict[str, tuple[str, Callable[[int], int], float]] = {
    "known": ("[(16, 8), 4] : [(32, 4), 1]", lambda i: 2048, 2.0),
    "new, two modes": ("[(16, 8), 4] : [(36, 4), 1]", lambda i: 2304 + i, 15.0),
    "new, nested": (
        "[(2, 2, 4, 2, 2, 2), (2, 2)] : [(288, 144, 36, 16, 8, 4), (2, 1)], offset [?4*64]",
        lambda i: 4096 + i,
        15.0,
    ),
}


def module_text(layout: str, storage: Callable[[int], int], copies: int) -> str:
    """A function of that many copies, each from an argument of its own kind."""
    types = [
        f"!tcgen05.smem<128x4xi32, #tcgen05.layout<{layout}>, storage {storage(i)}>"
        for i in range(copies)
    ]
    distinct = {type_: f"%s{i}" for i, type_ in enumerate(dict.fromkeys(types))}
    arguments = ", ".join(f"{name}: {type_}" for type_, name in distinct.items())
    body = "\n".join(
        f'tcgen05.cp "cta_group::1.128x128b" %t, {distinct[type_]} : {TMEM}, {type_}'
        for type_ in types
    )
    return f"func.func private @f(%t: {TMEM}, {arguments}) {{\n{body}\nreturn\n}}\n"


def measure(layout: str, storage: Callable[[int], int], copies: int, rounds: int) -> list[float]:
    """Microseconds of verification for each copy, by round."""

    def parser_seconds(*flags: str) -> float:
        return tools.timed(tools.ours(), path, flags).seconds["Parser"]

    with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
        path = Path(directory) / "copies.mlir"
        path.write_text(module_text(layout, storage, copies))
        return [
            (parser_seconds() - parser_seconds(tools.UNVERIFIED)) / copies * 1e6
            for _ in range(rounds)
        ]


def measure_refusal(rounds: int) -> list[float]:
    """Microseconds of a refused walk through Python, its bindings included, by round."""
    tmem = Layout.parse("[128, 4] : [1@lane, 1@col]")
    smem = Layout.parse("[(2, 8, 8), 4] : [(288, 32, 4), 1], offset [?64*16], swizzle 64B")
    costs: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(REFUSALS):
            with contextlib.suppress(LayoutError):
                plan_cp("cta_group::1.128x128b", tmem, smem, align=1024)
        costs.append((time.perf_counter() - start) / REFUSALS * 1e6)
    return costs


def main(argv: list[str] | None = None) -> int:
    """Prints the table; returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.verify_cost", description="Measures what verifying copies costs."
    )
    parser.add_argument("--copies", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all rows, with samples")
    options = parser.parse_args(argv)
    table = Table("wall")
    for kind, (layout, storage, goal) in KINDS.items():
        costs = measure(layout, storage, options.copies, options.rounds)
        table.limit(SECTION, kind, costs, goal, unit="us", note=f"{options.copies:,} copies")
    costs = measure_refusal(options.rounds)
    table.add(
        Row(SECTION, "refused", "by plan_cp from Python", "us", ours=statistics.median(costs),
            spread=spread_of(costs), details={"samples": [costs]})
    )  # fmt: skip
    table.finish()
    if options.json:
        table.write(options.json, vars(options) | {"json": None})
    return int(bool(table.missed()))


if __name__ == "__main__":
    sys.exit(main())
