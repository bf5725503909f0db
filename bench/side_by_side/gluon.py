"""Triton's Gluon: `python -m bench.side_by_side.gluon WAY PITCH`.

The whole kernel: fill rows of four words, fence, copy, commit, wait, read back. Gluon has two ways
to say that rows lie further apart than they are long: `slice`, four columns of a tile of PITCH
columns, and `padded`, its PaddedSharedLayout, which has no padding of zero: there PITCH 4 is the
padded kernel without its copy.
"""

from __future__ import annotations

import os
import sys

os.environ["TRITON_ALWAYS_COMPILE"] = "1"  # not from its cache on disk

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


@gluon.jit
def kernel(src, dst, layout: gl.constexpr, pitch: gl.constexpr, copies: gl.constexpr):
    """128 rows of four words; `pitch` is the width of what is allocated."""
    blocked: gl.constexpr = gl.BlockedLayout([1, 4], [32, 1], [4, 1], [1, 0])
    places: gl.constexpr = TensorMemoryLayout((128, 4), col_stride=1)
    rows = gl.arange(0, 128, gl.SliceLayout(1, blocked))
    words = gl.arange(0, 4, gl.SliceLayout(0, blocked))
    offsets = rows[:, None] * 4 + words[None, :]
    data = gl.allocate_shared_memory(gl.int32, [128, pitch], layout)
    if pitch > 4:
        data = data.slice(0, 4, dim=1)
    data.store(gl.load(src + offsets))
    tmem = allocate_tensor_memory(gl.int32, [128, 4], places)
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(done, count=1)
    fence_async_shared()
    if copies:
        tcgen05_copy(data, tmem)
    tcgen05_commit(done)
    mbarrier.wait(done, 0)
    mbarrier.invalidate(done)
    back = tmem.load(tmem.get_reg_layout())
    gl.store(dst + offsets, gl.convert_layout(back, blocked))


def main(way: str, pitch: int) -> None:
    """Compiles for Blackwell and prints what the PTX has of tensor memory."""
    if way == "slice":
        chosen = {"layout": gl.SwizzledSharedLayout(1, 1, 1, [1, 0]), "pitch": pitch, "copies": 1}
    else:
        # Four words of padding behind every four words.
        padded = gl.PaddedSharedLayout.with_identity_for([[4, 4]], [128, 4], [1, 0])
        chosen = {"layout": padded, "pitch": 4, "copies": int(pitch > 4)}
    signature = {"src": "*i32", "dst": "*i32", **dict.fromkeys(chosen, "constexpr")}
    compiled = triton.compile(
        GluonASTSource(kernel, signature, chosen), target=GPUTarget("cuda", 100, 32)
    )
    print(compiled.asm["ptx"])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
