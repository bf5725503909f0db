# RUN: %pytest %s
"""What MUTANTS.md says of the ground floor's mutants holds together, and is of today's sources.

Runs no mutant: `python test/agreement/mutants.py --build DIR --write` does, and writes the page.
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "test" / "agreement" / "MUTANTS.md"

sys.path.insert(0, str(ROOT / "test" / "agreement"))
from explained import explanations, fingerprint, stale  # noqa: E402


def survivors() -> Counter[tuple[str, str, str, str]]:
    """Those of the page: file, place, change, reason."""
    found: Counter[tuple[str, str, str, str]] = Counter()
    path = place = ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("### "):
            path = line[4:]
        elif match := re.fullmatch(r"- `(.*)`", line):
            place = match[1]
        elif match := re.fullmatch(r"  - `(.*)` as `(.*)`: (.*)", line):
            found[path, place, f"{match[1]} -> {match[2]}", match[3]] += 1
    return found


def test_at_least_95_percent_are_killed() -> None:
    match = re.search(r"(\d+) of (\d+) mutants run: (\d+) killed", PAGE.read_text())
    assert match
    run, made, killed = map(int, match.groups())
    assert run == made
    assert killed >= 0.95 * made
    assert run - killed == survivors().total()


def test_the_run_was_of_these_sources() -> None:
    assert f"Fingerprint of the sources: {fingerprint()}." in PAGE.read_text(), (
        "lib/Layout has changed: run `python test/agreement/mutants.py --build DIR --write`"
    )


def test_every_survivor_is_explained() -> None:
    expected: Counter[tuple[str, str, str, str]] = Counter()
    for (path, place, change), reason in explanations().items():
        expected[path, place, re.sub(r" #\d+$", "", change), reason] += 1
    assert survivors() == expected


def test_explanations_speak_of_lines_that_are_there() -> None:
    assert explanations()
    assert stale() == []
