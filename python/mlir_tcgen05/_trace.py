"""What a function issues, by running its address arithmetic on this machine's CPU.

`trace` lowers a copy of the module with the passes that compile it, replaces every issued
instruction by a call that reports its operands, and lets LLVM's JIT run the rest. So it judges the
lowering by what LLVM computes, not by what we believe to have written.

A CPU has no tensor memory and no other threads, and this is what stands for them:

- One thread runs, the one that `thread=` describes. It is always the elected one, and waits on
  barriers succeed at once.
- Ops that return nothing (stores, fences, barriers, commit, alloc) are left out.
- `nvvm.tcgen05.alloc` leaves the TMEM address 0 where it is told to: a load from there is 0. All
  other loads, and `nvvm` ops that return something, are refused if what is issued depends on them.
- It runs in this process. A function whose loops have made four million turns is taken for one that
  never ends; one that calls itself is refused.
- Variables in shared memory get addresses from 0x400 on, in the order of the module, aligned as
  declared (dynamic shared memory last). Pointer arguments are given as addresses.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from mlir import ir

from . import _host, _rewrite
from ._errors import CompileError
from ._machine import HostError
from ._mlir import MLIRError


class TraceError(ValueError):
    """A module, an entry or arguments that cannot be run."""


class Issue(NamedTuple):
    """One issued instruction."""

    opcode: str
    """Without `tcgen05.cp.`"""
    taddr: int
    """32 bits, unsigned."""
    descriptor: int
    """64 bits, unsigned."""


Triple = tuple[int, int, int]
_MOST = (1 << 31) - 1
"""The most that a special register holds here."""
_TURNS = 1 << 22
"""Turns of loops, and issued instructions, after which a function is stopped: some seconds."""


@dataclass(frozen=True)
class Thread:
    """Who runs: the special registers of the one thread that `trace` runs.

    Attributes:
        thread: index in the block: %tid.
        block: index in the grid: %ctaid.
        rank: of the block in its cluster: %cluster_ctarank.
        block_size: threads of a block: %ntid; None is what the entry declares, or one thread.
        grid_size: blocks of the grid: %nctaid; one block also stands for a grid that is not known.
        cluster_size: blocks of a cluster, along x: %cluster_nctarank.

    Raises:
        TraceError: an index or a size is no integer, or is negative, or a size is zero; or the
            rank is not below the size of the cluster. A thread outside of its block, or a block
            outside of its grid, is refused by `trace`, which knows what the entry declares.
    """

    thread: Triple = (0, 0, 0)
    block: Triple = (0, 0, 0)
    rank: int = 0
    block_size: Triple | None = None
    grid_size: Triple = (1, 1, 1)
    cluster_size: int = 1

    def __post_init__(self) -> None:
        for name, least in (("thread", 0), ("block", 0), ("block_size", 1), ("grid_size", 1)):
            triple = getattr(self, name)
            if triple is None and name == "block_size":
                continue
            found = _indices(triple, least)
            if found is None or len(found) != 3:
                what = f"three integers in {least} to {_MOST}"
                raise TraceError(f"expected {name} to be {what}, but got {triple!r}")
            object.__setattr__(self, name, found)
        for name, least in (("rank", 0), ("cluster_size", 1)):
            number = getattr(self, name)
            found = _indices([number], least)
            if found is None:
                what = f"an integer in {least} to {_MOST}"
                raise TraceError(f"expected {name} to be {what}, but got {number!r}")
            object.__setattr__(self, name, found[0])
        if self.rank >= self.cluster_size:
            raise TraceError(
                f"expected rank to be below cluster_size, {self.cluster_size}, but got {self.rank}"
            )


def _indices(values: Any, least: int) -> tuple[int, ...] | None:
    """Integers that special registers can hold; None for anything else."""
    try:
        found = tuple(map(operator.index, values))
    except TypeError:
        return None
    return found if all(least <= i <= _MOST for i in found) else None


def trace(
    module: ir.Module | ir.Operation,
    entry: str,
    *arguments: int,
    thread: Thread | int | Sequence[int] | None = None,
) -> list[Issue]:
    """Runs a function and lists what it issues.

    Args:
        module: stays as it is. Functions of any kind, inside a gpu.module or not.
        entry: name of a function; `kernels::copy` for one inside of gpu.module @kernels, if the
            name alone says too little.
        arguments: integers, signed or unsigned, and booleans. Pointers and workgroup memrefs are
            given as shared addresses, `!tcgen05.smem` and `!tcgen05.tmem` as addresses too.
        thread: the thread that runs; an integer or a sequence is its index in the block.

    Returns:
        The instructions in order. Those whose predicate is false are absent.

    Raises:
        TraceError: there is no such entry, the arguments do not fit, the module does not verify,
            or something cannot run here.
        TypeError: `module` is not a module, or `entry` no string.
    """
    events = trace_events(module, entry, arguments, as_thread(thread))
    return [event for event in events if event is not None]


def trace_events(
    module: ir.Module | ir.Operation, entry: str, arguments: Sequence[int], who: Thread
) -> list[Issue | None]:
    """As `trace`, with None where the thread has waited on an mbarrier."""
    operation = getattr(module, "operation", module)
    if not isinstance(operation, ir.Operation) or operation.name != "builtin.module":
        raise TypeError(f"expected module to be an mlir.ir.Module, but got {type(module).__name__}")
    if not isinstance(entry, str):
        raise TypeError(f"expected entry to be a string, but got {entry!r}")
    context = operation.context
    with context, ir.Location.unknown(context):
        try:
            program = _host.build(operation, entry, who)
        except CompileError as error:
            raise TraceError(str(error)) from None
        except MLIRError as error:
            raise TraceError(str(CompileError.from_mlir(error))) from None
        except HostError as error:
            raise TraceError(str(error)) from None
        return _run(program, entry, arguments)


def _run(program: _host.Program, entry: str, arguments: Sequence[int]) -> list[Issue | None]:
    from mlir.execution_engine import ExecutionEngine

    storage = _arguments(program, entry, arguments)
    issues: list[Issue | None] = []
    faults: list[str] = []

    def report(number: int, taddr: int, descriptor: int) -> None:
        if number == _rewrite.WAITED:
            issues.append(None)
        elif number in _rewrite.FAULTS:
            faults.append(_rewrite.FAULTS[number])
        elif number != _rewrite.SKIPPED:
            issues.append(Issue(program.opcodes[number], taddr, descriptor))

    turns = 0

    def step() -> bool:
        nonlocal turns
        turns += 1
        if turns > _TURNS or len(issues) > _TURNS:
            faults.append(f"take more than {_TURNS} turns or issues")
        return not faults

    callback = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64)(report)
    step_callback = ctypes.CFUNCTYPE(ctypes.c_bool)(step)
    try:
        engine = ExecutionEngine(program.module, opt_level=0)
    except RuntimeError as error:
        raise TraceError(f"expected '{entry}' to compile for this CPU, but got: {error}") from None
    engine.raw_register_runtime(_rewrite.CALLBACK, ctypes.cast(callback, ctypes.c_void_p))
    engine.raw_register_runtime(_rewrite.STEP, ctypes.cast(step_callback, ctypes.c_void_p))
    cast("Any", engine).initialize()
    # Results go where the pointer behind the arguments leads; nobody reads them.
    results = ctypes.create_string_buffer(1 << 16)
    pointers = [ctypes.addressof(slot) for slot in storage] + [ctypes.addressof(results)]
    packed = (ctypes.c_void_p * len(pointers))(*pointers)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(program.entry))(packed)
    if faults:
        raise TraceError(f"expected '{entry}' not to {faults[0]}, but it does")
    return issues


def _arguments(
    program: _host.Program, entry: str, arguments: Sequence[int]
) -> list[ctypes.c_uint64]:
    """The arguments in memory, as wide as a register each."""
    widths = program.widths
    if len(arguments) != len(widths):
        raise TraceError(
            f"expected {len(widths)} arguments for '{entry}', but got {len(arguments)}"
        )
    storage: list[ctypes.c_uint64] = []
    for i, (value, width) in enumerate(zip(arguments, widths, strict=True)):
        try:
            number = operator.index(value)
        except TypeError:
            raise TraceError(
                f"expected argument {i} of '{entry}' to be an integer, but got {value!r}"
            ) from None
        if not -(1 << width >> 1) <= number < 1 << width:
            raise TraceError(
                f"expected argument {i} of '{entry}' to have {width} bits, but got {number}"
            )
        storage.append(ctypes.c_uint64(number & (1 << width) - 1))
    return storage


def as_thread(thread: Thread | int | Sequence[int] | None) -> Thread:
    """The thread that `thread=` stands for."""
    if isinstance(thread, Thread):
        return thread
    index = _indices([0 if thread is None else thread], 0) or _indices(thread, 0)
    if not index or len(index) > 3:
        raise TraceError(f"expected thread to be up to three indices, but got {thread!r}")
    x, y, z = (*index, 0, 0)[:3]
    return Thread(thread=(x, y, z))
