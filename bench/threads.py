"""Section 3: many functions, with one thread and with two.

Parsing and printing are MLIR's and have one thread. What is ours, verification and lowering, is
compared: verification is the difference between parsing with and without it.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from . import texts, tools
from .rows import Table

SECTION = "3. Threads"
GOAL = 1.5


def run(table: Table, quick: bool) -> None:
    """Adds the rows."""
    cores = len(os.sched_getaffinity(0))
    note = "" if cores >= 2 else f"this machine has {cores} core"
    functions = 256
    copies = functions * (64 if quick else 256)
    rounds = 3 if quick else 7
    parts: dict[str, dict[int, list[float]]] = {
        "verify": {1: [], 2: []}, "lower": {1: [], 2: []}, "both": {1: [], 2: []}
    }  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
        path = Path(directory) / "functions.mlir"
        path.write_text(texts.ours(copies, 1, functions))
        for _ in range(rounds):
            for threads in (1, 2):
                lowered = tools.timed(
                    tools.ours(), path, [f"--pass-pipeline={tools.LOWERING}"], threads=threads
                ).seconds
                plain = tools.timed(tools.ours(), path, [tools.UNVERIFIED], threads=threads).seconds
                verify = lowered["Parser"] - plain["Parser"]
                lower = lowered["ConvertTcgen05ToNVVM"]
                for name, value in (
                    ("verify", verify), ("lower", lower), ("both", verify + lower)
                ):  # fmt: skip
                    parts[name][threads].append(value * 1e3)
    for name, by_threads in parts.items():
        table.compare(
            SECTION, f"{name}, {functions} functions, 2 threads", "1 thread",
            by_threads[2], by_threads[1], faster=GOAL if name == "both" else None,
            goal="1.5 times faster" if name == "both" else "",
            note=" ".join(filter(None, [f"{copies:,} copies, by the wall", note])),
        )  # fmt: skip
