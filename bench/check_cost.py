"""What checking the protocol costs: seconds for kernels of many copies.

    python bench/check_cost.py [--copies 10000] [--rounds 3] [--json]

Kernels of some and of ten times as many copies are checked, and MLIR's own timing of the pass is
read: `awaited` commits and waits for 16 copies at a time, `pending` copies to 128 places before it
waits, and `branches` has a branch around each copy.

Goals: 10,000 copies in one second, and ten times as many in less than twelve times as long.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from mlir_tcgen05._tools import tool_environment, tool_path

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


def pass_seconds(path: pathlib.Path) -> float:
    """The time of the pass, as MLIR measures it. The kernel must be found correct."""
    run = subprocess.run(
        [str(tool_path("tcgen05-opt")), str(path), "-o", "/dev/null", "--tcgen05-check-protocol",
         "--verify-each=0", "--mlir-disable-threading", "--mlir-timing",
         "--mlir-timing-display=list"],
        capture_output=True, text=True, check=True, env=tool_environment(),
    )  # fmt: skip
    found = re.search(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)\s+Tcgen05CheckProtocol$", run.stderr, re.M)
    if not found or "warning" in run.stderr:
        sys.exit(f"error: expected a timing and no finding, but got:\n{run.stderr[:2000]}")
    return float(found.group(1))


def measure(kind: str, copies: int, rounds: int) -> float:
    """Seconds: the median of the rounds."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "kernel.mlir"
        path.write_text(kernel_text(kind, copies))
        return statistics.median(pass_seconds(path) for _ in range(rounds))


def main() -> None:
    """Prints the table; exits with status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--copies", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = {}
    for kind in BATCHES:
        once = measure(kind, options.copies, options.rounds)
        ten = measure(kind, 10 * options.copies, options.rounds)
        rows[kind] = {"seconds": once, "seconds x10": ten, "ratio": ten / once if once else 0.0}
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{'kernel':10} {options.copies:>9} copies {'x10':>9} {'ratio':>7}")
        for kind, row in rows.items():
            once, ten, ratio = row.values()
            print(f"{kind:10} {once:14.3f} s {ten:7.3f} s {ratio:7.1f}")
    if any(r["seconds"] > GOAL_SECONDS or r["ratio"] > GOAL_RATIO for r in rows.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
