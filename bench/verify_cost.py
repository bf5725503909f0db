"""What verifying copies costs: microseconds for each.

    python bench/verify_cost.py [--copies 100000] [--rounds 5] [--json]

Modules of equal length are parsed by tcgen05-opt with and without verification, in turn, and MLIR's
own timing of the parser is compared; the median difference, divided by the number of copies, is the
cost. Copies are of one kind, so that all but the first find their plan in the dialect, or all of
different kinds: ordinary ones, nested ones, and refused walks, which try every point of every
swizzle, are found by the first copy that is wrong and so are measured one module at a time through
Python.

Goals: 2 microseconds for a copy of a kind already seen, 15 for a new general one.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from mlir_tcgen05._tools import tool_environment, tool_path
from mlir_tcgen05.layout import Layout, LayoutError, plan_cp

TMEM = "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>"
UNVERIFIED = "--mlir-very-unsafe-disable-verifier-on-parsing"
GOALS = {"known": 2.0, "new, two modes": 15.0, "new, nested": 15.0}

# Every storage makes another type, and with it another plan.
KINDS = {
    "known": ("[(16, 8), 4] : [(32, 4), 1]", lambda i: 2048),
    "new, two modes": ("[(16, 8), 4] : [(36, 4), 1]", lambda i: 2304 + i),
    "new, nested": (
        "[(2, 2, 4, 2, 2, 2), (2, 2)] : [(288, 144, 36, 16, 8, 4), (2, 1)], offset [?4*64]",
        lambda i: 4096 + i,
    ),
}


def module_text(layout: str, storage: object, copies: int) -> str:
    """A function of that many copies, each from an argument of its own kind."""
    types = [
        f"!tcgen05.smem<128x4xi32, #tcgen05.layout<{layout}>, storage {storage(i)}>"  # type: ignore[operator]
        for i in range(copies)
    ]
    distinct = {type_: f"%s{i}" for i, type_ in enumerate(dict.fromkeys(types))}
    arguments = ", ".join(f"{name}: {type_}" for type_, name in distinct.items())
    body = "\n".join(
        f'tcgen05.cp "cta_group::1.128x128b" %t, {distinct[type_]} : {TMEM}, {type_}'
        for type_ in types
    )
    return f"func.func private @f(%t: {TMEM}, {arguments}) {{\n{body}\nreturn\n}}\n"


def parser_seconds(path: pathlib.Path, *flags: str) -> float:
    """The time of the parser, verification included, as MLIR measures it."""
    run = subprocess.run(
        [str(tool_path("tcgen05-opt")), str(path), "-o", "/dev/null", "--verify-each=0",
         "--mlir-disable-threading", "--mlir-timing", "--mlir-timing-display=list", *flags],
        capture_output=True, text=True, check=True, env=tool_environment(),
    )  # fmt: skip
    found = re.search(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)\s+Parser$", run.stderr, re.MULTILINE)
    if not found:
        sys.exit(f"error: expected a timing of the parser, but got:\n{run.stderr}")
    return float(found.group(1))


def measure(kind: str, copies: int, rounds: int) -> dict[str, float]:
    """Microseconds of verification for each copy: median, least and greatest of the rounds."""
    layout, storage = KINDS[kind]
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "copies.mlir"
        path.write_text(module_text(layout, storage, copies))
        costs = [
            (parser_seconds(path) - parser_seconds(path, UNVERIFIED)) / copies * 1e6
            for _ in range(rounds)
        ]
    return {"median": statistics.median(costs), "min": min(costs), "max": max(costs)}


def measure_refusal(rounds: int) -> dict[str, float]:
    """Microseconds of a refused walk through Python, its bindings included."""
    tmem = Layout.parse("[128, 4] : [1@lane, 1@col]")
    smem = Layout.parse("[(2, 8, 8), 4] : [(288, 32, 4), 1], offset [?64*16], swizzle 64B")
    costs = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(1000):
            with contextlib.suppress(LayoutError):
                plan_cp("cta_group::1.128x128b", tmem, smem, align=1024)
        costs.append((time.perf_counter() - start) * 1e3)
    return {"median": statistics.median(costs), "min": min(costs), "max": max(costs)}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--copies", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = {kind: measure(kind, options.copies, options.rounds) for kind in KINDS}
    rows["refused (Python)"] = measure_refusal(options.rounds)
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'copy':20} {'us, median':>10} {'min':>7} {'max':>7} {'goal':>6}")
    for kind, row in rows.items():
        goal = f"{GOALS[kind]:.0f}" if kind in GOALS else "-"
        print(f"{kind:20} {row['median']:10.2f} {row['min']:7.2f} {row['max']:7.2f} {goal:>6}")


if __name__ == "__main__":
    main()
