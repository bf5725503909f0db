"""What a `tcgen05.cp` means: each word of one region goes where the other region has it.

Nothing here knows of descriptors, walks, lanes of a shape or instructions. A layout is a function
from a coordinate to places; a copy reads every coordinate of its source and writes the word to
every place of the same coordinate of its destination. The lowering is right where running what it
issues leaves the same TMEM image: `simulate(module, ...) == meaning(...)`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from . import reference
from ._copy import AXIS_EXTENTS, GROUP_AXES
from .layout import CpOpcode, Layout, Stride, Term, lane

if TYPE_CHECKING:
    from mlir import ir

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Region:
    """A layout somewhere in memory, or a part of it.

    Attributes:
        layout: a `Layout` or its text.
        base: what the view was made from: a TMEM address, or a shared byte address.
        terms: a value for each run-time term, in the order of `layout.terms`.
        origin: the first coordinate of a slice, or None for all of the region.
        sizes: the extents of that slice.
    """

    layout: Layout | str
    base: int = 0
    terms: Sequence[int] = ()
    origin: Sequence[int] | None = None
    sizes: Sequence[int] | None = None

    def places(self) -> tuple[Layout, tuple[int, ...], dict[str, Integers]]:
        """Evaluates the layout on every coordinate.

        Returns:
            The layout, the extents, and for each axis an array of these extents with one more for
            the replicas: lanes, columns, or elements from the base.

        Raises:
            ValueError: terms, origin or sizes do not fit the layout, or the base is no address.
            TypeError: one of them, or the base, is no integer.
        """
        if not 0 <= _integer("base", self.base) < 1 << 32:
            raise ValueError(f"expected base to have 32 bits, but got {self.base}")
        layout = self.layout if isinstance(self.layout, Layout) else Layout.parse(self.layout)
        extents = tuple(_product(flat(dim)) for dim in layout.shape)
        origin = (0,) * len(extents) if self.origin is None else _integers("origin", self.origin)
        sizes = extents if self.sizes is None else _integers("sizes", self.sizes)
        if not len(origin) == len(sizes) == len(extents):
            raise ValueError(
                f"expected origin and sizes to have {len(extents)} entries, "
                f"but got {len(origin)} and {len(sizes)}"
            )
        for dim, (at, size, extent) in enumerate(zip(origin, sizes, extents, strict=True)):
            if at < 0 or size < 1 or at + size > extent:
                raise ValueError(
                    f"expected the slice to be inside extent {extent} of dimension {dim}, "
                    f"but got {at} to {at + size - 1}"
                )
        found = {axis: np.zeros((*sizes, 1), np.int64) for axis in (LANE, COLUMN, ELEMENT)}
        for dim in range(len(extents)):
            index = np.arange(origin[dim], origin[dim] + sizes[dim])
            shape = [1] * (len(extents) + 1)
            shape[dim] = sizes[dim]
            for axis, steps in _along(layout.shape[dim], layout.strides[dim], index).items():
                found[axis] = found[axis] + steps.reshape(shape)
        copies = {axis: np.zeros(1, np.int64) for axis in found}
        for extent, stride in layout.replica:
            value, axis = stride_of(stride)
            for each in copies:
                step = value if each == axis else 0
                steps = step * np.arange(extent, dtype=np.int64)
                copies[each] = (copies[each][:, None] + steps).ravel()
        for axis, constant in self.offset(layout).items():
            found[axis] = found[axis] + copies[axis] + constant
        return layout, sizes, found

    def offset(self, layout: Layout) -> dict[str, int]:
        """Constant and run-time parts of the offset, summed for each axis."""
        total = {axis: 0 for axis in (LANE, COLUMN, ELEMENT)}
        for entry in layout.offset:
            if not isinstance(entry, Term):
                value, axis = stride_of(entry)
                total[axis] += value
        terms, values = list(layout.terms), _integers("terms", self.terms)
        if len(terms) != len(values):
            raise ValueError(f"expected {len(terms)} values of terms, but got {len(values)}")
        for term, i in zip(terms, values, strict=True):
            if not 0 <= i < term.count:
                raise ValueError(f"expected a term to be in 0 to {term.count - 1}, but got {i}")
            value, axis = stride_of(term.multiplier)
            total[axis] += value * i
        return total


LANE, COLUMN, ELEMENT = "lane", "column", "element"
RegionLike = Region | Layout | str
"""A region; or its layout, at address zero, with no run-time terms."""


def meaning(
    opcode: str,
    dst: RegionLike | ir.Type,
    src: RegionLike | ir.Type,
    shared: reference.Bytes,
    *,
    scope: str = "thread",
    group: Sequence[int] = (),
    pred: bool = True,
    tmem: reference.Tmem | reference.Words | None = None,
) -> reference.Tmem:
    """The TMEM image after one `tcgen05.cp`, straight from the layouts of its operands.

    Args:
        opcode: as the op has it. Only its format is looked at.
        dst: region of tensor memory, shape (group axes..., repeats..., rows, words), or the type
            of one at address zero.
        src: region of shared memory, the same shape, elements of 32 bits.
        shared: uint8[...]: byte a is the byte at shared address a.
        scope: thread, warp, warpgroup, cta or cluster.
        group: the coordinates of the thread that issues, one for each group axis: CTA rank, warp,
            lane, as far as the scope has them. An axis of one element is the same for all.
        pred: False: nothing is copied.
        tmem: the image before, all poison by default. It stays as it is.

    Raises:
        ValueError: the regions do not have the same shape, lead outside of an image, or do not
            have the thread; or one is of the other memory.
        TypeError: an address or a coordinate is no integer.
    """
    result = reference.Tmem()
    if isinstance(tmem, reference.Tmem):
        result.words, result.written = tmem.words.copy(), tmem.written.copy()
    elif tmem is not None:
        result = reference.Tmem(tmem)
    if not pred:
        return result
    if not isinstance(scope, str) or scope not in GROUP_AXES:
        raise ValueError(f"expected scope to be one of {', '.join(GROUP_AXES)}, but got {scope!r}")
    axes = len(GROUP_AXES[scope])
    target, source = _region(dst), _region(src)
    _, sizes, to = target.places()
    layout, source_sizes, elements = source.places()
    if len(sizes) < axes + 2:
        raise ValueError(f"expected dst to have {axes + 2} dimensions or more, but got {sizes}")
    shape = _issue_shape(sizes, axes)
    if sizes[:axes] != source_sizes[:axes] or shape != _issue_shape(source_sizes, axes):
        raise ValueError(f"expected src of shape {sizes}, but got {source_sizes}")
    if to[ELEMENT].any():
        raise ValueError("expected dst to be of lanes and columns, but got elements of memory")
    if elements[LANE].any() or elements[COLUMN].any():
        raise ValueError("expected src to be of elements of memory, but got lanes or columns")
    # One thread's slice; of each coordinate one place in memory, and all places in TMEM.
    at = _slice_of(scope, _integers("group", group), sizes)
    read = source.base + 4 * elements[ELEMENT][at].reshape(shape)
    words = _load(shared, _swizzled(layout, read))
    bits = {None: 0, "b8x16.b4x16_p64": 4, "b8x16.b6x16_p32": 6}[CpOpcode.parse(opcode).decompress]
    if bits:
        packed = words.astype("<u4").view(np.uint8)
        words = reference.decompress(packed, bits).view("<u4").astype(np.uint32)
    lanes = (target.base >> 16) + to[LANE][at].reshape(*shape, -1)
    columns = (target.base & 0xFFFF) + to[COLUMN][at].reshape(*shape, -1)
    if lanes.min() < 0 or lanes.max() >= reference.LANES:
        raise ValueError(f"expected lanes 0 to 127, but got {lanes.min()} to {lanes.max()}")
    if columns.min() < 0 or columns.max() >= reference.COLUMNS:
        raise ValueError(f"expected columns 0 to 511, but got {columns.min()} to {columns.max()}")
    result.words[lanes, columns] = words[..., None]
    result.written[lanes, columns] = True
    return result


def _region(region: RegionLike | ir.Type) -> Region:
    if isinstance(region, Region):
        return region
    if isinstance(region, Layout | str):
        return Region(region)
    from .dialects.tcgen05 import SmemType, TmemType

    if TmemType.isinstance(region):
        return Region(TmemType(region).layout)
    return Region(SmemType(region).layout)


def _slice_of(scope: str, group: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Where the slice of a thread lies on the group axes."""
    names = GROUP_AXES[scope]
    if len(group) != len(names):
        raise ValueError(f"expected {len(names)} group coordinates, but got {len(group)}")
    for name, i, extent in zip(names, group, sizes, strict=False):
        most = AXIS_EXTENTS.get(name) if extent == 1 else extent
        if i < 0 or (most is not None and i >= most):
            limits = "0 or more" if most is None else f"in 0 to {most - 1}"
            raise ValueError(f"expected the {name} of group to be {limits}, but got {i}")
    return tuple(0 if extent == 1 else i for i, extent in zip(group, sizes, strict=False))


def _integer(what: str, value: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"expected {what} to be an integer, but got {value!r}") from None


def _integers(what: str, values: Sequence[int]) -> tuple[int, ...]:
    return tuple(_integer(f"{what}[{i}]", value) for i, value in enumerate(values))


def _issue_shape(sizes: tuple[int, ...], axes: int) -> tuple[int, ...]:
    """(issues, rows, words): repeats in one dimension, group axes gone."""
    return _product(sizes[axes:-2]), *sizes[-2:]


def _load(shared: reference.Bytes, addresses: Integers) -> reference.Words:
    memory = np.asarray(shared)
    if memory.dtype != np.uint8 or memory.ndim != 1:
        raise ValueError(
            f"expected shared to be uint8[bytes], but got {memory.dtype}{memory.shape}"
        )
    if addresses.min() < 0 or addresses.max() + 4 > memory.size:
        raise ValueError(
            f"expected src inside the shared image of {memory.size} bytes, "
            f"but got bytes {addresses.min()} to {addresses.max() + 3}"
        )
    data = memory[addresses[..., None] + np.arange(4)]
    return np.ascontiguousarray(data).view("<u4")[..., 0].astype(np.uint32)


def _swizzled(layout: Layout, address: Integers) -> Integers:
    """Permutes the 16-byte chunks of each 128 bytes by the number of the 128 bytes."""
    chunk, rest = address // 16, address % 16
    mode = layout.swizzle.mode
    return 16 * (chunk ^ chunk // 8 % 2**mode) + rest


def _along(shape: Any, strides: Any, index: Integers) -> dict[str, Integers]:
    """What one dimension adds: its index in mixed radix, the last mode varying fastest."""
    total: dict[str, Integers] = {}
    for extent, stride in reversed(list(zip(flat(shape), flat(strides), strict=True))):
        value, axis = stride_of(stride)
        total[axis] = total.get(axis, 0) + index % extent * value
        index = index // extent
    return total


def flat(nested: Any) -> list[Any]:
    if isinstance(nested, tuple | list):
        parts = cast("list[Any]", nested)
        return [leaf for part in parts for leaf in flat(part)]
    return [nested]


def stride_of(stride: int | Stride) -> tuple[int, str]:
    if isinstance(stride, Stride):
        return stride.value, LANE if stride.axis == lane else COLUMN
    return stride, ELEMENT


def _product(extents: Sequence[int]) -> int:
    total = 1
    for extent in extents:
        total *= extent
    return total
