"""A pair of CTAs: one thread of the first one copies for both, by cta_group::2.

Who needs it: products of two CTAs (M = 256 by tcgen05.mma with cta_group::2), since all tcgen05
operations of a kernel have one cta_group. The copy reads at the same address in the shared memory
of both CTAs, and writes the same place in the tensor memory of both. A multicast commit arrives
at the barrier of each.
To change: the shape and the repeats, as for one CTA. Launch one cluster of 2.

    python pair_cta_group_2.py | tcgen05 compile - --to cubin -o pair_cta_group_2.cubin

Input: 256 rows of 16 words, 128 for each CTA. Output: the same.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::2.128x256b"
REPEATS = 2
COLUMNS = 32
# What each CTA has of input and output.
PART = "!llvm.array<128 x array<16 x i32>>"

TMEM = catalog.tmem(OPCODE, REPEATS)
SMEM = catalog.smem_k_major(OPCODE, repeats=REPEATS)


def body(input_: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel."""
    k = kernel.Kernel(data, cta_group=2)
    k.allocate(COLUMNS)
    # Each CTA fills its own shared memory; all of both meet before the copy.
    k.fill(kernel.element(input_, [k.rank], PART), pieces=4, in_rows=True)
    k.publish()
    tmem, smem = k.tmem(TMEM, COLUMNS), k.smem(SMEM)
    with k.one_thread():
        tcgen05.cp(OPCODE, tmem, smem)
        k.commit()
    k.wait()
    k.read_back(kernel.element(output, [k.rank], PART), columns=16)
    k.free()


def build() -> ir.Module:
    """The module, in the context that is entered."""
    words = catalog.smem_storage(OPCODE, repeats=REPEATS) // 4
    return kernel.build("pair_cta_group_2", [kernel.POINTER] * 2, words, body, cluster=2)


if __name__ == "__main__":
    kernel.show(build)
