"""Scale factors of block-scaled operands, in shared memory and in tensor memory."""

from __future__ import annotations

from ..layout import Layout
from ._arguments import check_multiple, check_positive, entry_of, repeated
from ._tiles import tmem

SCALE_BLOCK = {"mxfp8": 32, "mxfp6": 32, "mxfp4": 32, "nvfp4": 16}
"""Elements along K that share one scale factor of 8 bits. Source: OCP MX specification 1.0 for the
MX formats, PTX ISA, tcgen05.mma block scaling, for nvfp4."""
_SCALE_ROWS = 128
"""Rows of a tile of scale factors: four groups of 32."""


def smem_scales(format: str, rows: int, k: int) -> Layout:  # noqa: A002
    """Scale factors in shared memory, as `32x128b.warpx4` reads them.

    128 rows by 4 blocks of K are a tile of 512 bytes, which becomes 32 rows of 16 bytes: row m of
    the operand lies in row m % 32, in the four bytes m / 32, one byte for each block of K.

        byte       0  1  2  3      4  5  6  7      8  9 10 11     12 13 14 15
        row  0   [ m =  0       | m = 32        | m = 64        | m =  96       ]
        row  1   [ m =  1       | m = 33        | m = 65        | m =  97       ]
        ...        K block 0 1 2 3
        row 31   [ m = 31       | m = 63        | m = 95        | m = 127       ]

    Tiles follow one another along K, then down M: the order in which cuBLAS and PyTorch take them.

    Args:
        format: mxfp8, mxfp6, mxfp4 (32 elements to a scale) or nvfp4 (16).
        rows: M or N, a multiple of 128.
        k: elements along K, a multiple of four blocks: 128, or 64 of nvfp4.

    Returns:
        Shape (rows / 128, tiles along K, 32, 4), in words.

    Raises:
        LayoutError: there is no such format, or no whole number of tiles.

    Source: PTX ISA, tcgen05.mma, scale factor layouts; cuBLAS, block scaling factors layout.
    """
    down, along = _scale_tiles(format, rows, k)
    extents, steps = repeated([(down, along * 128), (along, 128), (32, 4), (4, 1)])
    return Layout(extents, steps)


def tmem_scales(format: str, rows: int, k: int) -> Layout:  # noqa: A002
    """Scale factors in tensor memory, as `tcgen05.mma` with block scaling reads them.

        column     c             c + 1         c + 2         c + 3       a word is 4 blocks of K
        lane  0  [ m = 0       | m = 32      | m = 64      | m = 96  ]
        lane  1  [ m = 1       | m = 33      | m = 65      | m = 97  ]
        ...                                                   the same in lanes 32, 64 and 96

    The tile of rows i and blocks j is in columns 4 (i * tiles along K + j) and the three behind:
    there is one TMEM address for each. A product that takes one scale to a row (mxfp8) or two
    (mxfp4) selects its bytes of a word in the instruction descriptor.

    Args, errors and source: as `smem_scales`, which fits.

    Returns:
        Shape (rows / 128, tiles along K, 32, 4), in lanes and columns.

    Raises:
        LayoutError: as `smem_scales`, or the scales need more than 512 columns.
    """
    return tmem("32x128b.warpx4", _scale_tiles(format, rows, k))


def scale_bytes(format: str, rows: int, k: int) -> Layout:  # noqa: A002
    """Where each scale factor of `smem_scales` lies: for who writes them.

        byte of (m, block) = 512 * (tiles along K * (m / 128) + block / 4)
                             + 16 * (m % 32) + 4 * (m % 128 / 32) + block % 4

    Args, errors and source: as `smem_scales`.

    Returns:
        Shape (rows, blocks along K), in bytes.
    """
    down, along = _scale_tiles(format, rows, k)
    return Layout(((down, 4, 32), (along, 4)), ((along * 512, 4, 16), (512, 1)))


def smem_scales_64(format: str, k: int) -> Layout:  # noqa: A002
    """Scale factors of 64 rows in shared memory, as `64x128b.warpx2::01_23` reads them.

    Row n of the operand is row n: 16 bytes, one for each of 16 blocks of K.

        byte      0 1 2 3    4 5 6 7    8 9 10 11    12 13 14 15
        row  0  [ n = 0, blocks 0 - 3, 4 - 7, 8 - 11, 12 - 15    ]
        row  1  [ n = 1                                          ]
        ...
        row 63  [ n = 63                                         ]   the next 16 blocks follow

    Args:
        format: as for `smem_scales`.
        k: elements along K, a multiple of 16 blocks: 512, or 256 of nvfp4.

    Returns:
        Shape (k / (16 blocks), 64, 4), in words.

    Raises:
        LayoutError: there is no such format, or no whole number of rows of 16 bytes.

    Source: the table of shapes in PTX ISA, tcgen05.cp.
    """
    along = _scale_groups(format, k)
    extents, steps = repeated([(1, 0), (along, 256), (64, 4), (4, 1)])
    return Layout(extents, steps)


def tmem_scales_64(format: str, k: int) -> Layout:  # noqa: A002
    """Scale factors of 64 rows in tensor memory: half of them for each pair of warps.

        column       c          c + 1      c + 2      c + 3
        lanes   0 -  31  and again  32 -  63:  rows n =  0 - 31, a word is 4 blocks of K
        lanes  64 -  95  and again  96 - 127:  rows n = 32 - 63

    Args and source: as `smem_scales_64`, which fits.

    Returns:
        Shape (k / (16 blocks), 64, 4), in lanes and columns.

    Raises:
        LayoutError: as `smem_scales_64`, or the scales need more than 512 columns.
    """
    return tmem("64x128b.warpx2::01_23", _scale_groups(format, k))


def _scale_tiles(format: str, rows: int, k: int) -> tuple[int, int]:  # noqa: A002
    """Tiles of 128 rows by 4 blocks: down M, along K."""
    block = entry_of("format", format, SCALE_BLOCK)
    check_positive("rows", rows)
    check_positive("k", k)
    check_multiple("rows", rows, _SCALE_ROWS, "tiles of scale factors")
    check_multiple("k", k, 4 * block, f"{format}, whose scales come in fours")
    return rows // _SCALE_ROWS, k // (4 * block)


def _scale_groups(format: str, k: int) -> int:  # noqa: A002
    """Rows of 16 blocks along K."""
    block = entry_of("format", format, SCALE_BLOCK)
    check_positive("k", k)
    check_multiple("k", k, 16 * block, f"{format}, whose scales come in rows of 16 bytes")
    return k // (16 * block)
