"""TIRx (`apache-tvm-tirx`): `python -m bench.side_by_side.tirx WAY PITCH`.

The copy alone, as a tile call; what comes out is CUDA source. There is one WAY, `tile`.
"""

from __future__ import annotations

import sys

import tvm_tirx
from tvm_tirx.script import tirx as T  # noqa: N812
from tvm_tirx.tirx.layout import Axis, S, TileLayout

from ..tirx_source import cuda_source

OPCODE = "tcgen05.cp.cta_group::1.128x128b"


def main(way: str, pitch: int) -> None:
    """Compiles for Blackwell and prints the CUDA source."""
    lane, col = Axis.get("TLane"), Axis.get("TCol")
    shape = (128, 4)
    dst = TileLayout(S[shape : (1 @ lane, 1 @ col)])
    src = TileLayout(S[shape : (pitch, 1)])

    @T.function
    def kernel():
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
        slot = T.alloc_shared((1,), "uint32")
        data = T.alloc_shared(shape, "uint32", align=1024, layout=src)
        tmem = T.cuda.decl_tmem(
            slot[0], ty_args=[T.Tensor(shape, "uint32", scope="tmem", layout=dst)]
        )
        if T.cuda.thread_rank() == 0:
            T.cuda.tile.apply(T.ptx[OPCODE], tmem[:, :], data[:, :], scope="thread")

    print(cuda_source(tvm_tirx.IRModule.from_expr(kernel)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
