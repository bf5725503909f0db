"""A function made ready for the CPU: what `trace` runs.

Works on a copy of the module, in the LLVM dialect, after the passes that compile for a GPU. What
stands in for the hardware is described in `_trace.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mlir import ir
from mlir.passmanager import PassManager

from ._machine import HostError, bits_of, registers, shared_addresses
from ._mlir import run_passes
from ._register import register
from ._rewrite import CALLBACK, STEP, Rewriter, named, symbol_of, walk

if TYPE_CHECKING:
    from ._trace import Thread

_LOWER = (
    "builtin.module(convert-tcgen05-to-nvvm,gpu.module("
    "convert-vector-to-scf,tcgen05-prepare-module,convert-scf-to-cf,expand-strided-metadata,"
    "lower-affine,arith-expand,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},"
    "reconcile-unrealized-casts))"
)
_FUNCTIONS = ("func.func", "gpu.func", "llvm.func")


class Program(NamedTuple):
    """What the JIT compiles."""

    module: ir.Module
    entry: str
    widths: list[int]
    """Bits of each argument of the entry."""
    opcodes: list[str]
    """What the number that the callback gets stands for."""


def build(operation: ir.Operation, entry: str, thread: Thread) -> Program:
    """Lowers a copy of the module as far as the CPU needs.

    Raises:
        HostError: there is no such entry, or something cannot run here.
        MLIRError: the module does not verify or does not lower.
    """
    register(operation.context)
    operation.verify()
    gpu_module, name = _isolate(operation, entry)
    run_passes(PassManager.parse(_LOWER), gpu_module.operation)
    block = gpu_module.body.operations[0].regions[0].blocks[0]
    functions = {symbol_of(op): op.operation for op in block if op.operation.name == "llvm.func"}
    function = functions[name]
    reached = {n: op for n, op in _reachable(functions, name).items() if _has_body(op)}
    _refuse_recursion(reached)
    host = Rewriter(registers(thread, function), shared_addresses(block), set(reached))
    for each in reached.values():
        host.rewrite(each)
    module = ir.Module.create()
    for declaration in (f"@{CALLBACK}(i32, i32, i64)", f"@{STEP}() -> i1"):
        module.body.append(
            ir.Operation.parse(f"llvm.func {declaration}", context=operation.context)
        )
    for each in reached.values():
        module.body.append(each)
    module.operation.verify()
    return Program(module, name, _widths(function, entry), host.opcodes)


def _isolate(operation: ir.Operation, entry: str) -> tuple[ir.Module, str]:
    """A module that holds one gpu.module with the entry and all that it may call."""
    copy = ir.Module.parse("module {}")
    place, name = _find(operation, entry)
    if place != operation:
        copy.body.append(place.clone(ip=False))
        return copy, name
    wrapper = ir.Operation.parse("gpu.module @trace {}")
    copy.body.append(wrapper)
    block = wrapper.regions[0].blocks[0]
    symbols = {
        symbol_of(op): op.operation
        for op in operation.regions[0].blocks[0]
        if "sym_name" in op.operation.attributes and op.operation.name != "gpu.module"
    }
    wanted = _reachable(symbols, name)
    for symbol, op in symbols.items():
        if symbol in wanted or op.name not in _FUNCTIONS:
            block.append(op.clone(ip=False))
    return copy, name


def _find(operation: ir.Operation, entry: str) -> tuple[ir.Operation, str]:
    """The op that holds the entry directly (module or gpu.module), and its name there."""
    prefix, _, name = entry.rpartition("::")
    found: list[ir.Operation] = []
    known: list[str] = []
    tables = [("", operation)] + [
        (symbol_of(op), op.operation)
        for op in operation.regions[0].blocks[0]
        if op.operation.name == "gpu.module"
    ]
    for table, holder in tables:
        for op in holder.regions[0].blocks[0]:
            if op.operation.name not in _FUNCTIONS or not _has_body(op.operation):
                continue
            known.append(f"{table}::{symbol_of(op)}" if table else symbol_of(op))
            if symbol_of(op) == name and (not prefix or prefix == table):
                found.append(holder)
    if len(found) != 1:
        which = f"one of {', '.join(known)}" if known else "the name of a function of the module"
        got = f"'{entry}', which names {len(found)}" if found else f"'{entry}'"
        raise HostError(f"expected entry to be {which}, but got {got}")
    return found[0], name


def _has_body(function: ir.Operation) -> bool:
    return len(function.regions[0].blocks) > 0


def _reachable(symbols: dict[str, ir.Operation], entry: str) -> dict[str, ir.Operation]:
    """What the entry refers to, directly or not; the entry first."""
    reached: dict[str, ir.Operation] = {}
    pending = [entry]
    while pending:
        name = pending.pop()
        if name in reached or name not in symbols:
            continue
        reached[name] = symbols[name]
        for op in walk(symbols[name]):
            for attribute in map(named, cast("Any", op.attributes)):
                value = op.attributes[attribute]
                if isinstance(value, ir.FlatSymbolRefAttr):
                    pending.append(value.value)
    return reached


def _refuse_recursion(functions: dict[str, ir.Operation]) -> None:
    """A function that calls itself may use up this process's stack."""
    for name, function in functions.items():
        calls = [
            op for op in walk(function) if op.name == "llvm.call" and "callee" in op.attributes
        ]
        for callee in {ir.FlatSymbolRefAttr(op.attributes["callee"]).value for op in calls}:
            if name in _reachable(functions, callee):
                raise HostError(f"expected '{name}' not to call itself, but it does")


def _widths(function: ir.Operation, entry: str) -> list[int]:
    widths: list[int] = []
    for i, argument in enumerate(function.regions[0].blocks[0].arguments):
        width = bits_of(str(argument.type))
        if (
            width is None
            or not (
                isinstance(argument.type, ir.IntegerType)
                or str(argument.type).startswith("!llvm.ptr")
            )
            or width > 64
        ):
            raise HostError(
                f"expected argument {i} of '{entry}' to be an integer or an address, "
                f"but got {argument.type}"
            )
        widths.append(width)
    return widths
