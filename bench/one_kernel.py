"""Section 1: lowering one kernel, against TIRx.

Both take the same copy in the same layouts. Ours is verified and lowered to instructions in this
dialect's pass; `TileDispatch` is the part of TIRx that does the same. The longer way is from Python
to a kernel's text: ours builds the module, TIRx traces a function and ends with CUDA source.
"""

from __future__ import annotations

from functools import partial

from .rows import Table
from .sampling import Sample, Worker, in_turn

SECTION = "1. Lowering one kernel"
MODES = {0: "plain", 128: "128B swizzle"}


def _goal(count: int, mode: int) -> float | None:
    return {(1, 0): 1_000.0, (1, 128): 1_000.0, (64, 128): 10_000.0}.get((count, mode))


def run(table: Table, quick: bool) -> None:
    """Adds the rows."""
    ours, tirx = Worker("ours"), Worker("tirx")
    counts = (1, 64) if quick else (1, 16, 64, 128)
    try:
        for count in counts:
            for mode, name in MODES.items():
                # TIRx takes seconds for many swizzled copies; its spread is small beside that.
                rounds = 3 if quick or (mode and count > 16) else 5
                if quick and mode and count > 1:
                    rounds = 1
                samples = in_turn(
                    {
                        "ours": partial(
                            ours.sample, "verify_and_lower", count=count, mode=mode, times=200
                        ),
                        "tirx": partial(tirx.sample, "dispatch", count=count, mode=mode),
                    },
                    rounds,
                )
                copies = f"{count} cop{'y' if count == 1 else 'ies'}, {name}"
                table.compare(
                    SECTION, copies, "TileDispatch", samples["ours"], samples["tirx"],
                    unit="us", faster=_goal(count, mode),
                )  # fmt: skip
        for count, mode in ((1, 0), (64, 0)) if quick else ((1, 0), (1, 128), (64, 0), (64, 128)):
            contenders: dict[str, partial[Sample]] = {
                "ours": partial(ours.sample, "build_and_lower", count=count, mode=mode, times=50),
                "tirx": partial(tirx.sample, "to_source", count=count, mode=mode),
            }
            samples = in_turn(contenders, 3)
            table.compare(
                SECTION, f"built, {count}, {MODES[mode]}", "TIRx to CUDA source",
                samples["ours"], samples["tirx"], unit="us",
            )  # fmt: skip
    finally:
        ours.close()
        tirx.close()
