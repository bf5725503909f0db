"""Why some mutants of the ground floor mean the same as the original: equivalent.txt, by place.

A place is a line of a file: its text, and the text of the line above it where the file has it more
than once. So an explanation belongs to one line, and says nothing any more once that changes.
"""

from __future__ import annotations

import hashlib
import pathlib
import re
from collections import Counter

from program import FLOOR, HEADERS, ROOT, TESTS

FILE = TESTS / "equivalent.txt"


def places(path: str, root: pathlib.Path = ROOT) -> list[str]:
    """A name for each line of a file of the ground floor."""
    lines = [line.strip() for line in (root / path).read_text().splitlines()]
    count = Counter(lines)
    return [
        f"{lines[i - 1]} / {line}" if i > 0 and count[line] > 1 else line
        for i, line in enumerate(lines)
    ]


def fingerprint() -> str:
    """Of the ground floor, comments and spaces aside: what a run of its mutants is about."""
    digest = hashlib.sha256()
    for directory in (FLOOR, HEADERS / "tcgen05" / "Layout"):
        for path in sorted(p for p in directory.rglob("*") if p.suffix in (".h", ".cpp")):
            lines = [line.split(" //")[0].strip() for line in path.read_text().splitlines()]
            text = re.sub(r"\s", "", "".join(x for x in lines if not x.startswith("//")))
            digest.update(f"{path.relative_to(ROOT)}:{text};".encode())
    return digest.hexdigest()[:16]


def explanations(text: str | None = None) -> dict[tuple[str, str, str], str]:
    """Reasons by (file, place, change). In the text they are told apart by their indentation, and
    changes that follow each other share the reason below them."""
    reasons: dict[tuple[str, str, str], str] = {}
    path = place = ""
    changes: list[str] = []
    for line in (FILE.read_text() if text is None else text).splitlines():
        if not line or line.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if indent == 0:
            path = line
        elif indent == 2:
            place = line.strip()
        elif indent == 4:
            changes.append(line.strip())
        else:
            reasons.update({(path, place, change): line.strip() for change in changes})
            changes = []
    return reasons


def stale() -> list[str]:
    """Explanations of lines that are not in the sources any more."""
    keys = explanations()
    known = {path: set(places(path)) for path, _, _ in keys if (ROOT / path).exists()}
    return [f"{path}: {place}" for path, place, _ in keys if place not in known.get(path, ())]
