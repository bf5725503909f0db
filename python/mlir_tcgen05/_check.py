"""What the kernels around the copies are missing, as a list of findings.

The pass `tcgen05-check-protocol` does the work, in C++; its diagnostics come back as plain values.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TextIO

from mlir import ir
from mlir.passmanager import PassManager

from ._errors import CompileError, Diagnostic, from_mlir
from ._mlir import MLIRError, diagnostics_to, run_passes
from ._register import register

RULES = (
    "mixed-cta-group",
    "allocation",
    "proxy-fence",
    "barrier",
    "uncommitted",
    "unawaited-read",
    "unordered-copies",
    "source-reuse",
    "issuer",
    "uniform-address",
    "cluster",
)
"""The names of the findings."""

_NAMED = re.compile(r"(?P<message>.*) \[(?P<rule>[a-z-]+)\]", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a kernel.

    Attributes:
        rule: one of `RULES`.
        severity: `error` or `warning`.
        diagnostic: the sentence without the rule's name, its place, and notes at the other
            operations involved.
    """

    rule: str
    severity: str
    diagnostic: Diagnostic

    @property
    def message(self) -> str:
        """The sentence."""
        return self.diagnostic.message

    def renamed(self, source: str) -> Finding:
        """The same finding with `source` as the name of text that had none."""
        return Finding(self.rule, self.severity, self.diagnostic.renamed(source))

    def __str__(self) -> str:
        """`file:line:column: severity: message [rule]`, then a line for each note."""
        where = f"{self.diagnostic.location}: " if self.diagnostic.location else ""
        lines = [f"{where}{self.severity}: {self.message} [{self.rule}]"]
        for note in self.diagnostic.notes:
            at = f"{note.location}: " if note.location else ""
            lines.append(f"{at}note: {note.message}")
        return "\n".join(lines)


def check(module: ir.Module | ir.Operation, *, disable: Iterable[str] = ()) -> list[Finding]:
    """Checks the protocol around the copies of a module, which stays as it is.

    Args:
        module: a module, or an operation such as a `gpu.module` or a function.
        disable: rules that are not looked for.

    Returns:
        The findings in the order of the text; an empty list for a correct kernel.

    Raises:
        ValueError: `disable` holds something that is none of `RULES`.
        TypeError: `module` is neither a module nor an operation.
        CompileError: the module is not legal.
    """
    operation = getattr(module, "operation", module)
    if not isinstance(operation, ir.Operation):
        raise TypeError(f"expected module to be an mlir.ir.Module, but got {type(module).__name__}")
    names = [disable] if isinstance(disable, str) else list(disable)
    for name in names:
        if name not in RULES:
            raise ValueError(
                f"expected disable to name findings ({', '.join(RULES)}), but got {name!r}"
            )
    findings: list[Finding] = []
    others: list[Diagnostic] = []

    def collect(info: ir.Diagnostic) -> bool:
        finding = _finding(info)
        if finding is not None:
            findings.append(finding)
        elif info.severity == ir.DiagnosticSeverity.ERROR:
            others.append(from_mlir(info))
        return True

    options = f"{{disable={','.join(names)}}}" if names else ""
    context = operation.context
    with context, ir.Location.unknown(context):
        register(context)
        # Errors go to the handler like warnings, instead of into the exception.
        emits_errors = context.emit_error_diagnostics
        context.emit_error_diagnostics = True
        try:
            with diagnostics_to(context, collect):
                passes = PassManager.parse(f"any(tcgen05-check-protocol{options})")
                run_passes(passes, operation)
        except MLIRError as error:
            if not findings and not others:
                raise CompileError.from_mlir(error) from None
        finally:
            context.emit_error_diagnostics = emits_errors
    if others:
        raise CompileError(*others)
    return findings


@contextmanager
def warnings_shown(
    context: ir.Context,
    source: str = "-",
    file: TextIO | None = None,
    *,
    quiet: bool = False,
    into: list[Finding] | None = None,
) -> Generator[None, None, None]:
    """Prints the warnings among the findings of the passes that run inside; MLIR prints none.

    Args:
        context: that of the passes.
        source: the name of text that had none.
        file: where they go; standard error if absent.
        quiet: print none.
        into: takes them as well.
    """

    def show(info: ir.Diagnostic) -> bool:
        finding = _finding(info) if info.severity == ir.DiagnosticSeverity.WARNING else None
        if finding is not None:
            finding = finding.renamed(source)
            if into is not None:
                into.append(finding)
            if not quiet:
                print(finding, file=file or sys.stderr)
        return finding is not None

    with diagnostics_to(context, show):
        yield


def _finding(info: ir.Diagnostic) -> Finding | None:
    """The finding that a diagnostic is, if it ends in a rule's name."""
    diagnostic = from_mlir(info)
    match = _NAMED.fullmatch(diagnostic.message)
    if not match or match["rule"] not in RULES:
        return None
    severity = "error" if info.severity == ir.DiagnosticSeverity.ERROR else "warning"
    return Finding(
        match["rule"], severity, replace(diagnostic, message=match["message"], rule=match["rule"])
    )
