"""CuTe DSL (`nvidia-cutlass-dsl`): a kernel compiled for Blackwell without a GPU.

The smallest there is, one store behind a test of the thread's number, without a copy: what comes
out is the least that its compilation takes.
"""

from __future__ import annotations

import os
from typing import Any

from ..sampling import Missing, Sample, timed

os.environ["CUTE_DSL_ARCH"] = "sm_100a"

try:
    import cutlass
    from cutlass import cute
except ImportError as error:
    _host: Any = None
    _why = f"nvidia-cutlass-dsl is not installed ({error})"
else:

    @cute.kernel
    def _kernel(out: cute.Pointer, value: cutlass.Int32):
        thread, _, _ = cute.arch.thread_idx()
        if thread == 0:
            cute.make_tensor(out, cute.make_layout(1))[0] = value

    @cute.jit
    def _host(out: cute.Pointer, value: cutlass.Int32):
        _kernel(out, value).launch(grid=[1, 1, 1], block=[128, 1, 1])


def _compile() -> None:
    from cutlass.cute.runtime import make_ptr

    out = make_ptr(cutlass.Int32, 256, cute.AddressSpace.gmem, assumed_align=16)
    cute.compile(_host, out, cutlass.Int32(1))


_warm = False


def to_cubin(times: int = 1) -> Sample:
    """From Python to a cubin, in a process that is warm."""
    global _warm
    if _host is None:
        raise Missing(_why)
    if not _warm:
        _compile()
        _warm = True
    return timed(_compile, times)
