"""Triton's Gluon: a kernel around one `tcgen05_copy`, compiled for Blackwell without a GPU.

128 rows of 256 words in 128-byte swizzle, which become 32 copies of 128x256b; it loads them, waits
for the copies and stores what it reads back.
"""

from __future__ import annotations

import os
from typing import Any

from ..sampling import BrokenBenchmarkError, Missing, Sample, timed

os.environ["TRITON_ALWAYS_COMPILE"] = "1"  # not from its cache on disk

try:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.experimental import gluon
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon._runtime import GluonASTSource
    from triton.experimental.gluon.language.nvidia.blackwell import (
        TensorMemoryLayout,
        allocate_tensor_memory,
        fence_async_shared,
        mbarrier,
        tcgen05_commit,
        tcgen05_copy,
    )
except ImportError as error:
    _kernel: Any = None
    _why = f"triton is not installed ({error})"
else:

    @gluon.jit
    def _kernel(src, dst):
        blocked: gl.constexpr = gl.BlockedLayout([1, 4], [32, 1], [4, 1], [1, 0])
        shared: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=32)
        places: gl.constexpr = TensorMemoryLayout((128, 256), col_stride=1)
        rows = gl.arange(0, 128, gl.SliceLayout(1, blocked))
        words = gl.arange(0, 256, gl.SliceLayout(0, blocked))
        offsets = rows[:, None] * 256 + words[None, :]
        data = gl.allocate_shared_memory(gl.int32, [128, 256], shared, gl.load(src + offsets))
        tmem = allocate_tensor_memory(gl.int32, [128, 256], places)
        done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
        mbarrier.init(done, count=1)
        fence_async_shared()
        tcgen05_copy(data, tmem)
        tcgen05_commit(done)
        mbarrier.wait(done, 0)
        mbarrier.invalidate(done)
        back = tmem.load(tmem.get_reg_layout())
        gl.store(dst + offsets, gl.convert_layout(back, blocked))


def _compile() -> None:
    source = GluonASTSource(_kernel, {"src": "*i32", "dst": "*i32"}, {})
    compiled = triton.compile(source, target=GPUTarget("cuda", 100, 32))
    if "tcgen05.cp." not in compiled.asm["ptx"]:
        raise BrokenBenchmarkError("expected a tcgen05.cp in Gluon's PTX, but got none")


_warm = False


def to_cubin(times: int = 1) -> Sample:
    """From Python to a cubin, in a process that is warm."""
    global _warm
    if _kernel is None:
        raise Missing(_why)
    if not _warm:
        _compile()
        _warm = True
    return timed(_compile, times)
