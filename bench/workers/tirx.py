"""TIRx (`apache-tvm-tirx`): the same copy as a tile call, dispatched or taken to CUDA source."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .. import texts
from ..sampling import BrokenBenchmarkError, Missing, Sample, timed

try:
    import tvm_tirx
    from tvm_tirx.script import tirx as T  # noqa: N812
    from tvm_tirx.tirx import transform
    from tvm_tirx.tirx.layout import Axis, ComposeLayout, R, S, TileLayout

    from ..tirx_source import blackwell, cuda_source
except ImportError as error:
    _why: str | None = f"apache-tvm-tirx is not installed ({error})"
else:
    _why = None


def _layouts(count: int, mode: int) -> tuple[int, Any, Any]:
    """Rows, and the layouts of tensor and of shared memory: those of `bench.texts.tile`."""
    lane, col = Axis.get("TLane"), Axis.get("TCol")
    height = texts.atom_of(count).rows
    tiles = S[(count, height, 4) : (4 @ col, 1 @ lane, 1 @ col)]
    dst = TileLayout(tiles + R[4 : 32 @ lane] if height == 32 else tiles)
    if mode == 0:
        return height, dst, TileLayout(S[(count, height, 4) : (4 * height, 4, 1)])
    beside = min(count, 8)
    rows = TileLayout(S[(count // beside, beside, height, 4) : (32 * height, 4, 32, 1)])
    return height, dst, ComposeLayout(2, 3, 3, rows)


def _trace(count: int, mode: int, guard: str = "tid") -> Any:
    """The kernel of `kernels.copy_kernel` with a guard of the same name, traced."""
    if _why is not None:
        raise Missing(_why)
    height, dst, src = _layouts(count, mode)
    shape = (count, height, 4)
    opcode = f"tcgen05.cp.cta_group::1.{texts.atom_of(count).name}"

    outer, inner = _guard(guard)

    @T.function
    def kernel():
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
        slot = T.alloc_shared((1,), "uint32")
        data = T.alloc_shared(shape, "uint32", align=1024, layout=src)
        tmem = T.cuda.decl_tmem(
            slot[0], ty_args=[T.Tensor(shape, "uint32", scope="tmem", layout=dst)]
        )
        if outer():  # noqa: SIM102
            if inner():
                T.cuda.tile.apply(T.ptx[opcode], tmem[:, :, :], data[:, :, :], scope="thread")

    return tvm_tirx.IRModule.from_expr(kernel)


def _guard(name: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The two conditions of a guard; where one is enough, the other holds while the kernel is read.

    TIRx's kernels have __launch_bounds__ in any case, and nothing that says more of their blocks:
    `block` is `tid`.
    """

    def always() -> bool:
        return True

    first = (lambda: T.cuda.thread_rank() == 0), always
    elected = T.cuda.elect_sync
    return {
        "tid": first,
        "block": first,
        "elect": (elected, always),
        "warp": ((lambda: T.cuda.thread_rank() < 32), elected),
    }[name]


@functools.cache
def _traced(count: int, mode: int) -> Any:
    return _trace(count, mode)


def dispatch(count: int, mode: int, times: int = 1) -> Sample:
    """`TileDispatch` alone: from the tile call to instructions and descriptors."""
    module = _traced(count, mode)
    with blackwell():
        return timed(lambda: transform.TileDispatch()(module), times)


def to_source(count: int, mode: int, times: int = 1) -> Sample:
    """From Python to CUDA source, without nvcc."""
    if _why is not None:
        raise Missing(_why)
    text = ""

    def work() -> None:
        nonlocal text
        text = cuda_source(_trace(count, mode))

    sample = timed(work, times)
    if text.count("tcgen05_cp_cp_cta_group__1_128x128b(") < count:
        raise BrokenBenchmarkError(f"expected {count} copies, but got:\n{text}")
    return sample


def source(count: int, mode: int, guard: str) -> str:
    """The CUDA source, for nvcc."""
    if _why is not None:
        raise Missing(_why)
    return cuda_source(_trace(count, mode, guard))
