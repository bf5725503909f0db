"""Section 6: from the text of a kernel to PTX and to a cubin, in a process that is warm.

Two kernels: the first example of this project, complete, and 64 copies in 128-byte swizzle behind
an election. The rivals compile a kernel of their own language around 32 copies of 128x256b in that
swizzle, complete as the first; their times say in what league one plays, not who is better at the
same.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import kernels
from mlir_tcgen05 import _toolchain

from . import ROOT, texts, tools
from .rows import Table
from .sampling import Sample, Worker, in_turn
from .sampling import run as run_program

SECTION = "6. End to end"
CHIP = "sm_100a"
TO_PTX_MS, TO_CUBIN_MS, SHARE = 35, 65, 10
OUR_PASSES = ("ConvertTcgen05ToNVVM", "Tcgen05")


def kernel_texts() -> dict[str, str]:
    """The kernels, by name."""
    return {
        "first example": (ROOT / "examples" / "copy_128x128b.mlir").read_text(),
        "64 swizzled": kernels.copy_kernel(texts.tile(64, 128)),
    }


def _share(text: str, rounds: int) -> float:
    """What part of compiling to PTX our own passes take, in percent of MLIR's clock.

    Of each pass the least of all rounds is taken: one slice that another process gets is longer
    than all of our passes together.
    """
    least: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
        path = Path(directory) / "kernel.mlir"
        path.write_text(text)
        for _ in range(rounds):
            seconds = tools.timed(
                tools.ours(), path, ["--tcgen05-compile=chip=sm_100a format=isa"]
            ).seconds
            least = {name: min(s, least.get(name, s)) for name, s in seconds.items()}
    own = sum(s for name, s in least.items() if name.startswith(OUR_PASSES))
    return 100 * own / least["Total"]


def _ptxas(path: Path) -> Sample:
    return run_program(
        [_toolchain.find("ptxas"), "--gpu-name", CHIP, path, "-o", path.with_suffix(".cubin")]
    )[0]


def run(table: Table, quick: bool) -> None:
    """Adds the rows."""
    rounds = 3 if quick else 7
    worker = Worker("ours")
    rivals = {"Triton Gluon": Worker("gluon"), "CuTe DSL": Worker("cutedsl")}
    try:
        for name, text in kernel_texts().items():
            # The second has the copies alone, which is not how a kernel ends.
            mine = partial(worker.sample, text=text, times=3, check=name == "first example")
            to_ptx = in_turn({"ours": partial(mine, "to_ptx")}, rounds)
            table.limit(SECTION, f"{name}: to PTX", to_ptx["ours"], TO_PTX_MS)
            with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
                path = Path(directory) / "kernel.ptx"
                path.write_text(worker.ask("ptx", text=text))
                others = {rival: partial(w.sample, "to_cubin") for rival, w in rivals.items()}
                to_cubin = in_turn(
                    {"ours": partial(mine, "to_cubin"), "ptxas": partial(_ptxas, path), **others},
                    rounds,
                )
            table.limit(SECTION, f"{name}: to a cubin", to_cubin["ours"], TO_CUBIN_MS)
            table.compare(SECTION, f"{name}: to a cubin", "ptxas alone",
                          to_cubin["ours"], to_cubin["ptxas"])  # fmt: skip
            for rival in rivals:
                table.compare(SECTION, f"{name}: to a cubin", rival,
                              to_cubin["ours"], to_cubin[rival],
                              note="a kernel of its own, in its language")  # fmt: skip
            table.limit(SECTION, f"{name}: our passes", [_share(text, 3 * rounds)], SHARE, unit="%",
                        note="of the time to PTX, by the wall, the least of each pass")  # fmt: skip
    finally:
        for w in (worker, *rivals.values()):
            w.close()
