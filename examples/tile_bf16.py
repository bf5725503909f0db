"""A bf16 operand tile in 128B swizzle, as TMA leaves it, by 128x256b: four copies along the row.

Who needs it: kernels that keep operand A in tensor memory and load it by TMA in the swizzle that
is free of bank conflicts. A row is 64 elements, 128 bytes; a copy takes 16 of them, and the next
one begins 32 bytes further along the same swizzled rows.
To change: the swizzle, here and in the tensor map; K, by the repeats: 8 of them for two tiles of
64 elements.

    python tile_bf16.py | tcgen05 compile - --to cubin -o tile_bf16.cubin

Arguments: a tensor map (a CUtensorMap in global memory: bf16, box 64 x 128, SWIZZLE_128B), and
the output, 128 rows of 32 words.
"""

from __future__ import annotations

import kernel
from mlir import ir
from mlir.dialects import llvm, nvvm
from mlir_tcgen05 import catalog
from mlir_tcgen05.dialects import tcgen05

OPCODE = "cta_group::1.128x256b"
SWIZZLE = "128B"
REPEATS = 4
COLUMNS = 32
TILE_BYTES = catalog.smem_storage(OPCODE, SWIZZLE, REPEATS)

TMEM = catalog.tmem(OPCODE, REPEATS)
SMEM = catalog.smem_k_major(OPCODE, SWIZZLE, REPEATS)


def load(k: kernel.Kernel, tensor_map: ir.Value) -> None:
    """TMA fills the tile and lets its bytes arrive at a barrier, which this thread waits for."""
    (full,) = kernel.barriers("tile_full", 1)
    nvvm.mbarrier_arrive_expect_tx(None, full, kernel.constant(TILE_BYTES))
    start = llvm.addrspacecast(ir.Type.parse("!llvm.ptr<7>"), k.data_start)
    origin = [kernel.constant(0), kernel.constant(0)]
    nvvm.cp_async_bulk_tensor_shared_cluster_global(start, tensor_map, origin, full, [])
    kernel.wait_for(full, kernel.constant(0))


def body(tensor_map: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel."""
    k = kernel.Kernel(data)
    k.allocate(COLUMNS)
    k.meet()
    tmem, smem = k.tmem(TMEM, COLUMNS), k.smem(SMEM, align=catalog.smem_align(SWIZZLE))
    with k.one_thread():
        load(k, tensor_map)
        # TMA wrote through the asynchronous proxy, as the copies read: no fence between.
        tcgen05.cp(OPCODE, tmem, smem)
        k.commit()
    k.wait()
    k.read_back(output, columns=32)
    k.free()


def build() -> ir.Module:
    """The module, in the context that is entered."""
    return kernel.build(
        "tile_bf16",
        ["!llvm.ptr", kernel.POINTER],
        TILE_BYTES // 4,
        body,
        align=catalog.smem_align(SWIZZLE),
        barriers=[("tile_full", 1)],
    )


if __name__ == "__main__":
    kernel.show(build)
