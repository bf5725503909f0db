"""Every fourth row to each warp, by 4x256b: its four rows land in four warps.

Who needs it: kernels whose rows are interleaved, row r for warp r % 4; and convolutions, which
shift an image in tensor memory down by one lane (tcgen05.shift) and then renew one lane of each
warp. 32 repeats down the lanes fill all of them here; that single copy has a layout with offset
[31@lane].
To change: the number of repeats, down the lanes and along the columns. Each copy moves 128 bytes:
where rows may stay in order, 128x256b takes one for all.

    python scatter_4x256b.py | tcgen05 compile - --to cubin -o scatter_4x256b.cubin

Input: 128 rows of 8 words. Output: 128 lanes of 8 words; row r is in lane 32 (r % 4) + r / 4.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.4x256b"
# Down the lanes, along the columns.
REPEATS = (32, 1)
COLUMNS = 32

TMEM = catalog.tmem_scatter(*REPEATS)
SMEM = catalog.smem_k_major(OPCODE, repeats=REPEATS)


def body(input_: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel."""
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    # Thread t owns row t, 32 bytes. Without swizzle, all first 16 lie before all second 16.
    k.fill(input_, pieces=2, in_rows=True)
    k.publish()
    tmem, smem = k.tmem(TMEM, COLUMNS), k.smem(SMEM)
    with k.one_thread():
        tcgen05.cp(OPCODE, tmem, smem)
        k.commit()
    k.wait()
    k.read_back(output, columns=8)
    k.free()


def build() -> ir.Module:
    """The module, in the context that is entered."""
    words = catalog.smem_storage(OPCODE, repeats=REPEATS) // 4
    return kernel.build("scatter_4x256b", [kernel.POINTER] * 2, words, body)


if __name__ == "__main__":
    kernel.show(build)
