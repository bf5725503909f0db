"""What goes wrong on the way from a module to a program, as exceptions.

`CompileError` carries the diagnostics of MLIR as plain values, so that a caller can show them
without MLIR and after the context is gone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from . import _sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mlir import ir

    from ._mlir import MLIRError

# MLIR adds the whole operation in generic form; the location says as much in one line.
_OPERATION_DUMP = "see current operation: "
# The name that MLIR gives to text that came from no file.
_UNNAMED = "-"


@dataclass(frozen=True)
class Diagnostic:
    """One error of MLIR, or a note to one.

    Attributes:
        message: the sentence.
        file: name of the source, `-` for text that was given as a string, or None if unknown.
        line: counted from one; 0 if unknown.
        column: counted from one; 0 if unknown.
        notes: what would have worked, and where else to look.
        rule: the rule that is broken, `C10` or `barrier` say; None if none is known.
    """

    message: str
    file: str | None = None
    line: int = 0
    column: int = 0
    notes: tuple[Diagnostic, ...] = ()
    rule: str | None = None

    @property
    def operand(self) -> str | None:
        """`dst` or `src`; None where the sentence is about neither or both."""
        return _sentence.operand(self.message)

    @property
    def expected(self) -> str | None:
        """What the sentence expects; None for another kind of sentence."""
        return _sentence.expected(self.message)

    @property
    def got(self) -> str | None:
        """What the sentence found instead; None for another kind of sentence."""
        return _sentence.got(self.message)

    @property
    def location(self) -> str | None:
        """`file:line:column`, as far as known; None if nothing is."""
        if self.file is None:
            return None
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def renamed(self, source: str) -> Diagnostic:
        """The same diagnostic with `source` as the name of text that had none."""
        return replace(
            self,
            file=source if self.file == _UNNAMED else self.file,
            notes=tuple(note.renamed(source) for note in self.notes),
        )

    def __str__(self) -> str:
        """`location: message`, then one indented line for each note, its place if it is another.

        Where a rule of copies is broken, the last line says how to see its page.
        """
        where = f"{self.location}: " if self.location else ""
        notes = [n.message if n.location == self.location else str(n) for n in self.notes]
        lines = [f"{where}{self.message}", *(f"  note: {note}" for note in notes)]
        if self.rule is not None and re.fullmatch(r"C\d+", self.rule):
            lines.append(f"  see: tcgen05 explain {self.rule}")
        return "\n".join(lines)


class CompileError(RuntimeError):
    """A module that cannot be compiled, or a tool that fails on it.

    Attributes:
        diagnostics: one for each error, in the order of MLIR.
    """

    def __init__(self, *diagnostics: Diagnostic | str) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(
            Diagnostic(d) if isinstance(d, str) else d for d in diagnostics
        )
        super().__init__("\n".join(map(str, self.diagnostics)))

    @classmethod
    def from_mlir(cls, error: MLIRError) -> CompileError:
        """The same error without MLIR's objects."""
        diagnostics = [from_mlir(d) for d in error.error_diagnostics]
        return cls(*(diagnostics or [error.message]))

    def renamed(self, source: str) -> CompileError:
        """The same error with `source` as the name of text that had none."""
        copy = type(self)(*(d.renamed(source) for d in self.diagnostics))
        return copy.with_traceback(self.__traceback__)


class ToolNotFoundError(CompileError):
    """A program outside this package is needed and not installed."""


def from_mlir(info: ir.DiagnosticInfo | ir.Diagnostic) -> Diagnostic:
    file, line, column = place_of(info.location)
    return Diagnostic(
        info.message,
        file,
        line,
        column,
        tuple(_notes(cast("Any", info).notes)),
    )


def _notes(infos: Iterable[ir.DiagnosticInfo]) -> Iterable[Diagnostic]:
    return [from_mlir(note) for note in infos if not note.message.startswith(_OPERATION_DUMP)]


def place_of(location: ir.Location) -> tuple[str | None, int, int]:
    """File, line and column of a location; of the innermost one where several are joined."""
    for _ in range(64):  # as deep as inlining nests in practice; beyond that, unknown
        if location.is_a_file():
            return location.filename, location.start_line, location.start_col
        if location.is_a_callsite():
            location = location.callee
        elif location.is_a_name() and location.child_loc != location:
            location = location.child_loc
        elif location.is_a_fused() and location.locations:
            location = location.locations[0]
        else:
            break
    return None, 0, 0
