"""How much a command reads, and how deep: beyond that MLIR's parser needs memory without bound.

MLIR parses, verifies and prints by recursion, a few hundred bytes to kilobytes of stack for each
level, and ends with the process where the stack does. 8 MiB, which is usual, hold 1000 nested
operations; kernels have about ten.
"""

from __future__ import annotations

import re
from typing import IO

LARGEST = 256 << 20
"""Bytes of an input."""
DEEPEST = 500
"""Brackets of an input that may be open at once."""

# What looks like a bracket and is none: in strings, in comments, in arrows and comparisons.
_NO_BRACKET = r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|[<>]='
_OPEN, _CLOSE = "([{<", ")]}>"
_NEITHER = bytes(set(range(256)) - set((_OPEN + _CLOSE).encode()))
_ALIKE = bytes.maketrans((_OPEN + _CLOSE).encode(), b"(" * len(_OPEN) + b")" * len(_CLOSE))


def read_at_most(file: IO[bytes], size: int) -> bytes | None:
    """All of a file whose size is known to be `size`, or 0 for a pipe; None if it is too large."""
    data = None if size > LARGEST else file.read(LARGEST + 1)
    return data if data is not None and len(data) <= LARGEST else None


def too_deep(text: str) -> tuple[int, int] | None:
    """Line and column of the bracket that opens one level too many, counted from one."""
    if sum(map(text.count, _OPEN)) <= DEEPEST:
        return None
    # Most files are shown to be shallow at the speed of C: each round takes the innermost level.
    brackets = re.sub(_NO_BRACKET, "", text).encode().translate(_ALIKE, _NEITHER)
    for _ in range(DEEPEST):
        before = len(brackets)
        if before <= DEEPEST:
            return None
        brackets = brackets.replace(b"()", b"")
        if len(brackets) > before * 0.9:
            break
    depth = 0
    for match in re.finditer(rf"{_NO_BRACKET}|([(\[{{<])|[)\]}}>]", text):
        if match[1]:
            depth += 1
            if depth > DEEPEST:
                place = match.start()
                return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        elif match[0] in _CLOSE:
            depth = max(depth - 1, 0)
    return None
