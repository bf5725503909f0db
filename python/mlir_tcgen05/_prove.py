"""Proofs that the emitted addresses are right for all inputs at once.

`trace` and `simulate` look at one call. `prove` takes every `tcgen05.cp` of a module, lowers a copy
of the module, turns the operations and the PTX text that came out into bit-vector formulas, and
asks two solvers (z3, then cvc5) whether any input makes them differ from the specification:

- opcode, issues: one instruction for each repeat, with the opcode of the copy. Named if it fails.
- start: bits 0-13 of the descriptor are (base + origin) / 16, which lies below 2^18 bytes.
- fields: all other bits are those of the walk, constant and swizzle included.
- carry: the addition in the template leaves all bits above the start address alone. (Where a group
  axis or a run-time term leads backwards, its borrow and the carry cancel instead.)
- tmem: lane and column of the address are those of the base plus those of the origin, with no
  carry between the halves.
- swizzle: the XOR of the walk's mode is its own inverse, for every address.

"Any input" is every shared address that is aligned as the type says and has room for the region's
storage below 2^18, every TMEM address with room for the region's columns, every value that a
run-time origin may take, and every thread of the group. It needs z3-solver and cvc5:
`pip install 'mlir-tcgen05[prove]'`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from mlir import ir

from ._errors import CompileError
from ._mlir import MLIRError
from ._register import Context
from ._template import TemplateError

if TYPE_CHECKING:
    from ._lowered import Issued
    from ._regions import Place, Regions
    from ._symbolic import Formula
    from .layout import CpPlan, Layout

_CODES = (0, 6, 4, 2)


class ProveError(ValueError):
    """A module that cannot be looked at, or solvers that are not there or do not agree."""


class Proof(NamedTuple):
    """One statement about one copy."""

    function: str
    copy: int
    """Which copy of the function, from 0 on."""
    opcode: str
    statement: str
    """opcode, issues, start, fields, carry, tmem or swizzle; all where `holds` is None."""
    holds: bool | None
    """None: it could not be stated; `detail` says why."""
    detail: str = ""
    """An input for which it does not hold."""

    def __str__(self) -> str:
        verdict = {True: "proved", False: "refuted", None: "not stated"}[self.holds]
        text = f"{self.function} copy {self.copy} {self.opcode}: {self.statement} {verdict}"
        return f"{text}: {self.detail}" if self.detail else text


def prove(module: ir.Module | ir.Operation, *, bounded: bool = True) -> list[Proof]:
    """Proves or refutes that the copies of a module are issued at the right addresses.

    Args:
        module: stays as it is.
        bounded: False drops the promise that shared regions end below 2^18 bytes, to see that the
            proofs need it.

    Returns:
        One `Proof` for each statement and copy. All hold, unless there is a fault in the lowering.

    Raises:
        ProveError: the module does not verify or lower, or a solver is missing or gives no answer.
        TypeError: `module` is not a module.
    """
    return prove_each(module, bounded, iter)


def prove_each(
    module: ir.Module | ir.Operation, bounded: bool, each: Callable[[_Work], Iterable[_Item]]
) -> list[Proof]:
    """As `prove`; `each` hands on the copies and what was issued for them, one by one."""
    operation = getattr(module, "operation", module)
    if not isinstance(operation, ir.Operation) or operation.name != "builtin.module":
        raise TypeError(f"expected module to be an mlir.ir.Module, but got {type(module).__name__}")
    _solvers()
    try:
        operation.verify()
        # In a context of its own, which lets ops of no dialect mark what belongs together.
        text = str(operation.get_asm(print_generic_op_form=True))
        with Context() as context, ir.Location.unknown():
            context.allow_unregistered_dialects = True
            return _prove(ir.Module.parse(text), bounded, each)
    except TemplateError as error:
        raise ProveError(str(error)) from None
    except MLIRError as error:
        raise ProveError(str(CompileError.from_mlir(error))) from None


_Modes = list[tuple[int, Any]]


class _Copy(NamedTuple):
    function: str
    number: int
    opcode: str
    places: tuple[Place, Place] | None
    why: str
    """Why there are no places."""
    plan: CpPlan
    layouts: tuple[Layout, Layout]
    axes: tuple[list[_Modes], list[_Modes]]
    """Leading dimensions of destination and source: their modes."""


_Item = tuple[_Copy, "list[Issued]"]
_Work = list[_Item]


def _prove(
    module: ir.Module, bounded: bool, each: Callable[[_Work], Iterable[_Item]]
) -> list[Proof]:
    from . import _lowered
    from ._regions import Regions

    regions = Regions(bounded)
    copies: list[_Copy] = []
    operations: list[ir.Operation] = []
    for function, op in _lowered.copies(module.operation):
        number = sum(copy.function == function for copy in copies)
        copies.append(_read(function, number, op, regions))
        operations.append(op)
    issued = _lowered.issued(module, operations, regions)
    return [
        proof
        for copy, issues in each(list(zip(copies, issued, strict=True)))
        for proof in _statements(copy, issues)
    ]


def _read(function: str, number: int, op: ir.Operation, regions: Regions) -> _Copy:
    """What the specification says about one copy."""
    from ._regions import UnknownRegionError
    from .dialects.tcgen05 import SmemType, TmemType
    from .layout import plan_cp

    attributes = op.attributes
    names = [n for n in ("shape", "multicast", "decompress") if n in attributes]
    group = ir.IntegerAttr(attributes["cta_group"]).value
    opcode = ".".join([f"cta_group::{group}", *(ir.StringAttr(attributes[n]).value for n in names)])
    dst, src = TmemType(op.operands[0].type), SmemType(op.operands[1].type)
    plan = plan_cp(
        opcode,
        dst.layout,
        src.layout,
        columns=dst.columns,
        align=src.align,
        storage=src.storage,
        scope=ir.StringAttr(attributes["scope"]).value if "scope" in attributes else "thread",
    )
    layouts = dst.layout, src.layout
    axes = _leading(dst.layout), _leading(src.layout)
    try:
        places = regions.place(op.operands[0]), regions.place(op.operands[1])
    except UnknownRegionError as error:
        return _Copy(function, number, opcode, None, str(error), plan, layouts, axes)
    return _Copy(function, number, opcode, places, "", plan, layouts, axes)


def _leading(layout: Layout) -> list[_Modes]:
    """The modes of each dimension but the last two: extents and strides."""
    from ._meaning import flat

    dims = zip(layout.shape, layout.strides, strict=True)
    return [list(zip(flat(shape), flat(strides), strict=True)) for shape, strides in dims][:-2]


def _statements(copy: _Copy, issues: list[Issued]) -> Iterator[Proof]:
    """Proves what is to be proved about one copy."""
    from ._regions import FIELD_BYTES
    from ._symbolic import resized, z3

    def proof(statement: str, holds: bool | None, detail: str = "") -> Proof:
        return Proof(copy.function, copy.number, copy.opcode, statement, holds, detail)

    if copy.places is None:
        yield proof("all", None, copy.why)
        return
    target, source = copy.places
    groups, repeats, conditions = _coordinates(copy)
    if {issue.opcode for issue in issues} != {copy.opcode}:
        got = ", ".join(sorted({issue.opcode for issue in issues})) or "none"
        yield proof("opcode", False, f"issued as {got}")
    if len(issues) != len(repeats):
        yield proof("issues", False, f"expected {len(repeats)} issues, but got {len(issues)}")
        return
    conditions = [*target.conditions, *source.conditions, *conditions]
    if _decide(conditions, z3.BoolVal(False))[0]:
        yield proof("all", None, "no input keeps what is promised")
        return
    walk = copy.plan.walk
    upper = walk.ldo >> 4 << 16 | walk.sdo >> 4 << 32 | 1 << 46 | _CODES[walk.swizzle.mode] << 61
    lowest = _lowest_lane(copy.layouts[0])
    borrows = _steps_back(copy.layouts[1], len(groups))
    goals: dict[str, list[Formula]] = {"start": [], "fields": [], "carry": [], "tmem": []}
    for point, (_, taddr, before, after) in zip(repeats, issues, strict=True):
        to = _at(target, copy.axes[0], groups, point)
        start = source.base + 4 * _at(source, copy.axes[1], groups, point)["element"]
        goals["start"].append(
            z3.And(
                start & 15 == 0,
                z3.ULT(start, FIELD_BYTES),
                z3.Extract(13, 0, after) == z3.Extract(17, 4, start),
            )
        )
        goals["fields"].append(z3.LShR(after, 14) == upper >> 14)
        held = upper >> 14 if borrows else z3.LShR(before, 14)
        goals["carry"].append(z3.LShR(after, 14) == held)
        column, lane = (
            (target.base & 0xFFFF) + to["column"],
            (target.base >> 16) + to["lane"] + lowest,
        )
        goals["tmem"].append(
            z3.And(
                z3.ULT(column, 512),
                resized(z3.Extract(15, 0, taddr), 64) == column,
                z3.Extract(31, 16, taddr) == z3.Extract(15, 0, lane),
            )
        )
    for statement, parts in goals.items():
        yield proof(statement, *_decide(conditions, z3.And(*parts)))
    address, mask = z3.BitVec("address", 64), (1 << walk.swizzle.mode) - 1 << 4

    def swizzled(a: Formula) -> Formula:
        return a ^ z3.LShR(a, 3) & mask

    yield proof("swizzle", *_decide([], swizzled(swizzled(address)) == address))


def _coordinates(copy: _Copy) -> tuple[list[Formula], list[tuple[int, ...]], list[Formula]]:
    """Group coordinates, the points of the repeat axes in order, and what bounds the former."""
    from itertools import product

    from ._symbolic import THREAD, register, resized, z3

    linear = resized(THREAD, 64)
    of_scope = {
        "thread": [],
        "warp": [z3.URem(linear, 32)],
        "warpgroup": [z3.URem(z3.UDiv(linear, 32), 4), z3.URem(linear, 32)],
        "cta": [z3.UDiv(linear, 32), z3.URem(linear, 32)],
        "cluster": [
            resized(register("cluster.ctarank"), 64),
            z3.UDiv(linear, 32),
            z3.URem(linear, 32),
        ],
    }[copy.plan.scope]
    extents = [_extent(axis) for axis in copy.axes[0]]
    groups: list[Formula] = []
    conditions: list[Formula] = []
    for coordinate, extent in zip(of_scope, extents, strict=False):
        # An axis of one element has coordinate zero, whoever issues.
        groups.append(coordinate if extent > 1 else z3.BitVecVal(0, 64))
        conditions += [z3.ULT(coordinate, extent)] if extent > 1 else []
    points = product(*(range(extent) for extent in extents[len(groups) :]))
    return groups, list(points), conditions


def _at(
    place: Place, axes: list[_Modes], groups: list[Formula], point: tuple[int, ...]
) -> dict[str, Formula]:
    """Lane, column and element of one repeat of one member of the group."""
    from ._regions import along
    from ._symbolic import z3

    # Leading axes of one element may be missing on either side.
    missing = len(axes) - len(groups) - len(point)
    point = (0,) * missing + point if missing > 0 else point[-missing:]
    index = [*groups, *(z3.BitVecVal(i, 64) for i in point)]
    at = dict(place.at)
    for modes, i in zip(axes, index, strict=True):
        for axis, moved in along(modes, i).items():
            at[axis] = at[axis] + moved
    return {axis: z3.simplify(value) for axis, value in at.items()}


def _lowest_lane(layout: Layout) -> int:
    """Lanes from a row to its lowest replica, which is the one that an address names."""
    from ._meaning import LANE, stride_of

    steps = [(extent, *stride_of(stride)) for extent, stride in layout.replica]
    return sum(min(0, (extent - 1) * step) for extent, step, axis in steps if axis == LANE)


def _steps_back(layout: Layout, groups: int) -> bool:
    """Whether a run-time part of the displacement is negative."""
    from ._meaning import flat, stride_of

    strides = [leaf for dim in list(layout.strides)[:groups] for leaf in flat(dim)]
    strides += [term.multiplier for term in layout.terms]
    return any(stride_of(stride)[0] < 0 for stride in strides)


def _extent(modes: _Modes) -> int:
    total = 1
    for extent, _ in modes:
        total *= extent
    return total


def _solvers() -> None:
    try:
        for name in ("cvc5", "z3"):
            import_module(name)
    except ImportError as error:
        raise ProveError(
            f"expected z3-solver and cvc5 to be installed, but got no {error.name}; "
            "run: pip install 'mlir-tcgen05[prove]'"
        ) from None


def _decide(conditions: list[Formula], goal: Formula) -> tuple[bool, str]:
    """Whether the conditions imply the goal; if not, values for which they do not."""
    from ._symbolic import THREAD, thread, z3

    # What holds for every thread number holds for those that registers can make.
    parts = [z3.substitute(part, (thread(), THREAD)) for part in [*conditions, z3.Not(goal)]]
    solver = z3.Solver()
    solver.add(*parts)
    answer = solver.check()
    if answer == z3.unknown:
        raise ProveError(f"expected z3 to decide, but got: {solver.reason_unknown()}")
    second = _cvc5(solver.to_smt2())
    if second != str(answer):
        raise ProveError(f"expected z3 and cvc5 to agree, but got {answer} and {second}")
    if answer == z3.unsat:
        return True, ""
    model = solver.model()
    values = sorted((str(name), model[name].as_long()) for name in model)
    return False, ", ".join(f"{name} = {value:#x}" for name, value in values)


def _cvc5(text: str) -> str:
    """cvc5's answer to the same question."""
    import cvc5 as untyped

    cvc5: Any = untyped
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic QF_BV)\n{text}", "statement")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, parser.getSymbolManager()).strip() or answer
    return answer
