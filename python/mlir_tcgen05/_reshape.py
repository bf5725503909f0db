"""Small surgery on layouts: what the search for a legal copy changes a layout by.

A dimension is taken as its modes, (extent, stride) pairs from the outermost to the innermost; a
stride is an int of elements, or a `Stride` of lanes or columns. Every function returns a new
layout, or None where the change cannot be expressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from .layout import CpAtom, Layout, Stride, Swizzle, Term, col, lane

Step = int | Stride
Modes = list[tuple[int, Step]]

BLOCK_ROWS = 8
CHUNK_WORDS = 4
CHUNK_BYTES = 16
WORD_BYTES = 4


def modes(extent: Any, stride: Any) -> Modes:
    """The modes of a dimension, nested or not."""
    if isinstance(extent, int):
        return [(extent, stride)]
    return [mode for e, s in zip(extent, stride, strict=True) for mode in modes(e, s)]


def dims(layout: Layout) -> list[Modes]:
    """The modes of each dimension."""
    return [modes(e, s) for e, s in zip(layout.shape, layout.strides, strict=True)]


def size(dim: Modes) -> int:
    """How many coordinates a dimension has."""
    return prod(extent for extent, _ in dim)


def remade(layout: Layout, dimensions: Sequence[Modes] | None = None, **parts: Any) -> Layout:
    """The layout with other dimensions, `replica`, `offset` or `swizzle`."""
    shape, strides = layout.shape, layout.strides
    if dimensions is not None:
        nested = [_folded(dim) for dim in dimensions]
        shape, strides = [n[0] for n in nested], [n[1] for n in nested]
    kept: dict[str, Any] = {
        "replica": layout.replica,
        "offset": layout.offset,
        "swizzle": layout.swizzle,
    }
    return Layout(shape, strides, **{**kept, **parts})


def _folded(dim: Modes) -> tuple[Any, Any]:
    """Extent and stride of a dimension: adjacent modes that are one are merged, units dropped."""
    merged: Modes = []
    for extent, stride in dim:
        if extent == 1 and len(dim) > 1:
            continue
        if merged and (joined := _joined(merged[-1], (extent, stride))):
            merged[-1] = joined
        else:
            merged.append((extent, stride))
    merged = merged or dim[-1:]
    if len(merged) == 1:
        return merged[0]
    return tuple(e for e, _ in merged), tuple(s for _, s in merged)


def _joined(outer: tuple[int, Step], inner: tuple[int, Step]) -> tuple[int, Step] | None:
    if axis(outer[1]) != axis(inner[1]) or number(outer[1]) != number(inner[1]) * inner[0]:
        return None
    return outer[0] * inner[0], inner[1]


def number(step: Step) -> int:
    """The number of a stride, whatever it counts."""
    return step if isinstance(step, int) else step.value


def axis(step: Step) -> str | None:
    """`lane` or `col`; None for memory."""
    return None if isinstance(step, int) else step.axis.name


def scaled(step: Step, value: int) -> Step:
    """A stride along the same axis."""
    return value if isinstance(step, int) else Stride(value, step.axis)


def split(dim: Modes, inner: int) -> tuple[Modes, Modes] | None:
    """A dimension as an outer one and an inner one of `inner` coordinates."""
    outer_part, left = list(dim), inner
    inner_part: Modes = []
    while left > 1:
        if not outer_part:
            return None
        extent, stride = outer_part.pop()
        if left % extent == 0:
            inner_part.insert(0, (extent, stride))
            left //= extent
        elif extent % left == 0:
            inner_part.insert(0, (left, stride))
            outer_part.append((extent // left, scaled(stride, number(stride) * left)))
            left = 1
        else:
            return None
    zero = scaled(dim[-1][1], 0)
    return outer_part or [(1, zero)], inner_part or [(1, zero)]


def tiled(layout: Layout, rows: int, words: int, groups: int) -> Layout | None:
    """Rows and words that are several atoms, with the atoms as repeats behind the group axes."""
    dimensions = dims(layout)
    if len(dimensions) < groups + 2:
        return None
    row_parts, word_parts = split(dimensions[-2], rows), split(dimensions[-1], words)
    if row_parts is None or word_parts is None:
        return None
    (row_repeats, row), (word_repeats, word) = row_parts, word_parts
    repeats = [dim for dim in (row_repeats, word_repeats) if size(dim) > 1]
    return remade(layout, [*dimensions[:-2], *repeats, row, word])


def sliced(layout: Layout, sizes: Sequence[int]) -> Layout | None:
    """The part at the origin with these sizes."""
    try:
        return layout.slice([0] * layout.rank, sizes)
    except ValueError:
        return None


def words_of(layout: Layout, bits: int) -> Layout | None:
    """The same bytes of shared memory as words, of a layout of elements of `bits`."""
    dimensions = dims(layout)
    extent, stride = dimensions[-1][-1]
    if bits >= 32:
        times = bits // 32
        if number(stride) != 1:
            dimensions[-1].append((times, 0))
        scale: Callable[[int], int | None] = lambda value: value * times  # noqa: E731
        last = (extent * times, 1) if number(stride) == 1 else (times, 1)
    else:
        per_word = 32 // bits
        if number(stride) != 1 or extent % per_word:
            return None
        scale = lambda value: None if value % per_word else value // per_word  # noqa: E731
        last = (extent // per_word, 1)
    steps = [[(e, scale(number(s))) for e, s in dim] for dim in dimensions]
    steps[-1][-1] = last
    offset: list[Any] = []
    for entry in layout.offset:
        term = entry if isinstance(entry, Term) else None
        moved = scale(number(entry.multiplier if isinstance(entry, Term) else entry))
        if moved is None:
            return None
        offset.append(moved if term is None else Term(term.count, moved))
    if any(step is None for dim in steps for extent, step in dim if extent > 1):
        return None
    whole: list[Modes] = [[(e, s or 0) for e, s in dim] for dim in steps]
    return remade(layout, whole, offset=offset)


def constant(layout: Layout, along: str | None) -> int:
    """The constant part of the offset along an axis."""
    entries = (e for e in layout.offset if not isinstance(e, Term))
    return sum(number(entry) for entry in entries if axis(entry) == along)


def at(layout: Layout, along: str | None, value: int) -> Layout:
    """The layout with another constant part of the offset along an axis."""
    kept = [e for e in layout.offset if isinstance(e, Term) or axis(e) != along]
    step: Step = value if along is None else Stride(value, lane if along == "lane" else col)
    return remade(layout, offset=[*kept, *([step] if value else [])])


def terms_mapped(layout: Layout, change: Callable[[Term], Term]) -> Layout:
    """The layout with every run-time term of its offset replaced."""
    return remade(layout, offset=[change(e) if isinstance(e, Term) else e for e in layout.offset])


def leading_mapped(layout: Layout, change: Callable[[int, Step], Step]) -> Layout:
    """The layout with the strides of its group and repeat axes replaced."""
    changed = [[(e, change(e, s)) for e, s in dim] for dim in dims(layout)[:-2]]
    return remade(layout, [*changed, *dims(layout)[-2:]])


def rows_and_words(layout: Layout, rows: Modes, words: Modes) -> Layout:
    """The layout with other rows and words behind the same group and repeat axes."""
    return remade(layout, [*dims(layout)[:-2], rows, words])


def atom_rows(atom: CpAtom) -> Modes:
    """The lanes of an atom's rows."""
    step = atom.lane(1) - atom.lane(0)
    together = next((r for r in range(atom.rows) if atom.lane(r) != r * step), atom.rows)
    inner: Modes = [(together, step @ lane)]
    if together == atom.rows:
        return inner
    return [(atom.rows // together, atom.lane(together) @ lane), *inner]


def atom_replica(atom: CpAtom) -> list[tuple[int, Stride]]:
    """The replicas of an atom."""
    return [(atom.replicas, atom.replica_stride @ lane)] if atom.replicas > 1 else []


def walk_modes(
    atom: CpAtom, swizzle: Swizzle, ldo: int | None = None, sdo: int | None = None
) -> tuple[Modes, Modes]:
    """Rows and words, in words of memory, as a walk reads them; packed where no stride is given.

    Args:
        ldo, sdo: bytes.
    """
    pitch = swizzle.row_bytes
    blocks = max(1, atom.rows // BLOCK_ROWS)
    sdo = BLOCK_ROWS * pitch if sdo is None else sdo
    rows: Modes = [(blocks, sdo // WORD_BYTES), (atom.rows // blocks, pitch // WORD_BYTES)]
    if swizzle.mode:
        return rows, [(atom.words, 1)]
    ldo = blocks * BLOCK_ROWS * pitch if ldo is None else ldo
    return rows, [(atom.words // CHUNK_WORDS, ldo // WORD_BYTES), (CHUNK_WORDS, 1)]
