"""Copies out of a source that its verifiers, or the parser of an opcode, may refuse.

An opcode that does not exist ends the parser, since the operation cannot hold it. So it is read
with one that does, and the copy gets back what was written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ._copy import Found, copies
from ._errors import CompileError, Diagnostic, from_mlir
from ._mlir import diagnostics_to
from ._mlir_libs._tcgen05 import parse_module
from .layout import CpOpcode, LayoutError

if TYPE_CHECKING:
    from mlir import ir

_STAND_IN = b'"cta_group::1.128x128b"'
_MNEMONIC = re.compile(rb"tcgen05\.cp\s*\Z")
_LITERAL = re.compile(rb'"([^"\\\n]*)"')


def parse_copies(context: ir.Context, source: str | bytes) -> tuple[ir.Module, list[Found]]:
    """The module, unverified, and its copies with the opcodes that the source has.

    Raises:
        CompileError: the source is not MLIR.
    """
    text = source.encode() if isinstance(source, str) else source
    written: dict[int, str] = {}
    while True:
        diagnostics: list[Diagnostic] = []

        def collect(info: ir.Diagnostic, into: list[Diagnostic] = diagnostics) -> bool:
            into.append(from_mlir(info))
            return True

        with diagnostics_to(context, collect):
            data = text.decode() if isinstance(source, str) else text
            module = parse_module(context, data, verify=False)
        if module is not None:
            return module, [_as_written(found, text, written) for found in copies(module)]
        place = _bad_opcode(text, diagnostics) if isinstance(source, str) else None
        if place is None:
            raise CompileError(*(diagnostics or ["expected the source to be MLIR, but got none"]))
        start, literal = place
        written[start] = literal
        text = text[:start] + _STAND_IN + text[start + len(literal.encode()) + 2 :]


def _bad_opcode(text: bytes, diagnostics: list[Diagnostic]) -> tuple[int, str] | None:
    """Where an opcode begins that ended the parser, and what it is."""
    if not diagnostics:
        return None
    start = _offset(text, diagnostics[0].line, diagnostics[0].column)
    match = _LITERAL.match(text, start) if start is not None else None
    if match is None:
        return None
    literal = match[1].decode()
    try:
        CpOpcode.parse(literal)
    except LayoutError:
        return (match.start(), literal) if _MNEMONIC.search(text[: match.start()]) else None
    return None


def _as_written(found: Found, text: bytes, written: dict[int, str]) -> Found:
    start = _offset(text, found.line, found.column)
    if not written or start is None or found.copy is None:
        return found
    literal = written.get(text.find(b'"', start))
    return found if literal is None else replace(found, copy=replace(found.copy, opcode=literal))


def _offset(text: bytes, line: int, column: int) -> int | None:
    """The position of a line and a column, both counted from one; None if there is no such."""
    if line < 1 or column < 1:
        return None
    start = 0
    for _ in range(line - 1):
        start = text.find(b"\n", start) + 1
        if start == 0:
            return None
    return start + column - 1
