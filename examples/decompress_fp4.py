"""FP4 in global memory, bytes in tensor memory: the copy expands the values on its way.

Who needs it: products of kind f8f6f4 that take FP4 weights as operand A from tensor memory, where
each value has a byte of its own. The copy costs what a copy of bytes costs, and no thread unpacks
anything: 16 values are 8 bytes, padded to 16 in shared memory, and a value xxxx leaves as the
byte 00xxxx00.
To change: K, by the number of repeats; the swizzle, where TMA fills the tile (its type
16U4_ALIGN16B adds the padding).

    python decompress_fp4.py | tcgen05 compile - --to cubin -o decompress_fp4.cubin

Input: 128 rows of 64 values, 32 bytes each. Output: 128 rows of 64 bytes.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.128x256b.b8x16.b4x16_p64"
# An instruction expands 32 values of a row to 8 words.
REPEATS = 2
COLUMNS = 32

TMEM = catalog.tmem(OPCODE, REPEATS)
SMEM = catalog.smem_k_major(OPCODE, repeats=REPEATS)


def body(input_: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel."""
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    # Thread t owns row t: four blocks of 16 values. Their padding is never looked at.
    k.fill(input_, pieces=4, words=2, in_rows=True)
    k.publish()
    tmem, smem = k.tmem(TMEM, COLUMNS), k.smem(SMEM)
    with k.one_thread():
        tcgen05.cp(OPCODE, tmem, smem)
        k.commit()
    k.wait()
    k.read_back(output, columns=16)
    k.free()


def build() -> ir.Module:
    """The module, in the context that is entered."""
    words = catalog.smem_storage(OPCODE, repeats=REPEATS) // 4
    return kernel.build("decompress_fp4", [kernel.POINTER] * 2, words, body)


if __name__ == "__main__":
    kernel.show(build)
