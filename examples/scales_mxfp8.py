"""Scale factors of an mxfp8 operand, M = 128, by 32x128b.warpx4.

Who needs it: products with block scaling, whose scale factors must lie in tensor memory. A tile
has 128 rows by 4 blocks of 32 elements: row m is in row m % 32 of 16 bytes, in the four bytes m /
32, and every warp gets all of it. Global memory holds the tiles in the order of cuBLAS and
PyTorch.
To change: the rows, a multiple of 128 (256 of them take twice the columns); K; and the format:
mxfp4 has blocks of 32 elements too.

    python scales_mxfp8.py | tcgen05 compile - --to cubin -o scales_mxfp8.cubin

Input: 4 tiles of 512 bytes, K = 512. Output: 128 lanes of 16 words.
"""

from __future__ import annotations

from functools import partial

import kernel
from mlir import ir
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.32x128b.warpx4"
FORMAT = "mxfp8"
ROWS = 128
K = 512
COLUMNS = 32


def body(input_: ir.Value, output: ir.Value, data: ir.Value, *, rows: int) -> None:
    """The body of the kernel."""
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    # Tiles lie in shared memory as they do in global memory: 2048 bytes for each 128 rows.
    k.fill(input_, pieces=rows // 128)
    k.publish()
    tmem = k.tmem(catalog.tmem_scales(FORMAT, rows, K), COLUMNS)
    smem = k.smem(catalog.smem_scales(FORMAT, rows, K))
    with k.one_thread():
        tcgen05.cp(OPCODE, tmem, smem)
        k.commit()
    k.wait()
    k.read_back(output, columns=rows // 8)
    k.free()


def build(rows: int = ROWS) -> ir.Module:
    """The module, in the context that is entered; rows may be 128 or 256 with these COLUMNS."""
    words = 4 * rows  # 4 tiles of 512 bytes for each 128 rows
    body_of = partial(body, rows=rows)
    return kernel.build("scales_mxfp8", [kernel.POINTER] * 2, words, body_of)


if __name__ == "__main__":
    kernel.show(build)
