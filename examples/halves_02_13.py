"""64 rows in both halves of tensor memory, by 64x128b.warpx2::02_13.

Who needs it: products of 64 rows that work on both halves of the lanes: warps 2 and 3 find in
lanes 64 - 127 the rows that warps 0 and 1 have in lanes 0 - 63. One instruction writes both, so
that shared memory is read once.
To change: the opcode to warpx2::01_23, and each half of the rows goes to two neighbouring warps
(scales_64_rows); the number of repeats, for another K.

    python halves_02_13.py | tcgen05 compile - --to cubin -o halves_02_13.cubin

Input: 64 rows of 16 bf16. Output: 128 lanes of 8 words.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir.dialects import arith, llvm
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.64x128b.warpx2::02_13"
# An instruction takes 8 elements of bf16 from each row.
REPEATS = 2
COLUMNS = 32

TMEM = catalog.tmem(OPCODE, REPEATS)
SMEM = catalog.smem_k_major(OPCODE, repeats=REPEATS)


def fill(k: kernel.Kernel, input_: ir.Value) -> None:
    """Two threads to a row: thread t copies half t / 64 of row t % 64, 16 bytes."""
    row = arith.andi(k.thread, kernel.constant(63))
    half = arith.shrui(k.thread, kernel.constant(6))
    source = kernel.element(input_, [row, half], "!llvm.array<2 x vector<4xi32>>")
    filled = llvm.load(ir.Type.parse("vector<4xi32>"), source, alignment=16)
    # All first halves lie before all second halves: without swizzle, a tile is 16 bytes wide.
    target = kernel.element(k.data_start, [k.thread], "vector<4xi32>")
    llvm.store(filled, target, alignment=16)


def body(input_: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel."""
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    fill(k, input_)
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
    return kernel.build("halves_02_13", [kernel.POINTER] * 2, words, body)


if __name__ == "__main__":
    kernel.show(build)
