"""Scale factors of 64 rows of B, half for each pair of warps, by 64x128b.warpx2::01_23.

Who needs it: kernels with N = 64 in which warps 0 and 1 work on rows 0 - 31 and warps 2 and 3 on
rows 32 - 63: one instruction gives each pair its own half. A row is 16 bytes, the scales of 16
blocks of K. Row 32 lands in lane 64, not in lane 32: that is what tells 01_23 from 02_13.
To change: K, a multiple of 256 of nvfp4, or of 512 of mxfp8 and mxfp4.

    python scales_64_rows.py | tcgen05 compile - --to cubin -o scales_64_rows.cubin

Input: 2 tiles of 64 rows by 16 bytes, K = 512. Output: 128 lanes of 8 words.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.64x128b.warpx2::01_23"
K = 512
COLUMNS = 32

TMEM = catalog.tmem_scales_64("nvfp4", K)
SMEM = catalog.smem_scales_64("nvfp4", K)


def body(input_: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel."""
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    # 2 x 64 rows of 16 bytes: thread t copies the t-th.
    k.fill(input_, pieces=1)
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
    return kernel.build("scales_64_rows", [kernel.POINTER] * 2, 512, body)


if __name__ == "__main__":
    kernel.show(build)
