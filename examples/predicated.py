"""Copies under a predicate: the tiles that are there, and no branch around them.

Who needs it: kernels with a ragged edge, a K that is no multiple of the tile, say: the copy of an
absent tile is skipped by one bit. It costs no branch, and the commit does not wait for what was
skipped. The rules hold for a copy whether or not it is taken.
To change: the condition; a copy with repeats has one predicate for all of them. Elect by a
branch, not by the predicate: otherwise ptxas puts a loop around each copy.

    python predicated.py | tcgen05 compile - --to cubin -o predicated.cubin

Input: 128 rows of 16 words, and how many tiles of 4 words there are, 0 to 4. Output: these tiles.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir.dialects import arith, llvm, scf
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.128x128b"
TILES = 4
COLUMNS = 32

TMEM = catalog.tmem(OPCODE, TILES)
SMEM = catalog.smem_k_major(OPCODE, repeats=TILES)


def body(input_: ir.Value, output: ir.Value, count: ir.Value, data: ir.Value) -> None:
    """The body of the kernel."""
    index = ir.IndexType.get()
    first, step, tiles = (arith.constant(index, i) for i in (0, 1, TILES))
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    k.fill(input_, pieces=4, in_rows=True)
    k.publish()
    tmem, smem = k.tmem(TMEM, COLUMNS), k.smem(SMEM)
    with k.one_thread():
        for tile in scf.for_(first, tiles, step):
            number = arith.index_cast(kernel.i32(), tile)
            is_there = arith.cmpi(arith.CmpIPredicate.ult, number, count)
            columns = tcgen05.slice(tmem, [tile, 0, 0], [1, 128, 4])
            words = tcgen05.slice(smem, [tile, 0, 0], [1, 128, 4])
            tcgen05.cp(OPCODE, columns, words, pred=is_there)
            scf.yield_([])
        k.commit()
    k.wait()
    # What no copy wrote is not read either.
    for tile in scf.for_(first, tiles, step):
        number = arith.index_cast(kernel.i32(), tile)
        is_there = arith.cmpi(arith.CmpIPredicate.ult, number, count)
        with kernel.where(is_there):
            copied = k.load_lane(4, first=arith.muli(number, kernel.constant(4)))
            words = kernel.element(output, [k.thread, number], "!llvm.array<4 x vector<4xi32>>")
            llvm.store(copied, words, alignment=16)
        scf.yield_([])
    k.free()


def build() -> ir.Module:
    """The module, in the context that is entered."""
    words = catalog.smem_storage(OPCODE, repeats=TILES) // 4
    return kernel.build("predicated", [kernel.POINTER, kernel.POINTER, "i32"], words, body)


if __name__ == "__main__":
    kernel.show(build)
