"""TIRx (`apache-tvm-tirx`): the same copy as a tile call, dispatched or taken to CUDA source."""

from __future__ import annotations

import functools
from typing import Any

from .. import texts
from ..sampling import BrokenBenchmarkError, Missing, Sample, timed

try:
    import tvm_ffi
    import tvm_tirx
    from tvm_tirx.script import tirx as T  # noqa: N812
    from tvm_tirx.tirx import transform
    from tvm_tirx.tirx._compile import _split_host_device_modules
    from tvm_tirx.tirx.layout import Axis, ComposeLayout, R, S, TileLayout
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

    @T.function
    def main():
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
        slot = T.alloc_shared((1,), "uint32")
        data = T.alloc_shared(shape, "uint32", align=1024, layout=src)
        tmem = T.cuda.decl_tmem(
            slot[0], ty_args=[T.Tensor(shape, "uint32", scope="tmem", layout=dst)]
        )
        if T.cuda.thread_rank() == 0:
            T.cuda.tile.apply(T.ptx[opcode], tmem[:, :, :], data[:, :, :], scope="thread")

    @T.function
    def elected():
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
        slot = T.alloc_shared((1,), "uint32")
        data = T.alloc_shared(shape, "uint32", align=1024, layout=src)
        tmem = T.cuda.decl_tmem(
            slot[0], ty_args=[T.Tensor(shape, "uint32", scope="tmem", layout=dst)]
        )
        if T.cuda.elect_sync():
            T.cuda.tile.apply(T.ptx[opcode], tmem[:, :, :], data[:, :, :], scope="thread")

    @T.function
    def elected_in_warp():
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
        slot = T.alloc_shared((1,), "uint32")
        data = T.alloc_shared(shape, "uint32", align=1024, layout=src)
        tmem = T.cuda.decl_tmem(
            slot[0], ty_args=[T.Tensor(shape, "uint32", scope="tmem", layout=dst)]
        )
        if T.cuda.thread_rank() < 32:  # noqa: SIM102
            if T.cuda.elect_sync():
                T.cuda.tile.apply(T.ptx[opcode], tmem[:, :, :], data[:, :, :], scope="thread")

    # Its kernels have __launch_bounds__ in any case, and nothing that says more of their blocks.
    guards = {"tid": main, "block": main, "elect": elected, "warp": elected_in_warp}
    return tvm_tirx.IRModule.from_expr(guards[guard])


def _target() -> Any:
    return tvm_tirx.target.Target({"kind": "cuda", "arch": "sm_100a"})


@functools.cache
def _traced(count: int, mode: int) -> Any:
    return _trace(count, mode)


def dispatch(count: int, mode: int, times: int = 1) -> Sample:
    """`TileDispatch` alone: from the tile call to instructions and descriptors."""
    module = _traced(count, mode)
    with _target():
        return timed(lambda: transform.TileDispatch()(module), times)


def _source(count: int, mode: int, guard: str = "tid") -> str:
    target = _target()
    module = _trace(count, mode, guard)
    pipeline, _, finalize = tvm_tirx.tirx.get_default_tir_pipeline(
        target, module, target_to_bind=target.with_host(tvm_tirx.target.Target("c"))
    )
    _, devices = _split_host_device_modules(pipeline(module))
    ((device_target, _), device) = next(iter(devices.items()))
    built = tvm_ffi.get_global_func("target.build.cuda")(finalize()(device), device_target)
    return built.inspect_source()


def to_source(count: int, mode: int, times: int = 1) -> Sample:
    """From Python to CUDA source, without nvcc."""
    if _why is not None:
        raise Missing(_why)
    text = ""

    def work() -> None:
        nonlocal text
        text = _source(count, mode)

    sample = timed(work, times)
    if text.count("tcgen05_cp_cp_cta_group__1_128x128b(") < count:
        raise BrokenBenchmarkError(f"expected {count} copies, but got:\n{text}")
    return sample


def source(count: int, mode: int, guard: str) -> str:
    """The CUDA source, for nvcc."""
    if _why is not None:
        raise Missing(_why)
    return _source(count, mode, guard)
