"""The illegal copies that the suite and the documentation have: the negative tests, read again."""

from __future__ import annotations

import re
from dataclasses import dataclass

import mlir_tcgen05 as t5
from mlir_tcgen05._copy import Found
from mlir_tcgen05._errors import CompileError
from mlir_tcgen05._parse import parse_copies
from snippets import ROOT, blocks

RULES = tuple(f"C{number}" for number in range(1, 16))


@dataclass(frozen=True)
class Illegal:
    """An illegal copy, and the first line of the text that it comes from."""

    where: str
    found: Found

    def __str__(self) -> str:
        return self.where


def illegal_copies() -> list[Illegal]:
    """Every illegal copy of the negative tests of the dialect and of the pages of the rules."""
    out = []
    for name, text in _sources():
        with t5.Context() as context:
            try:
                _, found = parse_copies(context, text)
            except CompileError:
                continue  # a type, a layout or the syntax is refused: there is no copy yet
        for one in found:
            failure = one.copy.failure if one.copy else one.broken
            if failure is not None:
                rule = failure.rule or "malformed"
                out.append(Illegal(f"{name}:{one.line}-{rule}", one))
    return out


def _sources() -> list[tuple[str, str]]:
    tests = sorted((ROOT / "test" / "Dialect").glob("*invalid.mlir"))
    sources = [
        (f"{path.stem}[{index}]", section)
        for path in tests
        for index, section in enumerate(re.split(r"^// -----$", path.read_text(), flags=re.M))
    ]
    sources += [
        (f"page-{page.stem}-{block.line}", block.text)
        for page in sorted((ROOT / "docs" / "rules").glob("C*.md"))
        for block in blocks(page)
        if (block.language, block.words) == ("mlir", "refused")
    ]
    return sources
