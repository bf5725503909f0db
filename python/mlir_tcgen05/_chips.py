"""Rule C15 outside a module: which chips have tcgen05.cp, as the verifier says.

A copy that is legal otherwise is verified under the chip. So the one list of chips is that of the
verifier, and MLIR is loaded only where a chip is asked for.
"""

from __future__ import annotations

import re
from functools import cache

DEFAULT_CHIP = "sm_100a"
"""A chip that has the instruction, and that commands take by default."""

_DST = "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>"
_SRC = "!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>"
_MODULE = f"""
gpu.module @kernels [#nvvm.target<chip = "%s">] {{
  func.func @copy(%%dst: {_DST}, %%src: {_SRC}) {{
    tcgen05.cp "cta_group::1.128x128b" %%dst, %%src : {_DST}, {_SRC}
    return
  }}
}}
"""
# No chip, and its name fits into the text.
_NO_CHIP = "none"


def check_chip(chip: str) -> None:
    """Holds a chip against rule C15.

    Raises:
        LayoutError: it has no tcgen05.cp; the message lists those that have.
    """
    if chip != DEFAULT_CHIP and (sentence := _refusal(chip)) is not None:
        from .layout import LayoutError  # of no use to those who want the name of a chip

        error = LayoutError(sentence)
        error.rule = "C15"
        raise error


def chips() -> tuple[str, ...]:
    """The chips that have tcgen05.cp."""
    match = re.search(r"\(([\w, ]+)\)", _refusal(_NO_CHIP) or "")
    return tuple(match[1].split(", ")) if match else ()


@cache
def _refusal(chip: str) -> str | None:
    """What the verifier says of a copy under a chip; None if nothing."""
    from mlir import ir

    from ._mlir import MLIRError
    from ._register import Context

    if not re.fullmatch(r"\w+", chip, re.ASCII):
        return f"expected chip to be a name such as {DEFAULT_CHIP}, but got {chip!r}"
    try:
        with Context():
            ir.Module.parse(_MODULE % chip)
    except MLIRError as error:
        return error.error_diagnostics[0].message.removeprefix("'tcgen05.cp' op ")
    return None
