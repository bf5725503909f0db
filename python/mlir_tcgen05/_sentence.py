"""The parts of a sentence of an error: `expected OPERAND to be X, but got Y`."""

from __future__ import annotations

import re

_SENTENCE = re.compile(
    r"expected (?P<expected>.*?)(?:, but got:? (?P<got>.*)|, but (?P<fact>.*))", re.DOTALL
)
_OPERAND = re.compile(r"\b(dst|src)\b")


def operand(message: str) -> str | None:
    """`dst` or `src`; None where the sentence is about neither or both."""
    match = _OPERAND.search(message)
    return match[1] if match else None


def expected(message: str) -> str | None:
    """What the sentence expects, its subject included; None for another kind of sentence."""
    match = _SENTENCE.search(message)
    return match["expected"] if match else None


def got(message: str) -> str | None:
    """What the sentence found instead; None for another kind of sentence."""
    match = _SENTENCE.search(message)
    return (match["got"] or match["fact"]) if match else None
