"""The dialect `tcgen05`: op classes, types, and builders that take what a person writes.

    t = tcgen05.tmem_view("!tcgen05.tmem<128x4xi32, #l, columns 32>", address)
    s = tcgen05.smem_view(tcgen05.SmemType.get(None, "i32", "[128, 4] : [4, 1]"), pointer)
    tcgen05.cp("cta_group::1.128x128b", t, s)

The builders insert where the `with ir.InsertionPoint` says, or at `ip`. What an op may be is the
verifier's question (`module.operation.verify()`); the builders refuse only what they cannot spell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mlir import ir

from .._mlir import MLIRError, diagnostics_to
from ..layout import CpOpcode, LayoutError
from ._tcgen05_enum_gen import *  # noqa: F403
from ._tcgen05_ops_gen import *  # noqa: F403
from ._tcgen05_ops_gen import AddressOp, CastOp, CpOp, SliceOp, SmemViewOp, TmemViewOp
from ._tcgen05_types import LayoutAttr as LayoutAttr
from ._tcgen05_types import SmemType as SmemType
from ._tcgen05_types import TmemType as TmemType

ValueLike = ir.Value | ir.Operation | ir.OpView
"""A value, or an op that has one result."""
TypeLike = ir.Type | str
"""A type, or its text."""
OriginLike = int | ValueLike | tuple[ValueLike, int] | tuple[ValueLike, int, int]
"""`plus`, an index `value`, `(value, times)` or `(value, times, plus)`: plus + value * times."""


def tmem_view(
    type: TypeLike,  # noqa: A002
    addr: ValueLike,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """A region at an address of tensor memory.

    Args:
        type: the region, a `!tcgen05.tmem`.
        addr: an i32: lane 0 in bits 31-16, a column that is a multiple of 4 in bits 15-0.
    """
    return TmemViewOp(_type(type), addr, loc=loc, ip=ip).result


def smem_view(
    type: TypeLike,  # noqa: A002
    src: ValueLike,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """A region over shared memory.

    Args:
        type: the region, a `!tcgen05.smem`.
        src: an `!llvm.ptr<3>` or a workgroup memref.
    """
    return SmemViewOp(_type(type), src, loc=loc, ip=ip).result


def slice(  # noqa: A001
    view: ValueLike,
    origin: Sequence[OriginLike],
    sizes: Sequence[int],
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """A part of a region; its type is inferred.

    Args:
        view: the region.
        origin: for each dimension where the part begins: an integer, an index, or
            `(value, times)` or `(value, times, plus)` for plus + value * times.
        sizes: for each dimension how many coordinates it has.

    Raises:
        LayoutError: the part is not inside the region, or the strides do not express it.
        TypeError: an origin is none of the four, or `view` no value.
    """
    if not isinstance(view, (ir.Value, ir.Operation, ir.OpView)):
        raise TypeError(f"expected view to be a value, but got {view!r}")
    value = view if isinstance(view, ir.Value) else view.result
    indices: list[ValueLike] = []
    constants: list[int] = []
    multipliers: list[int] = []
    for dimension, entry in enumerate(origin):
        index, times, plus = _origin(entry, dimension)
        if index is not None:
            indices.append(index)
        constants.append(plus)
        multipliers.append(times)
    messages: list[str] = []

    def collect(diagnostic: ir.Diagnostic) -> bool:
        messages.append(diagnostic.message)
        return True

    # What the inference has to say goes into the exception, not to standard error.
    with diagnostics_to(value.context, collect):
        try:
            return SliceOp(
                value, indices, constants, multipliers, list(sizes), loc=loc, ip=ip
            ).result
        except (MLIRError, ValueError) as error:
            if isinstance(error, MLIRError):
                messages += [d.message for d in error.error_diagnostics]
            raise LayoutError("; ".join(messages) or str(error)) from None


def cast(
    type: TypeLike,  # noqa: A002
    view: ValueLike,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """The same region with a more or less static offset, or an equal layout written otherwise."""
    return CastOp(_type(type), view, loc=loc, ip=ip).result


def address(
    view: ValueLike,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """The address of coordinate zero: i32 of tensor memory, `!llvm.ptr<3>` of shared memory."""
    return AddressOp(view, loc=loc, ip=ip).result


def cp(
    opcode: str | CpOpcode,
    dst: ValueLike,
    src: ValueLike,
    pred: ValueLike | None = None,
    scope: str = "thread",
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> CpOp:
    """The copy from shared memory to tensor memory.

    Args:
        opcode: the qualifiers, `cta_group::1.128x128b` say; `tcgen05.cp.` before them is taken.
        dst: a region of tensor memory.
        src: a region of shared memory.
        pred: an i1; without it the copy is issued always.
        scope: who issues: thread, warp, warpgroup, cta or cluster.

    Raises:
        LayoutError: there is no such opcode; the message lists what its slot accepts.
    """
    cta_group, shape, multicast, decompress = _qualifiers(opcode)
    context = None if loc is None else loc.context
    i32, text = ir.IntegerType.get_signless(32, context), ir.StringAttr.get
    attributes: dict[str, ir.Attribute] = {
        "cta_group": ir.IntegerAttr.get(i32, cta_group),
        "shape": text(shape, context),
    }
    if multicast:
        attributes["multicast"] = text(multicast, context)
    if decompress:
        attributes["decompress"] = text(decompress, context)
    if scope != "thread":  # the default
        attributes["scope"] = text(scope, context)
    # What the generated constructor ends with: its look-up of each attribute's builder would take
    # as long again as all of the rest.
    op = CpOp.__new__(CpOp)
    ir.OpView.__init__(
        op,
        CpOp.OPERATION_NAME,
        CpOp._ODS_REGIONS,
        CpOp._ODS_OPERAND_SEGMENTS,
        CpOp._ODS_RESULT_SEGMENTS,
        attributes=attributes,
        results=[],
        operands=[dst, src] if pred is None else [dst, src, pred],
        loc=loc,
        ip=ip,
    )
    return op


@lru_cache(maxsize=64)  # there are 36 opcodes
def _qualifiers(opcode: str | CpOpcode) -> tuple[int, str, str, str]:
    """CTA group, shape, multicast and decompress of an opcode; empty where there is none."""
    code = opcode if isinstance(opcode, CpOpcode) else CpOpcode.parse(opcode)
    return code.cta_group, code.atom.shape, code.atom.multicast, code.decompress


def _type(type: TypeLike) -> ir.Type:  # noqa: A002
    return ir.Type.parse(type) if isinstance(type, str) else type


def _origin(entry: OriginLike, dimension: int) -> tuple[ValueLike | None, int, int]:
    """Index, multiplier and constant of an origin; no index and a multiplier of 0 if known."""
    if isinstance(entry, int) and not isinstance(entry, bool):
        return None, 0, entry
    several = isinstance(entry, tuple) and len(entry) in (2, 3)
    given: Any = entry
    parts: tuple[Any, ...] = given if several else (given, 1)
    value, times, plus = (*parts, 0)[:3]
    numbers = [n for n in (times, plus) if isinstance(n, int) and not isinstance(n, bool)]
    if not isinstance(value, (ir.Value, ir.Operation, ir.OpView)) or len(numbers) != 2:
        raise TypeError(
            f"expected origin of dimension {dimension} to be an integer, a value, (value, times) "
            f"or (value, times, plus), but got {entry!r}"
        )
    if times < 1:
        raise LayoutError(
            f"expected slice multiplier of dimension {dimension} to be positive, but got {times}"
        )
    return value, times, plus
