"""Layouts that copies need, by the names that people know them by. No MLIR is needed.

    >>> from mlir_tcgen05 import catalog
    >>> from mlir_tcgen05.layout import plan_cp
    >>> src = catalog.smem_k_major("128x256b", "128B", repeats=4)
    >>> dst = catalog.tmem("128x256b", repeats=4)
    >>> print(src)
    [4, 128, 8] : [8, 32, 1], swizzle 128B
    >>> print(dst)
    [4, 128, 8] : [8@col, 1@lane, 1@col]
    >>> len(plan_cp("cta_group::1.128x256b", dst, src, align=1024).repeats)
    4

A source and a destination of the same arguments fit together: both have the shape
(repeats..., rows, words), where repeat axes of extent one are left out. Words are 32 bits, whatever
the elements are: 2 of bf16, 4 of FP8. Shared memory is counted in elements of the layout, words
unless a function says bytes. `swizzle` is None (or "none"), "32B", "64B" or "128B".

    what you have                                    source                   destination
    -----------------------------------------------  -----------------------  ------------------
    an operand tile as TMA writes it                 smem_k_major             tmem
    four rows for the four warps                     smem_k_major             tmem_scatter
    scale factors of 128 rows and more               smem_scales              tmem_scales
    scale factors of 64 rows                         smem_scales_64           tmem_scales_64
    FP4 or FP6 to expand while copying               smem_k_major             tmem

`k_major`, `scale_bytes` and `packed_bytes` say where one element lies: for who fills shared memory.
`smem_align` and `smem_storage` are the other two parameters of a source's type.

All functions raise a `LayoutError` for a number that does not fit and a TypeError for none.
"""

from ._scales import (
    SCALE_BLOCK,
    scale_bytes,
    smem_scales,
    smem_scales_64,
    tmem_scales,
    tmem_scales_64,
)
from ._tiles import (
    PACKED_BYTES,
    k_major,
    packed_bytes,
    smem_align,
    smem_k_major,
    smem_storage,
    tmem,
    tmem_scatter,
)

__all__ = [
    "PACKED_BYTES",
    "SCALE_BLOCK",
    "k_major",
    "packed_bytes",
    "scale_bytes",
    "smem_align",
    "smem_k_major",
    "smem_scales",
    "smem_scales_64",
    "smem_storage",
    "tmem",
    "tmem_scales",
    "tmem_scales_64",
    "tmem_scatter",
]
