"""Arguments of the catalog: what may be written for them, and the errors of what may not."""

from __future__ import annotations

from ..layout import CpAtom, CpOpcode, LayoutError, Stride, Swizzle

AtomLike = str | CpAtom | CpOpcode
"""`32x128b.warpx4`, or the whole opcode: `cta_group::1.32x128b.warpx4`."""
SwizzleLike = str | int | Swizzle | None
"""None, "none", "32B", "64B", "128B", the number of bytes, or a `Swizzle`."""
Repeats = int | tuple[int, int]
"""Instructions along the rows, or (down the rows, along the rows)."""

Axis = tuple[int | tuple[int, int], int | Stride | tuple[int, int] | tuple[Stride, Stride]]
"""Extent and stride of a dimension, of one mode or of two."""

_GROUP_ROWS = 8
"""Rows that a walk reads as one group. Source: PTX ISA, shared memory descriptor."""


def atom_of(atom: AtomLike) -> CpAtom:
    if isinstance(atom, CpOpcode):
        return atom.atom
    if isinstance(atom, CpAtom):
        return atom
    if not isinstance(atom, str):
        raise TypeError(f"expected atom to be text or a CpAtom, but got {atom!r}")
    text = atom.removeprefix("tcgen05.cp.")
    return CpOpcode.parse(text if text.startswith("cta_group") else f"cta_group::1.{text}").atom


def mode_of(swizzle: SwizzleLike) -> Swizzle:
    return swizzle if isinstance(swizzle, Swizzle) else Swizzle(swizzle)


def pitch_of(swizzle: SwizzleLike) -> tuple[Swizzle, int]:
    """A mode, and the words of its tile row."""
    mode = mode_of(swizzle)
    return mode, mode.row_bytes // 4


def height_of(rows: int) -> int:
    """Rows of a tile: whole groups, so that the next tile begins where a swizzle's pattern does."""
    return -(-rows // _GROUP_ROWS) * _GROUP_ROWS


def repeats_of(repeats: Repeats) -> tuple[int, int]:
    pair = repeats if isinstance(repeats, tuple) else (1, repeats)
    if len(pair) != 2:
        raise LayoutError(f"expected repeats to be one number or two, but got {len(pair)}")
    check_positive("repeats down the rows", pair[0])
    check_positive("repeats along the rows", pair[1])
    return pair


def repeated(axes: list[Axis]) -> tuple[list[object], list[object]]:
    """Extents and strides of two repeat axes, if they are longer than one, rows and words."""
    there = [axis for axis in axes[:2] if axis[0] != 1] + axes[2:]
    return [extent for extent, _ in there], [step for _, step in there]


def entry_of(what: str, name: str, table: dict[str, int]) -> int:
    if not isinstance(name, str) or name not in table:
        raise LayoutError(f"expected {what} to be one of {', '.join(table)}, but got {name!r}")
    return table[name]


def check_positive(what: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"expected {what} to be an integer, but got {value!r}")
    if value < 1:
        raise LayoutError(f"expected {what} to be at least 1, but got {value}")


def check_multiple(what: str, value: int, step: int, why: str) -> None:
    if value % step:
        raise LayoutError(f"expected {what} to be a multiple of {step} for {why}, but got {value}")


def check_at_most(what: str, value: int, limit: int) -> None:
    if value > limit:
        raise LayoutError(f"expected {what} to be at most {limit}, but got {value}")
