"""The dialect in contexts of the stock `mlir` package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mlir import ir
from mlir._mlir_libs import _mlir

from . import _mlir as stock
from ._mlir_libs import _tcgen05

# Where the stock package looks for the op classes of a dialect that it meets.
_mlir.globals.append_dialect_search_prefix("mlir_tcgen05.dialects")

# The class that the bindings define; `ir.Context` is one made from it in Python.
_STOCK: type[ir.Context] = cast("Any", _mlir).ir._Context


def register(context: ir.Context) -> None:
    """Makes the dialect known to a context, and loads it.

    The passes become known to `mlir.passmanager.PassManager` as well. Registering twice does
    no harm.

    Args:
        context: any context of the stock `mlir` package.

    Raises:
        TypeError: `context` is something else.
    """
    if not isinstance(context, _STOCK):
        raise TypeError(f"expected context to be an mlir.ir.Context, but got {context!r}")
    _tcgen05.register_dialect(context, load=True)


class Context(stock.Context):
    """A context with all dialects of the stock `mlir` package, and this one.

    Takes the arguments of `mlir.ir.Context`, and like it is a context manager.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        register(self)

    if TYPE_CHECKING:  # the stubs of the stock class return an object

        def __enter__(self) -> Context: ...
