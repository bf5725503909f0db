"""Rule C15 outside a module: which chips have tcgen05.cp, as the verifier says.

A copy that is legal otherwise is verified under a chip without the instruction, and the sentence
names those that have it. So the one list of chips is that of the verifier, and MLIR is loaded only
where a chip is asked for. Other names are not given to MLIR: upstream reads the number of a name
that has none from memory that nobody wrote, and refuses it by chance before our verifier does.
"""

from __future__ import annotations

import re
from functools import cache

DEFAULT_CHIP = "sm_100a"
"""A chip that has the instruction, and that commands take by default."""

_NO_CHIP = "sm_90"
_DST = "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>"
_SRC = "!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>"
_MODULE = f"""
gpu.module @kernels [#nvvm.target<chip = "{_NO_CHIP}">] {{
  func.func @copy(%dst: {_DST}, %src: {_SRC}) {{
    tcgen05.cp "cta_group::1.128x128b" %dst, %src : {_DST}, {_SRC}
    return
  }}
}}
"""


def check_chip(chip: str) -> None:
    """Holds a chip against rule C15.

    Raises:
        LayoutError: it has no tcgen05.cp; the message lists those that have.
    """
    is_name = re.fullmatch(r"\w+", chip, re.ASCII)
    if chip == DEFAULT_CHIP or (is_name and chip in chips()):
        return
    from .layout import LayoutError  # of no use to those who want the name of a chip

    error = LayoutError(
        _refusal().removesuffix(_NO_CHIP) + chip
        if is_name
        else f"expected chip to be a name such as {DEFAULT_CHIP}, but got {chip!r}"
    )
    error.rule = "C15"
    raise error


def chips() -> tuple[str, ...]:
    """The chips that have tcgen05.cp."""
    match = re.search(r"\(([\w, ]+)\)", _refusal())
    assert match, _refusal()
    return tuple(match[1].split(", "))


@cache
def _refusal() -> str:
    """What the verifier says of a copy under a chip that has none."""
    from mlir import ir

    from ._mlir import MLIRError
    from ._register import Context

    try:
        with Context():
            ir.Module.parse(_MODULE)
    except MLIRError as error:
        return error.error_diagnostics[0].message.removeprefix("'tcgen05.cp' op ")
    raise AssertionError(f"expected {_NO_CHIP} to be refused")
