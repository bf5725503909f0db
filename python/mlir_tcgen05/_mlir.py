"""Types for what the stubs of the stock `mlir` package leave out or call `object`."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from mlir import ir

if TYPE_CHECKING:
    # The typed module behind `mlir.ir`, for classes that others derive from.
    from mlir._mlir_libs._mlir.ir import Attribute, Context, Type
    from mlir.passmanager import PassManager

    class MLIRError(Exception):
        """What the bindings raise where MLIR reports an error.

        Attributes:
            message: what failed.
            error_diagnostics: the errors that were reported, notes included.
        """

        message: str
        error_diagnostics: list[ir.DiagnosticInfo]

else:
    Attribute, Context, Type = ir.Attribute, ir.Context, ir.Type
    MLIRError = ir.MLIRError


@contextmanager
def diagnostics_to(
    context: ir.Context, take: Callable[[ir.Diagnostic], bool]
) -> Generator[None, None, None]:
    """Hands the diagnostics of a context to `take`, which says whether that was all."""
    handler = cast("Any", context.attach_diagnostic_handler(take))
    try:
        yield
    finally:
        handler.detach()


def run_passes(passes: PassManager, module: ir.Module | ir.Operation) -> None:
    """Runs passes on a module.

    Raises:
        MLIRError: one of them fails.
    """
    cast("Any", passes).run(module.operation)
