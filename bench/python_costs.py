"""Section 4: what Python waits for. Imports, the command line, and building many copies."""

from __future__ import annotations

import os
import sys
from functools import partial

from .rows import Table
from .sampling import Sample, Worker, in_turn, search_path
from .sampling import run as run_program

SECTION = "4. Python"
COPIES = 10_000


def _import(code: str) -> Sample:
    return run_program(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": search_path()}
    )[0]


def _help() -> Sample:
    command = [sys.executable, "-m", "mlir_tcgen05", "--help"]
    return run_program(command, env={**os.environ, "PYTHONPATH": search_path()})[0]


MLIR = "import mlir.ir"
PROGRAMS = {
    "nothing": "pass",
    "layout": "import mlir_tcgen05.layout",
    "mlir.ir": MLIR,
    "context": f"{MLIR}; from mlir_tcgen05 import Context; Context()",
    "plain context": f"{MLIR}; mlir.ir.Context()",
    "dialect": f"{MLIR}; from mlir_tcgen05 import Context; import mlir_tcgen05.dialects.tcgen05; "
    "Context()",
}


def run_imports(table: Table, rounds: int) -> None:
    """Rows of what starting costs."""
    contenders = {name: partial(_import, code) for name, code in PROGRAMS.items()}
    samples = in_turn({**contenders, "help": _help}, rounds)

    def ms(name: str) -> list[float]:
        got = samples[name]
        assert not isinstance(got, str)
        return [x * 1e3 for x in table.seconds(got)]

    def more(name: str, base: str) -> list[float]:
        return [a - b for a, b in zip(ms(name), ms(base), strict=True)]

    table.limit(SECTION, "python: import mlir_tcgen05.layout", ms("layout"), 30,
                note="the interpreter included")  # fmt: skip
    table.limit(SECTION, "added by it to an empty Python", more("layout", "nothing"), 30)
    table.limit(SECTION, "added to mlir.ir by a context of ours", more("context", "plain context"),
                50, note="beside a plain context")  # fmt: skip
    table.limit(SECTION, "added to mlir.ir by the dialect module", more("dialect", "plain context"),
                50)  # fmt: skip
    table.compare(SECTION, "import of all of it", "mlir.ir alone", ms("dialect"), ms("mlir.ir"))
    table.limit(SECTION, "tcgen05 --help", ms("help"), 80, note="the interpreter included")


def run_builders(table: Table, rounds: int) -> None:
    """Rows of what building costs."""
    worker = Worker("ours")
    try:
        samples = in_turn(
            {
                who: partial(worker.sample, "build", count=COPIES, who=who)
                for who in ("ours", "stock", "stock enum")
            },
            rounds,
        )
    finally:
        worker.close()
    table.compare(
        SECTION, f"building {COPIES:,} copies", "nvvm.tcgen05.cp",
        samples["ours"], samples["stock"], at_most=1.5,
        note="its attribute made beforehand",
    )  # fmt: skip
    table.compare(
        SECTION, f"building {COPIES:,} copies", "the same, shape by name",
        samples["ours"], samples["stock enum"],
    )  # fmt: skip


def run(table: Table, quick: bool) -> None:
    """Adds the rows."""
    run_imports(table, 5 if quick else 15)
    run_builders(table, 5 if quick else 15)
