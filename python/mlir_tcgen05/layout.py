"""Layouts, walks, descriptors and copy plans, without MLIR or NumPy.

What the specification states as arithmetic lives here, as immutable values that
compare, hash, print and pickle. The verifier of the dialect, its lowering and
this module share one implementation, so a copy that `plan_cp` accepts is one
that the dialect accepts, with the same sentence when it does not.

    >>> from mlir_tcgen05.layout import Layout, col, lane, plan_cp
    >>> dst = Layout([128, 4], [1 @ lane, 1 @ col])
    >>> src = Layout([128, 4], [4, 1])
    >>> plan = plan_cp("cta_group::1.128x128b", dst, src)
    >>> print(plan.walk)
    ldo = 16, sdo = 128, swizzle = none
    >>> [(taddr, hex(descriptor)) for taddr, descriptor in plan.issues(saddr=0x400)]
    [(0, '0x400800010040')]

Errors are `LayoutError`, a ValueError that knows the `rule` it stands for and
has `notes` on what would have worked. Objects of a wrong type are a TypeError.
"""

from ._mlir_libs._layout import (
    Axis,
    CpAtom,
    CpOpcode,
    CpPlan,
    Layout,
    LayoutError,
    SmemDescriptor,
    SmemWalk,
    Stride,
    Swizzle,
    Term,
    TmemAddress,
    atoms,
    col,
    lane,
    opcodes,
    plan_cp,
)

__all__ = [
    "Axis",
    "CpAtom",
    "CpOpcode",
    "CpPlan",
    "Layout",
    "LayoutError",
    "SmemDescriptor",
    "SmemWalk",
    "Stride",
    "Swizzle",
    "Term",
    "TmemAddress",
    "atoms",
    "col",
    "lane",
    "opcodes",
    "plan_cp",
]

# Their public home: where pickles and error messages find them.
for _class in (
    Axis,
    CpAtom,
    CpOpcode,
    CpPlan,
    Layout,
    SmemDescriptor,
    SmemWalk,
    Stride,
    Swizzle,
    Term,
    TmemAddress,
):
    _class.__module__ = __name__
del _class
