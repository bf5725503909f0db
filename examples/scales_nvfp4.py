"""Scale factors of an nvfp4 operand, M = 256, by 32x128b.warpx4.

Who needs it: products with nvfp4, which has a scale for each 16 elements: a tile of 128 rows by 4
blocks covers 64 of K, the K of one tcgen05.mma. M = 256 is two rows of tiles, one behind the
other; each tile has a TMEM address of its own, 4 columns from the next. B's scales are copied
alike, with N for M.
To change: the rows, a multiple of 128, and K, a multiple of 64.

    python scales_nvfp4.py | tcgen05 compile - --to cubin -o scales_nvfp4.cubin

Input: 2 x 4 tiles of 512 bytes, K = 256. Output: 128 lanes of 32 words.
"""

from __future__ import annotations

from functools import partial

import kernel
from mlir import ir
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.32x128b.warpx4"
FORMAT = "nvfp4"
ROWS = 256
K = 256
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
    return kernel.build("scales_nvfp4", [kernel.POINTER] * 2, words, body_of)


if __name__ == "__main__":
    kernel.show(build)
