"""K-major tiles in shared memory, and what an atom makes of them in tensor memory."""

from __future__ import annotations

from ..layout import CpAtom, Layout, LayoutError, col, lane
from ._arguments import (
    AtomLike,
    Axis,
    Repeats,
    SwizzleLike,
    atom_of,
    check_at_most,
    check_multiple,
    check_positive,
    entry_of,
    height_of,
    mode_of,
    pitch_of,
    repeated,
    repeats_of,
)

PACKED_BYTES = {"fp4": 8, "fp6": 12}
"""Bytes of 16 packed values, with which a block of 16 bytes begins; the rest is padding. Source:
PTX ISA, tcgen05.cp, decompression: b4x16_p64 and b6x16_p32."""


def k_major(rows: int, words: int, swizzle: SwizzleLike = None) -> Layout:
    """A K-major matrix in shared memory: who lies where, for who fills it.

    A row of a tile is as long as the swizzle says (16 bytes without); its rows follow one another.
    A longer row goes on in the next tile. It is what a TMA box of that inner length leaves behind,
    and what `tcgen05.mma` reads as a K-major operand.

        words   0 .. 31     32 .. 63           swizzle 128B: 32 words = 64 of bf16 to a tile row
        row 0  [byte 0  ]  [byte 128 * rows    ]
        row 1  [byte 128]  [byte 128 * rows + 128]
        row 2  [byte 256]   ...                (before swizzling)

    Args:
        rows: M or N.
        words: K in words of 32 bits: one tile row or a part of it, or a multiple of one.
        swizzle: the mode; a tile row has 4, 8, 16 or 32 words.

    Returns:
        Shape (rows, words), in words.

    Raises:
        LayoutError: `words` is more than a tile row and no multiple of one.

    Source: PTX ISA, shared memory descriptor, canonical layouts.
    """
    mode, pitch = pitch_of(swizzle)
    check_positive("rows", rows)
    check_positive("words", words)
    if words <= pitch:
        return Layout((rows, words), (pitch, 1), swizzle=mode)
    check_multiple("words", words, pitch, f"swizzle {mode}")
    extents = rows, (words // pitch, pitch)
    return Layout(extents, (pitch, (height_of(rows) * pitch, 1)), swizzle=mode)


def smem_k_major(atom: AtomLike, swizzle: SwizzleLike = None, repeats: Repeats = 1) -> Layout:
    """The matrix of `k_major` as a copy reads it: cut into blocks of one instruction each.

        128x256b, swizzle 128B, repeats = 4                128x256b, no swizzle: rows of 16 bytes
                 words 0-7  8-15  16-23  24-31                      words 0-3      words 4-7
        row 0    [  #0  |   #1  |   #2  |  #3 ]            row 0    [byte 0   ]    [byte 2048]
        row 1    [  #0  |   #1  |   #2  |  #3 ]            row 1    [byte 16  ]    [byte 2064]
        ...                                                ...

    Args:
        atom: which instruction.
        swizzle: the mode.
        repeats: instructions along the rows, or (down the rows, along the rows). Those along a row
            fill a part of one tile row or a number of whole ones.

    Returns:
        Shape (down, along, rows of the atom, words of the atom), in words.

    Raises:
        LayoutError: there is no such atom (rule C1), or `repeats` ends inside of a tile row.

    Source: `k_major`, and the table of shapes in PTX ISA, tcgen05.cp.
    """
    what = atom_of(atom)
    mode, pitch = pitch_of(swizzle)
    down, along = repeats_of(repeats)
    tile = height_of(down * what.rows) * pitch
    # Without swizzle a row of 32 bytes is two tiles wide.
    wide = max(what.words // pitch, 1)
    words: Axis = (what.words, 1) if wide == 1 else ((wide, pitch), (tile, 1))
    beside = max(pitch // what.words, 1)
    repeat: Axis = (along, what.words if beside > 1 else wide * tile)
    if along > beside > 1:
        check_multiple("repeats along the rows", along, beside, f"{what} in swizzle {mode}")
        repeat = ((along // beside, beside), (tile, what.words))
    axes: list[Axis] = [(down, what.rows * pitch), repeat, (what.rows, pitch), words]
    extents, steps = repeated(axes)
    return Layout(extents, steps, swizzle=mode)


def smem_align(swizzle: SwizzleLike = None) -> int:
    """Bytes that the address of a region must be a multiple of: 16, 256, 512 or 1024.

    Source: PTX ISA, shared memory descriptor: the period of the swizzle's pattern (rule C13).
    """
    return mode_of(swizzle).period


def smem_storage(atom: AtomLike, swizzle: SwizzleLike = None, repeats: Repeats = 1) -> int:
    """Bytes of shared memory behind `smem_k_major` of the same arguments.

    More than its image where rows are no whole groups of eight, as with `4x256b`: the walk goes in
    groups, and all of a group must be there (rule C14).

    Source: as `smem_k_major`.
    """
    what = atom_of(atom)
    _, pitch = pitch_of(swizzle)
    down, along = repeats_of(repeats)
    columns = -(-along * what.words // pitch) * pitch
    return 4 * columns * height_of(down * what.rows)


def tmem(atom: AtomLike, repeats: Repeats = 1) -> Layout:
    """Where an instruction writes, and its repeats: one behind the other in the columns.

        rows of the source in the lanes of tensor memory, by atom

        lanes      128x256b   64x128b       64x128b       32x128b   4x256b
                   128x128b   warpx2::02_13 warpx2::01_23 warpx4
          0 -  31    0 -  31     0 - 31        0 - 31      0 - 31   0 in lane 0
         32 -  63   32 -  63    32 - 63        0 - 31      0 - 31   1 in lane 32
         64 -  95   64 -  95     0 - 31       32 - 63      0 - 31   2 in lane 64
         96 - 127   96 - 127    32 - 63       32 - 63      0 - 31   3 in lane 96

        columns: [ #0 | #1 | #2 | ... ], 4 or 8 to an instruction; with repeats = (down, along)
        all along the first block of rows, then all along the second

    Args:
        atom: which instruction.
        repeats: as for `smem_k_major`.

    Returns:
        Shape (down, along, rows of the atom, words of the atom), in lanes and columns.

    Raises:
        LayoutError: there is no such atom (rule C1), or the repeats need more than 512 columns.

    Source: the table of shapes in PTX ISA, tcgen05.cp.
    """
    what = atom_of(atom)
    down, along = repeats_of(repeats)
    columns = down * along * what.words
    if columns > 512:
        raise LayoutError(f"expected repeats to fill at most 512 columns, but got {columns}")
    return _destination(what, (down, along * what.words @ col), (along, what.words @ col))


def tmem_scatter(down: int, along: int = 1) -> Layout:
    """Where `4x256b` writes when its repeats go down the lanes: four rows each, a warp apart.

        source row   0    1    2    3     4    5    6    7     8  ...
        lane         0   32   64   96     1   33   65   97     2  ...

    A row r lies in lane 32 (r % 4) + r / 4: every warp gets each fourth row. One instruction with
    the offset of a lane, 31 say, renews a single lane of each warp, behind `tcgen05.shift`.

    Args:
        down: instructions down the lanes, at most 32.
        along: instructions along the columns, 8 columns each, at most 64.

    Returns:
        Shape (down, along, 4, 8), in lanes and columns; `smem_k_major` with the same repeats fits.

    Raises:
        LayoutError: more instructions than lanes or columns.

    Source: the table of shapes in PTX ISA, tcgen05.cp.
    """
    repeats_of((down, along))
    check_at_most("down", down, 32)
    check_at_most("along", along, 64)
    return _destination(CpAtom("4x256b"), (down, 1 @ lane), (along, 8 @ col))


def packed_bytes(
    format: str,  # noqa: A002
    rows: int,
    k: int,
    swizzle: SwizzleLike = None,
) -> Layout:
    """Where the bytes of packed FP4 or FP6 values lie that a decompressing copy reads.

    16 values along K are one block of 16 bytes, and leave the copy as 16 bytes: such a tile is as
    large as one of FP8, the `k_major` of k / 4 words. TMA's types 16U4_ALIGN16B and 16U6_ALIGN16B
    write it.

        byte of a block    0 ........ 7   8 ...... 15        0 ............ 11  12 .. 15
        fp4, b4x16_p64   [ 16 values   |  padding   ]  fp6  [ 16 values       | padding  ]
                           value i: bits 4 i to 4 i + 3       value i: bits 6 i to 6 i + 5

    Args:
        format: fp4 or fp6.
        rows: M or N.
        k: elements along K, a multiple of 16: one tile row or a part of it, or a multiple of one.
        swizzle: the mode; a tile row has 16, 32, 64 or 128 elements.

    Returns:
        Shape (rows, k / 16, 8 or 12), in bytes.

    Raises:
        LayoutError: there is no such format, or k ends inside of a block or of a tile row.

    Source: PTX ISA, tcgen05.cp, decompression.
    """
    packed = entry_of("format", format, PACKED_BYTES)
    mode, pitch = pitch_of(swizzle)
    check_positive("rows", rows)
    check_positive("k", k)
    check_multiple("k", k, 16, "blocks of 16 values")
    beside = pitch // 4
    blocks: int | tuple[int, int] = k // 16
    steps: int | tuple[int, int] = 16
    if k // 16 > beside:
        check_multiple("k", k, 4 * pitch, f"swizzle {mode}")
        blocks, steps = (k // 16 // beside, beside), (height_of(rows) * 4 * pitch, 16)
    return Layout((rows, blocks, packed), (4 * pitch, steps, 1), swizzle=mode)


def _destination(atom: CpAtom, down: Axis, along: Axis) -> Layout:
    """An atom's own lanes and columns behind two repeat axes."""
    step = atom.lane(1)
    rows: Axis = (atom.rows, step @ lane)
    if atom.rows > 32 and atom.lane(32) != 32 * step:
        rows = ((atom.rows // 32, 32), (atom.lane(32) @ lane, step @ lane))
    replica = [(atom.replicas, atom.replica_stride @ lane)] if atom.replicas > 1 else []
    extents, steps = repeated([down, along, rows, (atom.words, 1 @ col)])
    return Layout(extents, steps, replica)
