"""CuTe DSL (`nvidia-cutlass-dsl`): `python -m bench.side_by_side.cutedsl WAY PITCH`.

The whole kernel: fill rows of four words, fence, copy, commit, wait, read back. WAY is `plain`, or
`lines`: with its option --generate-line-info.
"""

from __future__ import annotations

import os
import sys

os.environ["CUTE_DSL_ARCH"] = "sm_100a"

import cutlass
from cutlass import cute
from cutlass.cute.nvgpu import tcgen05
from cutlass.cute.runtime import make_ptr
from cutlass.memory import SmemAllocator


@cute.kernel
def kernel(src: cute.Tensor, dst: cute.Tensor, pitch: cutlass.Constexpr):
    """128 rows of four words, `pitch` words from one to the next."""
    thread, _, _ = cute.arch.thread_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    memory = SmemAllocator()
    rows = cute.make_layout((128, 4), stride=(pitch, 1))
    data = memory.allocate_tensor(cutlass.Int32, rows, byte_alignment=1024)
    done = memory.allocate_array(cutlass.Int64, byte_alignment=8)
    slot = memory.allocate_array(cutlass.Int32, byte_alignment=4)
    if warp == 0:
        cute.arch.alloc_tmem(32, slot)
        cute.arch.relinquish_tmem_alloc_permit()
        with cute.arch.elect_one():
            cute.arch.mbarrier_init(done, 1)
    cute.arch.mbarrier_init_fence()
    for word in cutlass.range_constexpr(4):
        data[thread, word] = src[thread, word]
    cute.arch.fence_view_async_shared()
    cute.arch.barrier()

    # Lanes are 65536 apart.
    address = cute.arch.retrieve_tmem_ptr(cutlass.Int32, 16, slot)
    tmem = cute.make_tensor(address, cute.make_layout((128, 4), stride=(65536, 1)))
    if warp == 0:
        atom = cute.make_copy_atom(tcgen05.Cp128x128bOp(tcgen05.CtaGroup.ONE), cutlass.Int32)
        copy = tcgen05.make_s2t_copy(atom, tmem)
        part = copy.get_slice(0)
        source = tcgen05.get_s2t_smem_desc_tensor(copy, part.partition_S(data))
        cute.copy(copy, source, part.partition_D(tmem))
        with cute.arch.elect_one():
            tcgen05.commit(done)
    cute.arch.mbarrier_wait(done, 0)

    load = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x4), cutlass.Int32)
    back = tcgen05.make_tmem_copy(load, tmem)
    mine = back.get_slice(thread)
    target = mine.partition_D(dst)
    words = cute.make_rmem_tensor(target.shape, cutlass.Int32)
    cute.copy(back, mine.partition_S(tmem), words)
    cute.arch.fence_view_async_tmem_load()
    cute.autovec_copy(words, target)
    cute.arch.barrier()
    if warp == 0:
        cute.arch.dealloc_tmem(address, 32)


@cute.jit
def host(src: cute.Pointer, dst: cute.Pointer, pitch: cutlass.Constexpr):
    """One block; both operands are rows of four words without padding."""
    rows = cute.make_layout((128, 4), stride=(4, 1))
    kernel(cute.make_tensor(src, rows), cute.make_tensor(dst, rows), pitch).launch(
        grid=[1, 1, 1], block=[128, 1, 1]
    )


def main(way: str, pitch: int) -> None:
    """Compiles for Blackwell and prints the PTX."""
    memory = make_ptr(cutlass.Int32, 256, cute.AddressSpace.gmem, assumed_align=16)
    options = "--keep-ptx" + " --generate-line-info" * (way == "lines")
    print(cute.compile(host, memory, memory, pitch, options=options).__ptx__)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
