"""This project, in one process: verification, lowering, builders, and compilation to PTX."""

from __future__ import annotations

import functools
import time
from typing import Any

import mlir_tcgen05 as t5
from mlir import ir
from mlir.dialects import func, nvvm
from mlir.passmanager import PassManager
from mlir_tcgen05.dialects import tcgen05

from .. import texts
from ..sampling import BrokenBenchmarkError, Sample, timed

LOWERING = "builtin.module(convert-tcgen05-to-nvvm)"


@functools.cache
def _context() -> ir.Context:
    context = t5.Context()
    context.enable_multithreading(False)
    return context


@functools.cache
def _lowering() -> PassManager:
    passes = PassManager.parse(LOWERING, _context())
    passes.enable_verifier(False)  # what is measured verifies once, before
    return passes


def verify_and_lower(count: int, mode: int, times: int) -> Sample:
    """Verification and lowering of a function that holds one op of `count` copies."""
    with _context():
        module = ir.Module.parse(texts.function(texts.tile(count, mode)))
        return _lower_copies(module, count, times)


def _lower_copies(module: ir.Module, count: int, times: int) -> Sample:
    """The cost of verifying and lowering, for clones that are made beforehand."""
    clones = [module.operation.clone(ip=False) for _ in range(times)]
    lowering = _lowering()
    cpu, wall = time.process_time(), time.perf_counter()
    for clone in clones:
        clone.verify()
        lowering.run(clone)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if str(clones[-1]).count("nvvm.inline_ptx") != count:
        raise BrokenBenchmarkError(f"expected {count} instructions, but got:\n{clones[-1]}")
    return Sample(wall / times, cpu / times)


def build_and_lower(count: int, mode: int, times: int) -> Sample:
    """The same function built by Python first, types included, in a context that is warm."""
    tile = texts.tile(count, mode)

    def work() -> None:
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            i32, pointer = ir.IntegerType.get_signless(32), ir.Type.parse("!llvm.ptr<3>")

            @func.FuncOp.from_py_func(i32, pointer, name="kernel")
            def _(address: ir.Value, data: ir.Value) -> None:
                t = tcgen05.tmem_view(tcgen05.TmemType.get(None, "i32", tile.dst), address)
                s = tcgen05.smem_view(
                    tcgen05.SmemType.get(None, "i32", tile.src, tile.align, tile.storage), data
                )
                tcgen05.cp(tile.opcode, t, s)

        module.operation.verify()
        _lowering().run(module.operation)

    with _context(), ir.Location.unknown():
        work()
        return timed(work, times)


def build(count: int, who: str) -> Sample:
    """Building `count` copies: `ours` through our builder, or `stock`: `nvvm.tcgen05.cp`.

    The shape of the latter is an attribute made once beforehand, or, for `stock enum`, the name
    that a person writes.
    """
    with _context(), ir.Location.unknown():
        text = "func.func @f(%t: !llvm.ptr<6>, %s: i64) {\nreturn\n}"
        if who == "ours":
            text = texts.function_of(texts.tile(1, 0), "%t: !t, %s: !s", "")
        module = ir.Module.parse(text)
        block = module.body.operations[0].regions[0].blocks[0]
        first, second = block.arguments
        made = ir.Attribute.parse("#nvvm.tcgen05_cp_shape<shape_128x128b>")
        shape: Any = made if who == "stock" else nvvm.Tcgen05CpShape.SHAPE_128x128b

        def our_copies() -> None:
            for _ in range(count):
                tcgen05.cp("cta_group::1.128x128b", first, second)

        def stock_copies() -> None:
            for _ in range(count):
                nvvm.Tcgen05CpOp(shape, first, second)

        with ir.InsertionPoint.at_block_terminator(block):
            sample = timed(our_copies if who == "ours" else stock_copies)
        if len(block.operations) != count + 1:
            raise BrokenBenchmarkError(f"expected {count} copies, but got {len(block.operations)}")
        return sample


def to_ptx(text: str, times: int, check: bool = True) -> Sample:
    """From the text of a kernel to PTX, in a warm process."""

    def work() -> None:
        with t5.Context():
            if "tcgen05.cp" not in t5.compile(ir.Module.parse(text), check=check):
                raise BrokenBenchmarkError("expected a tcgen05.cp in the PTX, but got none")

    work()
    return timed(work, times)


def to_cubin(text: str, times: int, check: bool = True) -> Sample:
    """From the text of a kernel to a cubin, ptxas included."""

    def work() -> None:
        with t5.Context():
            t5.compile(ir.Module.parse(text), "sm_100a", "cubin", check=check)

    return timed(work, times)


def ptx(text: str) -> str:
    """The PTX of a kernel."""
    with t5.Context():
        return t5.compile(ir.Module.parse(text), check=False)
