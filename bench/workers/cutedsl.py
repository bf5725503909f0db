"""CuTe DSL (`nvidia-cutlass-dsl`): a kernel of S2T copies, compiled for Blackwell without a GPU.

That of `gluon`: 128 rows of 256 words in 128-byte swizzle, which become 32 copies of 128x256b; it
loads them, waits for the copies and stores what it reads back.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

from ..sampling import BrokenBenchmarkError, Missing, Sample, timed

os.environ["CUTE_DSL_ARCH"] = "sm_100a"

COPIES = 32

try:
    import cutlass
    from cutlass import cute
    from cutlass.cute.nvgpu import tcgen05
    from cutlass.memory import SmemAllocator
except ImportError as error:
    _host: Any = None
    _why = f"nvidia-cutlass-dsl is not installed ({error})"
else:

    @cute.kernel
    def _kernel(src: cute.Tensor, dst: cute.Tensor):
        thread, _, _ = cute.arch.thread_idx()
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        memory = SmemAllocator()
        block = tcgen05.make_smem_layout_atom(tcgen05.SmemLayoutAtomKind.K_SW128, cutlass.Int32)
        layout = cute.tile_to_shape(block, (128, 256), (0, 1))
        data = memory.allocate_tensor(
            cutlass.Int32, layout.outer, byte_alignment=1024, swizzle=layout.inner
        )
        done = memory.allocate_array(cutlass.Int64, byte_alignment=8)
        slot = memory.allocate_array(cutlass.Int32, byte_alignment=4)
        if warp == 0:
            cute.arch.alloc_tmem(256, slot)
            cute.arch.relinquish_tmem_alloc_permit()
            with cute.arch.elect_one():
                cute.arch.mbarrier_init(done, 1)
        cute.arch.mbarrier_init_fence()
        for word in cutlass.range(256):
            data[thread, word] = src[thread, word]
        cute.arch.fence_view_async_shared()
        cute.arch.barrier()

        # Lanes are 65536 apart. The copies elect a thread by themselves.
        address = cute.arch.retrieve_tmem_ptr(cutlass.Int32, 16, slot)
        tmem = cute.make_tensor(address, cute.make_layout((128, 256), stride=(65536, 1)))
        if warp == 0:
            atom = cute.make_copy_atom(tcgen05.Cp128x256bOp(tcgen05.CtaGroup.ONE), cutlass.Int32)
            copy = tcgen05.make_s2t_copy(atom, tmem)
            part = copy.get_slice(0)
            source = tcgen05.get_s2t_smem_desc_tensor(copy, part.partition_S(data))
            cute.copy(copy, source, part.partition_D(tmem))
            with cute.arch.elect_one():
                tcgen05.commit(done)
        cute.arch.mbarrier_wait(done, 0)

        load = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x128), cutlass.Int32)
        back = tcgen05.make_tmem_copy(load, tmem)
        mine = back.get_slice(thread)
        target = mine.partition_D(dst)
        words = cute.make_rmem_tensor(target.shape, cutlass.Int32)
        cute.copy(back, mine.partition_S(tmem), words)
        cute.arch.fence_view_async_tmem_load()
        cute.autovec_copy(words, target)
        cute.arch.barrier()
        if warp == 0:
            cute.arch.dealloc_tmem(address, 256)

    @cute.jit
    def _host(src: cute.Pointer, dst: cute.Pointer):
        rows = cute.make_layout((128, 256), stride=(256, 1))
        _kernel(cute.make_tensor(src, rows), cute.make_tensor(dst, rows)).launch(
            grid=[1, 1, 1], block=[128, 1, 1]
        )


def _compile(options: str = "") -> Any:
    from cutlass.cute.runtime import make_ptr

    memory = make_ptr(cutlass.Int32, 256, cute.AddressSpace.gmem, assumed_align=16)
    return cute.compile(_host, memory, memory, options=options)


def _check() -> None:
    """Compiles once with the PTX and the cubin kept, and looks at both."""
    with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
        made = _compile(f"--keep-ptx --keep-cubin --dump-dir {directory}")
        copies, cubin = made.__ptx__.count("tcgen05.cp.cta_group::1.128x256b"), made.__cubin__
    if copies != COPIES:
        raise BrokenBenchmarkError(f"expected {COPIES} copies in CuTe's PTX, but got {copies}")
    if not bytes(cubin).startswith(b"\x7fELF"):
        raise BrokenBenchmarkError("expected a cubin of CuTe DSL, but got another file")


_warm = False


def to_cubin(times: int = 1) -> Sample:
    """From Python to a cubin, in a process that is warm."""
    global _warm
    if _host is None:
        raise Missing(_why)
    if not _warm:
        _check()
        _warm = True
    return timed(_compile, times)
