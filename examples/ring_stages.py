"""A ring of four stages in shared memory, with the stage known at run time only.

Who needs it: pipelined kernels. One warp loads tiles ahead into the stages of a ring, another
copies each into tensor memory when it has arrived, and its commit frees the stage. The stage is a
slice with a run-time index: its type keeps the bounds, so the rules are checked for all four
stages at compile time.
To change: the number of stages, by the layout of the ring; the tile; what follows a copy: a
product behind it needs no wait.

    python ring_stages.py | tcgen05 compile - --to cubin -o ring_stages.cubin

Input: 32 tiles of 512 bytes: mxfp8 scales of 128 rows, K = 4096. Output: 128 lanes of 128 words.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir.dialects import arith, llvm, nvvm, scf
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.32x128b.warpx4"
TILES = 32
STAGES = 4
COLUMNS = 128
TILE_BYTES = 512

# 128 of K are a tile: the ring holds four, tensor memory all.
TMEM = catalog.tmem_scales("mxfp8", 128, 128 * TILES)
RING = catalog.smem_scales("mxfp8", 128, 128 * STAGES)


def stage_of(tile: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
    """Of a tile: its stage as an index and as an i32, and the phase of its round, 0 or 1."""
    stages = arith.constant(ir.IndexType.get(), STAGES)
    stage = arith.remui(tile, stages)
    round_ = arith.index_cast(kernel.i32(), arith.divui(tile, stages))
    number = arith.index_cast(kernel.i32(), stage)
    return stage, number, arith.andi(round_, kernel.constant(1))


def load_tiles(input_: ir.Value, ring: ir.Value, full: ir.Value, empty: ir.Value) -> None:
    """Loads each tile into its stage, once the copy of the tile before it there is done."""
    first, step, tiles = (arith.constant(ir.IndexType.get(), i) for i in (0, 1, TILES))
    for tile in scf.for_(first, tiles, step):
        stage, number, phase = stage_of(tile)
        # A barrier that nothing has arrived at yet lets the phase before its first one pass.
        before = arith.xori(phase, kernel.constant(1))
        kernel.wait_for(kernel.element(empty, [number], "i64"), before)
        arrival = kernel.element(full, [number], "i64")
        nvvm.mbarrier_arrive_expect_tx(None, arrival, kernel.constant(TILE_BYTES))
        words = tcgen05.slice(ring, [stage, 0, 0], [1, 32, 4])
        start = llvm.addrspacecast(ir.Type.parse("!llvm.ptr<7>"), tcgen05.address(words))
        tile_number = arith.index_cast(kernel.i32(), tile)
        source = kernel.element(input_, [tile_number], f"!llvm.array<{TILE_BYTES} x i8>")
        size = kernel.constant(TILE_BYTES)
        nvvm.cp_async_bulk_shared_cluster_global(start, source, arrival, size)
        scf.yield_([])


def copy_tiles(tmem: ir.Value, ring: ir.Value, full: ir.Value, empty: ir.Value) -> None:
    """Copies each tile when it has arrived; the commit says when its stage is free again."""
    first, step, tiles = (arith.constant(ir.IndexType.get(), i) for i in (0, 1, TILES))
    for tile in scf.for_(first, tiles, step):
        stage, number, phase = stage_of(tile)
        kernel.wait_for(kernel.element(full, [number], "i64"), phase)
        columns = tcgen05.slice(tmem, [tile, 0, 0], [1, 32, 4])
        words = tcgen05.slice(ring, [stage, 0, 0], [1, 32, 4])
        tcgen05.cp(OPCODE, columns, words)
        nvvm.tcgen05_commit(kernel.element(empty, [number], "i64"))
        scf.yield_([])


def body(input_: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel: warp 0 copies, warp 1 loads."""
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    with k.one_thread():
        kernel.barriers("full", STAGES)
        kernel.barriers("empty", STAGES)
    k.meet()
    tmem, ring = k.tmem(TMEM, COLUMNS), k.smem(RING)
    full, empty = (llvm.mlir_addressof(kernel.shared(), name) for name in ("full", "empty"))
    warp = arith.divui(k.thread, kernel.constant(32))
    is_loader = arith.cmpi(arith.CmpIPredicate.eq, warp, kernel.constant(1))
    with kernel.where(is_loader), kernel.where(k.elected()):
        load_tiles(input_, ring, full, empty)
    with k.one_thread():
        copy_tiles(tmem, ring, full, empty)
        k.commit()
    k.wait()
    k.read_back(output, columns=COLUMNS)
    k.free()


def build() -> ir.Module:
    """The module, in the context that is entered."""
    return kernel.build(
        "ring_stages",
        [kernel.POINTER] * 2,
        STAGES * TILE_BYTES // 4,
        body,
        barriers=[("full", STAGES), ("empty", STAGES)],
    )


if __name__ == "__main__":
    kernel.show(build)
