"""This project: `python -m bench.side_by_side.ours WAY PITCH`; WAY is a command of `tcgen05`.

The kernel is `examples/copy_128x128b.mlir`, whole, with rows of shared memory PITCH words apart.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mlir_tcgen05.cli import main as tcgen05

from .. import ROOT


def kernel(pitch: int) -> str:
    """The text of the kernel."""
    text = (ROOT / "examples" / "copy_128x128b.mlir").read_text()
    for old, new, times in (
        ("[128, 4] : [4, 1]", f"[128, 4] : [{pitch}, 1]", 1),
        ("memref<128x4xi32", f"memref<128x{pitch}xi32", 3),
        (
            "%data_start[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>",
            f"%data_start[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<{pitch}xi32>",
            1,
        ),
    ):
        if text.count(old) != times:
            raise ValueError(f"expected {old!r} {times} times, but got {text.count(old)}")
        text = text.replace(old, new)
    return text


def main(way: str, pitch: int) -> None:
    """Writes the kernel into the working directory, and hands it to the command line."""
    path = Path("padded.mlir" if pitch > 4 else "legal.mlir")
    path.write_text(kernel(pitch))
    tcgen05([way, str(path)], prog_name="tcgen05")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
