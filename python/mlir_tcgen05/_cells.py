"""What a copy reads and writes as cells of a picture: runs of words beside each other.

Cells come from the layouts, not from a plan, so that an illegal copy is drawn as it was written.
Run-time terms are zero, and both views begin at address zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from ._copy import Copy, bits

LINE_BYTES = 128
"""Bytes of a line of shared memory: 32 banks of 4."""
_MOST = 2**15
"""Words of each side that a picture is ready to hold."""


@dataclass(frozen=True)
class Cell:
    """Words of one row that lie side by side.

    Attributes:
        repeat: number of the instruction, group members first.
        row: of the source.
        word: the first of them.
        words: how many.
        later: True past the first four words, 16 bytes, of the row.
        replica: 0 for the first copy of a row, 1 for the next.
        major: the line of shared memory, or the lane.
        minor: the byte in the line, or the column.
        extent: bytes, or columns.
    """

    repeat: int
    row: int
    word: int
    words: int
    later: bool
    replica: int
    major: int
    minor: int
    extent: int


@dataclass(frozen=True)
class Cells:
    """Both sides of a copy.

    Attributes:
        src, dst: cells in the order of repeats, rows, words.
        drawn, repeats: how many repeats they show, and how many there are.
        rows: rows of an instruction.
    """

    src: tuple[Cell, ...]
    dst: tuple[Cell, ...]
    drawn: int
    repeats: int
    rows: int


def cells(copy: Copy, most: int) -> Cells:
    """The cells of a copy.

    Args:
        most: repeats to show; fewer where they would be too many cells.

    Raises:
        ValueError: one instruction is more than a picture can hold, or `most` is not positive.
    """
    if most < 1:
        raise ValueError(f"expected repeats to be positive, but got {most}")
    words = max(prod(layout.sizes[-2:]) for layout in (copy.src, copy.dst))
    if words > _MOST:
        raise ValueError(f"expected at most {_MOST} words in a row of repeats, but got {words}")
    total = max(prod(layout.sizes[:-2]) for layout in (copy.src, copy.dst))
    drawn = min(most, total, _MOST // words)
    return Cells(
        tuple(_source(copy, drawn)), tuple(_destination(copy, drawn)), drawn, total, _rows(copy)
    )


def _rows(copy: Copy) -> int:
    return max(layout.sizes[-2] if layout.rank > 1 else 1 for layout in (copy.src, copy.dst))


def _points(sizes: Iterable[int], drawn: int) -> Iterable[tuple[int, tuple[int, ...]]]:
    """Number and coordinates of the repeats that are drawn."""
    return enumerate(islice(product(*map(range, sizes)), drawn))


def _source(copy: Copy, drawn: int) -> Iterable[Cell]:
    layout, width = copy.src, max(1, bits(copy.src_element) // 8)
    for repeat, lead in _points(layout.sizes[:-2], drawn):
        for point in product(*map(range, layout.sizes[-2:-1])):
            places: list[tuple[int, int]] = []
            for word in range(layout.sizes[-1]):
                byte = layout.swizzle.apply(layout.place([*lead, *point, word])[0] * width)
                places.append((byte // LINE_BYTES, byte % LINE_BYTES))
            yield from _runs(places, repeat, point[0] if point else 0, 0, width, 16)


def _destination(copy: Copy, drawn: int) -> Iterable[Cell]:
    layout = copy.dst
    for repeat, lead in _points(layout.sizes[:-2], drawn):
        for point in product(*map(range, layout.sizes[-2:-1])):
            words = [layout.place([*lead, *point, w]) for w in range(layout.sizes[-1])]
            for replica in range(len(words[0])):
                places = [word[replica] for word in words]
                yield from _runs(places, repeat, point[0] if point else 0, replica, 1, 4)


def _runs(
    places: list[tuple[int, int]], repeat: int, row: int, replica: int, step: int, chunk: int
) -> Iterable[Cell]:
    """Places as runs that neither leave their line nor a block of four words, `chunk` long."""
    first = 0
    for index in range(1, len(places) + 1):
        if index < len(places):
            (major, minor), (line, at) = places[index - 1], places[index]
            if line == major and at == minor + step and at % chunk:
                continue
        major, minor = places[first]
        words = index - first
        later = first * step >= chunk
        yield Cell(repeat, row, first, words, later, replica, major, minor, words * step)
        first = index


def segments(values: Iterable[int], gap: int = 2) -> list[tuple[int, int]]:
    """Ranges that hold all values; what lies between two of them is left out of a picture."""
    out: list[tuple[int, int]] = []
    for value in sorted(set(values)):
        if out and value - out[-1][1] <= gap:
            out[-1] = out[-1][0], value
        else:
            out.append((value, value))
    return out
