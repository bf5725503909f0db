"""An MLIR dialect for Blackwell's `tcgen05.cp`, the copy from shared to tensor memory.

Plugs into the stock `mlir` package: the same contexts, modules and pass manager.

    from mlir import ir
    import mlir_tcgen05 as t5

    with t5.Context():
        kernel = ir.Module.parse(text)                    # holds exactly one gpu.module
        ptx = t5.compile(kernel, chip="sm_100a", to="ptx")

`mlir_tcgen05.layout` is the arithmetic of layouts, descriptors and rules, without MLIR;
`mlir_tcgen05.dialects.tcgen05` holds ops, builders, types and attributes. Importing this package
imports neither: what a name needs is imported when the name is first used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # not typing's, whose import takes longer than that of the layouts
if TYPE_CHECKING:
    from . import catalog, dialects, layout, reference
    from ._check import Finding, check
    from ._compile import compile  # noqa: A004
    from ._errors import CompileError, Diagnostic, ToolNotFoundError
    from ._explain import explain
    from ._meaning import Region, meaning
    from ._plot import plot, plot_atoms
    from ._prove import Proof, ProveError, prove
    from ._register import Context, register
    from ._simulate import simulate
    from ._trace import Issue, Thread, TraceError, trace

    __version__: str


__all__ = [
    "CompileError",
    "Context",
    "Diagnostic",
    "Finding",
    "Issue",
    "Proof",
    "ProveError",
    "Region",
    "Thread",
    "ToolNotFoundError",
    "TraceError",
    "__version__",
    "catalog",
    "check",
    "compile",
    "dialects",
    "explain",
    "layout",
    "meaning",
    "plot",
    "plot_atoms",
    "prove",
    "reference",
    "register",
    "simulate",
    "trace",
]

# Name to the module that has it; an empty module: the name is a module itself.
_HOMES = {
    "CompileError": "_errors",
    "Context": "_register",
    "Diagnostic": "_errors",
    "Finding": "_check",
    "Issue": "_trace",
    "Proof": "_prove",
    "ProveError": "_prove",
    "Region": "_meaning",
    "Thread": "_trace",
    "ToolNotFoundError": "_errors",
    "TraceError": "_trace",
    "catalog": "",
    "check": "_check",
    "compile": "_compile",
    "dialects": "",
    "explain": "_explain",
    "layout": "",
    "meaning": "_meaning",
    "plot": "_plot",
    "plot_atoms": "_plot",
    "prove": "_prove",
    "reference": "",
    "register": "_register",
    "simulate": "_simulate",
    "trace": "_trace",
}


def __getattr__(name: str) -> object:
    """Imports what a public name needs, at its first use."""
    if name == "__version__":
        value: object = _version()
    elif name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    elif home := _HOMES[name]:
        value = getattr(import_module(f".{home}", __name__), name)
    else:
        value = import_module(f".{name}", __name__)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    """The version of the distribution; `unknown` for a tree that was never installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mlir-tcgen05")
    except PackageNotFoundError:
        return "unknown"
