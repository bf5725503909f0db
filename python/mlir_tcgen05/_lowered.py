"""The lowered module behind a proof: which instructions a copy became, and what they are given.

Ops of no dialect mark the copies, and the values that the formulas are about, before the module is
lowered; they survive that, and what stands behind a mark belongs to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, cast

from mlir import ir
from mlir.passmanager import PassManager

from . import _template
from ._mlir import run_passes
from ._regions import Regions
from ._symbolic import Evaluator, Formula, z3

_LEAF, _COPY = "tcgen05_prove.leaf", "tcgen05_prove.copy"
_LOWER = "builtin.module(convert-tcgen05-to-nvvm)"
Known = dict[ir.Value, Formula]


class Issued(NamedTuple):
    """One instruction, as formulas."""

    opcode: str
    taddr: Formula
    """32 bits."""
    before: Formula
    """The operand that becomes the descriptor."""
    after: Formula
    """The descriptor: what the template adds included."""


Visit = Callable[[ir.Block, int | None, Evaluator], None]


def issued(
    module: ir.Module, operations: list[ir.Operation], regions: Regions
) -> list[list[Issued]]:
    """Lowers the module and returns the instructions of each of its copies, in order.

    Args:
        module: is changed.
        operations: the copies.
        regions: where the places of their operands were looked up.

    Raises:
        MLIRError: the module does not lower.
        TemplateError: a template holds something that is not understood.
    """
    for i, op in enumerate(operations):
        _mark(ir.InsertionPoint(op), _COPY, i)
    variables = list(regions.leaves.values())
    for i, value in enumerate(regions.leaves):
        _mark(_after(value), _LEAF, i, value)
    arguments = [_position(value) for value in regions.arguments]
    run_passes(PassManager.parse(_LOWER), module)
    known = dict(_leaves(module.operation, variables))
    for (names, index), held in zip(arguments, regions.arguments.values(), strict=True):
        known[_function(module, names).regions[0].blocks[0].arguments[index]] = held
    return _instructions(module.operation, len(operations), known)


def copies(root: ir.Operation, function: str = "") -> Iterator[tuple[str, ir.Operation]]:
    """Every copy below an op, with the name of its function."""
    for region in root.regions:
        for block in region.blocks:
            for op in block:
                name = function
                if "sym_name" in op.operation.attributes:
                    symbol = ir.StringAttr(op.operation.attributes["sym_name"]).value
                    name = f"{function}::{symbol}" if function else symbol
                if op.operation.name == "tcgen05.cp":
                    yield function, op.operation
                yield from copies(op.operation, name)


def _mark(where: ir.InsertionPoint, name: str, number: int, *operands: ir.Value) -> None:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
    cast("Any", ir.Operation).create(name, operands=operands, attributes={"n": attribute}, ip=where)


def _after(value: ir.Value) -> ir.InsertionPoint:
    owner = value.owner
    if isinstance(owner, ir.Block):
        return ir.InsertionPoint.at_block_begin(owner)
    return ir.InsertionPoint.after(owner)


def _position(argument: ir.Value) -> tuple[list[str], int]:
    """The names that lead to a function, and the number of its argument."""
    names: list[str] = []
    block = argument.owner
    op = block.owner if isinstance(block, ir.Block) else None
    while op is not None and "sym_name" in op.operation.attributes:
        names.insert(0, ir.StringAttr(op.operation.attributes["sym_name"]).value)
        op = op.operation.parent
    return names, ir.BlockArgument(argument).arg_number


def _function(module: ir.Module, names: list[str]) -> ir.Operation:
    op = module.operation
    for name in names:
        op = next(
            o.operation
            for o in op.regions[0].blocks[0]
            if "sym_name" in o.operation.attributes
            and ir.StringAttr(o.operation.attributes["sym_name"]).value == name
        )
    return op


def _number(op: ir.Operation) -> int:
    return ir.IntegerAttr(op.attributes["n"]).value


def _leaves(root: ir.Operation, variables: list[Formula]) -> Iterator[tuple[ir.Value, Formula]]:
    for region in root.regions:
        for block in region.blocks:
            for op in block:
                if op.operation.name == _LEAF:
                    yield op.operands[0], variables[_number(op.operation)]
                yield from _leaves(op.operation, variables)


def _instructions(root: ir.Operation, count: int, known: Known) -> list[list[Issued]]:
    """The instructions of each copy."""
    found: list[list[Issued]] = [[] for _ in range(count)]
    evaluate = Evaluator(known)

    def visit(block: ir.Block, current: int | None, evaluate: Evaluator) -> None:
        for op in block:
            name = op.operation.name
            if name == _COPY:
                current = _number(op.operation)
            elif name == "nvvm.inline_ptx" and current is not None:
                found[current] += _instruction(op.operation, evaluate)
            elif name == "scf.for" and current is not None and not _has_copies(op.operation):
                _turns(op.operation, current, evaluate, visit)
            else:
                for region in op.operation.regions:
                    for inner in region.blocks:
                        visit(inner, None, evaluate)

    for region in root.regions:
        for block in region.blocks:
            visit(block, None, evaluate)
    return found


def _instruction(op: ir.Operation, evaluate: Evaluator) -> list[Issued]:
    text = ir.StringAttr(op.attributes["ptxCode"]).value
    if "tcgen05.cp" not in text:
        return []
    template = _template.parse_template(text)
    taddr = evaluate(op.operands[template.taddr.operand]) + template.taddr.plus
    before = evaluate(op.operands[template.descriptor.operand])
    return [Issued(template.opcode, taddr, before, before + template.descriptor.plus)]


def _turns(op: ir.Operation, current: int, evaluate: Evaluator, visit: Visit) -> None:
    """A loop that the lowering makes of many repeats, turn by turn."""
    low, high, step = (z3.simplify(evaluate(op.operands[i])) for i in range(3))
    if not all(z3.is_bv_value(bound) for bound in (low, high, step)):
        return
    body = op.regions[0].blocks[0]
    state = [evaluate(value) for value in list(op.operands)[3:]]
    for i in range(low.as_long(), high.as_long(), step.as_long()):
        values = [z3.BitVecVal(i, low.size()), *state]
        inside = evaluate.inside(dict(zip(body.arguments, values, strict=True)))
        visit(body, current, inside)
        end = body.operations[len(body.operations) - 1]
        state = [z3.simplify(inside(value)) for value in end.operands]


def _has_copies(op: ir.Operation) -> bool:
    return any(
        inner.operation.name == _COPY or _has_copies(inner.operation)
        for region in op.regions
        for block in region.blocks
        for inner in block
    )
