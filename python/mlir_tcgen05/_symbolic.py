"""Integer operations of the lowered IR as bit-vectors.

`Evaluator` turns a value into a formula by following the operations that make it; `leaves` says
where to stop. What it does not know (a load, an argument) is a variable that may have any value,
so a proof about the formula holds all the more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3 as _untyped
from mlir import ir

z3: Any = _untyped
"""z3, which has no types."""
Formula = Any
"""A bit-vector of z3, or a condition."""

_BINARY: dict[str, Callable[[Formula, Formula], Formula]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "lshr": z3.LShR,
    "ashr": lambda a, b: a >> b,
    "udiv": z3.UDiv,
    "urem": z3.URem,
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "shli": lambda a, b: a << b,
    "shrui": z3.LShR,
    "shrsi": lambda a, b: a >> b,
    "divui": z3.UDiv,
    "remui": z3.URem,
}
_CONSTANTS = ("llvm.mlir.constant", "arith.constant")
_UNSIGNED = ("zext", "trunc", "extui", "trunci", "index_castui", "ptrtoint", "inttoptr")
_SIGNED = ("sext", "extsi", "index_cast")
_REGISTER = "nvvm.read.ptx.sreg."


def width(type: ir.Type) -> int:  # noqa: A002
    """Bits of a scalar; addresses and indices have 64."""
    return type.width if isinstance(type, ir.IntegerType) else 64


def resized(value: Formula, bits: int, signed: bool = False) -> Formula:
    """The low bits, or the value extended."""
    missing = bits - value.size()
    if missing < 0:
        return z3.Extract(bits - 1, 0, value)
    return z3.SignExt(missing, value) if signed else z3.ZeroExt(missing, value)


def register(name: str) -> Formula:
    """A special register, which has one value wherever it is read."""
    return z3.BitVec(f"%{name}", 32)


THREAD = z3.BitVec("thread", 32)
"""The number of a thread in its block."""


def thread() -> Formula:
    """How the registers make it: tid.x + ntid.x * (tid.y + ntid.y * tid.z)"""
    row = register("tid.y") + register("ntid.y") * register("tid.z")
    return register("tid.x") + register("ntid.x") * row


def constant(value: ir.Value) -> Formula | None:
    """The number that a constant operation gives, if it is one."""
    op = value.owner
    if not isinstance(op, ir.Block) and op.operation.name in _CONSTANTS:
        attribute = op.operation.attributes["value"]
        if isinstance(attribute, ir.IntegerAttr | ir.BoolAttr):
            return z3.BitVecVal(int(attribute.value), width(value.type))
    return None


class Evaluator:
    """Formulas of values.

    Attributes:
        known: what was found, and what is given: the leaves.
    """

    def __init__(self, known: dict[ir.Value, Formula]) -> None:
        self.known = known

    def inside(self, values: dict[ir.Value, Formula]) -> Evaluator:
        """An evaluator that knows more, for one turn of a loop."""
        return Evaluator({**self.known, **values})

    def __call__(self, value: ir.Value) -> Formula:
        """The formula of a value, as wide as its type."""
        if value not in self.known:
            self.known[value] = self._evaluate(value)
        return self.known[value]

    def _evaluate(self, value: ir.Value) -> Formula:
        number = constant(value)
        if number is not None:
            return number
        bits = width(value.type)
        owner = value.owner
        op = owner if isinstance(owner, ir.Block) else owner.operation
        if isinstance(op, ir.Block):
            return z3.FreshConst(z3.BitVecSort(bits), "argument")
        dialect, _, name = op.name.partition(".")
        if op.name.startswith(_REGISTER):
            return register(op.name.removeprefix(_REGISTER))
        if op.name == "memref.extract_aligned_pointer_as_index":
            return self(op.operands[0])
        if dialect in ("llvm", "arith") and len(op.operands) in (1, 2):
            if name in _BINARY:
                return _BINARY[name](self(op.operands[0]), self(op.operands[1]))
            if name in _UNSIGNED or name in _SIGNED:
                return resized(self(op.operands[0]), bits, name in _SIGNED)
        return z3.FreshConst(z3.BitVecSort(bits), "unknown")
