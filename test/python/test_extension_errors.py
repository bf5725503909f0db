# RUN: %pytest %s
"""What the extension says of an argument that is none of the mlir package's."""

from __future__ import annotations

import pytest
from mlir import ir
from mlir_tcgen05._mlir_libs import _tcgen05


@pytest.mark.parametrize("context", [5, None, "context", object()])
def test_no_context(context: object) -> None:
    name = type(context).__qualname__
    both = "an mlir.ir.Context or an mlir.ir.DialectRegistry"
    with pytest.raises(TypeError, match=rf"^expected context to be {both}, but got {name}$"):
        _tcgen05.register_dialect(context)
    message = rf"^expected context to be an mlir\.ir\.Context, but got {name}$"
    with pytest.raises(TypeError, match=message):
        _tcgen05.parse_module(context, "")


def test_no_source() -> None:
    with ir.Context() as context, pytest.raises(TypeError):
        _tcgen05.parse_module(context, 5)
