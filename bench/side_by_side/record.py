"""The record of a run, as text: written line by line, and read again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..versions import OURS, RIVALS, versions
from .runs import CONTENDERS, LEGAL, PADDED, PARTS, Contender, Outcome, run

HEAD = """\
One copy through several compilers for sm_100a, written by `python -m bench.side_by_side`:
128 rows of four 32-bit words in shared memory, without swizzle, by tcgen05.cp 128x128b.
padded: eight words from row to row, which no descriptor reads; legal: four, else the same program.
Below the sentences of each: the first words in them that are a rule, a place, a point, a remedy."""
CASES = {"legal": LEGAL, "padded": PADDED}


def lines() -> Iterator[str]:
    """The lines, as the programs end."""
    yield from HEAD.splitlines()
    yield ""
    yield from (f"{name} {version}" for name, version in versions((OURS, *RIVALS)).items())
    for contender in CONTENDERS:
        yield ""
        yield f"== {contender.title}"
        if why := contender.missing():
            yield why
            continue
        for case, pitch in CASES.items():
            yield f"{case}: {' '.join(contender.command(pitch))}"
            yield from _told(run(contender, pitch))


def _told(outcome: Outcome) -> Iterator[str]:
    yield f"  {outcome.status}" + "".join(f", {copy}" for copy in outcome.copies)
    yield from (f"  | {line}" for line in outcome.lines)
    if outcome.lines:
        yield from (f"  {part}: {outcome.find(part) or '-'}" for part in PARTS)


@dataclass
class Record:
    """What a record says."""

    versions: dict[str, str] = field(default_factory=dict)
    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    """By the title of the contender and the case."""
    parts: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    """The same, what was found in the sentences; empty where nothing was."""

    def of(self, contender: Contender, case: str) -> Outcome:
        """One outcome."""
        return self.outcomes[contender.title, case]


def read(text: str) -> Record:
    """Reads what `lines` wrote.

    Raises:
        ValueError: a line is of no known form.
    """
    record = Record()
    title = case = ""
    head, _, rest = text.partition("\n\n")
    if head != HEAD:
        raise ValueError("expected the record to have today's head, but got another")
    for line in rest.splitlines():
        if line.startswith("== "):
            title = line[3:]
        elif match := re.match(rf"({'|'.join(CASES)}): ", line):
            case = match[1]
        elif match := re.match(
            r"  (status \d+|ended by \w+|no end within .+?)((?:, tcgen05\..+)?)$", line
        ):
            copies = tuple(re.findall(r"tcgen05\..+?(?=, tcgen05|$)", match[2]))
            record.outcomes[title, case] = Outcome(match[1], copies, ())
        elif line.startswith("  | "):
            old = record.outcomes[title, case]
            record.outcomes[title, case] = Outcome(old.status, old.copies, (*old.lines, line[4:]))
        elif match := re.match(rf"  ({'|'.join(PARTS)}): (.+)$", line):
            found = "" if match[2] == "-" else match[2]
            record.parts.setdefault((title, case), {})[match[1]] = found
        elif match := re.match(r"([\w-]+) (\d\S*)$", line):
            record.versions[match[1]] = match[2]
        elif line and not line.endswith("not installed"):
            raise ValueError(f"expected a line of a record, but got {line!r}")
    return record
