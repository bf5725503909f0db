"""Where the regions of a copy lie, as formulas over the values that the program computes.

This is the specification's side of a proof. It is read from the operations of the dialect before
they are lowered: a view begins at its address, a slice at the place that the layout of its operand
gives to the slice's origin, a cast where its operand does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mlir import ir

from ._meaning import COLUMN, ELEMENT, LANE, Region, flat, stride_of
from ._symbolic import Formula, constant, resized, width, z3
from .dialects.tcgen05 import SmemType, TmemType
from .layout import Layout

FIELD_BYTES = 1 << 18
"""What the address field of a descriptor can hold."""


class UnknownRegionError(ValueError):
    """A region whose place cannot be stated: one that comes out of control flow."""


@dataclass
class Place:
    """Where a region lies.

    Attributes:
        base: 64 bits: the address that the view was made from.
        at: lanes, columns or elements from there to coordinate zero, 64 bits each.
        conditions: what the program promises.
    """

    base: Formula
    at: dict[str, Formula]
    conditions: list[Formula] = field(default_factory=list[Formula])


def number(value: int) -> Formula:
    """64 bits."""
    return z3.BitVecVal(value, 64)


class Regions:
    """Follows regions to the values that they begin at.

    Attributes:
        leaves: the values that formulas are about, with their variables.
        arguments: variables of function arguments that are regions: what the lowered one holds.
    """

    def __init__(self, bounded: bool) -> None:
        self._bounded = bounded
        self.leaves: dict[ir.Value, Formula] = {}
        self.arguments: dict[ir.Value, Formula] = {}
        self._places: dict[ir.Value, Place] = {}

    def leaf(self, value: ir.Value) -> Formula:
        """The variable of a value, 64 bits unless it is an integer; a constant is itself."""
        fixed = constant(value)
        if fixed is not None:
            return fixed
        if value not in self.leaves:
            name = f"v{len(self.leaves)}"
            self.leaves[value] = z3.BitVec(name, width(value.type))
        return self.leaves[value]

    def place(self, value: ir.Value) -> Place:
        """Where a region lies.

        Raises:
            UnknownRegionError: control flow decides that.
        """
        if value not in self._places:
            self._places[value] = self._find(value)
        return self._places[value]

    def _find(self, value: ir.Value) -> Place:
        owner = value.owner
        op = owner if isinstance(owner, ir.Block) else owner.operation
        if isinstance(op, ir.Block):
            return self._argument(value, op)
        if op.name == "tcgen05.tmem_view":
            address = resized(self.leaf(op.operands[0]), 64)
            return Place(address, _zero(value.type), self._promise(address, value.type))
        if op.name == "tcgen05.smem_view":
            source = op.operands[0]
            pointer = resized(self.leaf(source), 64)
            address = pointer + _memref_offset(source.type)
            conditions = [z3.ULT(pointer, 1 << 32), *self._promise(address, value.type)]
            return Place(address, _zero(value.type), conditions)
        if op.name == "tcgen05.slice":
            return self._slice(op.operation)
        if op.name == "tcgen05.cast":
            return self.place(op.operands[0])
        raise UnknownRegionError(f"expected region to be a view, but got the result of '{op.name}'")

    def _argument(self, value: ir.Value, block: ir.Block) -> Place:
        function = block.owner.operation
        if function.name not in ("func.func", "gpu.func", "llvm.func") or (
            block != function.regions[0].blocks[0]
        ):
            raise UnknownRegionError("expected region to be a view, but got an argument of a block")
        kind = value.type
        name = f"a{len(self.arguments)}"
        base = z3.BitVec(name, 32)
        address = resized(base, 64)
        place = Place(address, _zero(kind), self._promise(address, kind))
        held = address
        for i, term in enumerate(_layout(kind).terms):
            index = z3.BitVec(f"{name}.term{i}", 64)
            place.conditions.append(z3.ULT(index, term.count))
            step, axis = stride_of(term.multiplier)
            place.at[axis] = place.at[axis] + index * step
            held = held + index * {LANE: step << 16, COLUMN: step, ELEMENT: 4 * step}[axis]
        self.arguments[value] = z3.Extract(31, 0, held)
        return place

    def _slice(self, op: ir.Operation) -> Place:
        whole = self.place(op.operands[0])
        layout = _layout(op.operands[0].type)
        part = Place(whole.base, dict(whole.at), list(whole.conditions))
        names = ("constants", "multipliers", "sizes")
        lists = [ir.DenseI64ArrayAttr(op.attributes[name]) for name in names]
        indices = iter(list(op.operands)[1:])
        for dim, (plus, times, size) in enumerate(zip(*lists, strict=True)):
            origin = number(plus)
            modes = list(zip(flat(layout.shape[dim]), flat(layout.strides[dim]), strict=True))
            if times:
                index = resized(self.leaf(next(indices)), 64, signed=True)
                extent = _product([mode_extent for mode_extent, _ in modes])
                last = (extent - size - plus) // times
                part.conditions += [index >= 0, index <= last]
                origin = origin + index * times
            for axis, moved in along(modes, origin).items():
                part.at[axis] = part.at[axis] + moved
        return part

    def _promise(self, address: Formula, kind: ir.Type) -> list[Formula]:
        """What the address of a view may be."""
        if TmemType.isinstance(kind):
            column = address & 0xFFFF
            columns = TmemType(kind).columns
            return [column & 3 == 0, z3.ULE(column + columns, 512)]
        region = SmemType(kind)
        conditions = [address & (region.align - 1) == 0]
        if self._bounded:
            conditions.append(z3.ULE(address + _storage(region), FIELD_BYTES))
        return conditions


def along(modes: list[tuple[int, Any]], index: Formula) -> dict[str, Formula]:
    """What an index of one dimension adds: digits in mixed radix, the last varying fastest."""
    total: dict[str, Formula] = {}
    span = _product([extent for extent, _ in modes])
    first = True
    for extent, stride in modes:
        span //= extent
        step, axis = stride_of(stride)
        if extent == 1 or step == 0:
            continue
        digit = z3.UDiv(index, number(span)) if span > 1 else index
        if not first:
            digit = z3.URem(digit, number(extent))
        first = False
        total[axis] = total.get(axis, number(0)) + digit * step
    return total


def region_type(kind: ir.Type) -> TmemType | SmemType:
    """The type with its properties."""
    return TmemType(kind) if TmemType.isinstance(kind) else SmemType(kind)


def _layout(kind: ir.Type) -> Layout:
    return region_type(kind).layout


def _zero(kind: ir.Type) -> dict[str, Formula]:
    """The constant part of a type's offset."""
    layout = _layout(kind)
    values = Region(layout, terms=(0,) * len(list(layout.terms))).offset(layout)
    return {axis: number(value) for axis, value in values.items()}


def _storage(region: SmemType) -> int:
    """Bytes of the region: as given, or the image, in whole rows where it is swizzled."""
    if region.storage is not None:
        return region.storage
    layout = region.layout
    terms = list(layout.terms)
    steps = [stride_of(term.multiplier)[0] for term in terms]
    last = [t.count - 1 if s > 0 else 0 for t, s in zip(terms, steps, strict=True)]
    _, _, places = Region(layout, terms=last).places()
    end = 4 * int(places[ELEMENT].max()) + 4
    return end if layout.swizzle.mode == 0 else -(-end // 128) * 128


def _memref_offset(kind: ir.Type) -> int:
    """Bytes from a memref's pointer to its first element."""
    if not isinstance(kind, ir.MemRefType):
        return 0
    _, offset = kind.get_strides_and_offset()
    element = kind.element_type
    lanes = 1
    if isinstance(element, ir.VectorType):
        lanes = _product(list(element.shape))
        element = element.element_type
    bits = getattr(element, "width", 64)
    return offset * lanes * -(-bits // 8)


def _product(extents: list[int]) -> int:
    total = 1
    for extent in extents:
        total *= extent
    return total
