"""What each copy of a module does, or why it is illegal and what would be legal instead.

    for explanation in explain(module):
        print(explanation)

Everything that is said comes from the plan of the copy or from the verifier's sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from ._copy import Copy, Failure, Found, bits, copies
from ._explain_json import atom_json, change_json, failure_json, plan_json
from ._explain_text import illegal_lines, legal_lines
from ._json import CopyJson
from ._suggest import Change, changes, fewer
from .layout import CpPlan

if TYPE_CHECKING:
    from mlir import ir


@dataclass(frozen=True)
class Mark:
    """A place that a sentence speaks of.

    Attributes:
        role: `got` or `expected`.
        operand: `dst` or `src`.
        lane, column: of tensor memory, relative to the view.
        byte: of shared memory, relative to the view, after swizzling.
    """

    role: str
    operand: str
    lane: int = 0
    column: int = 0
    byte: int = 0


@dataclass(frozen=True)
class Issue:
    """One instruction, run-time terms and group coordinates zero, relative to the views.

    Attributes:
        repeat: its coordinates on the repeat axes.
        lane, column, byte: where its row 0, word 0 goes, and its start before swizzling.
        lanes: ranges of lanes that it writes, both ends included.
        columns: first and last column.
        bytes: first and last byte that it reads.
    """

    repeat: tuple[int, ...]
    lane: int
    column: int
    byte: int
    lanes: tuple[tuple[int, int], ...]
    columns: tuple[int, int]
    bytes: tuple[int, int]


class Explanation:
    """One copy explained. `str()` is the text, `as_json()` the same as plain values.

    Attributes:
        copy: the copy; None where the operation has not all that a copy has.
        failure: the first rule that does not hold; None for a legal copy.
        file, line, column: its place, as far as known.
    """

    def __init__(self, found: Found) -> None:
        self.copy: Copy | None = found.copy
        self.file: str | None = found.file
        self.line: int = found.line
        self.column: int = found.column
        self.failure: Failure | None = found.copy.failure if found.copy else found.broken

    @classmethod
    def of(cls, copy: Copy) -> Explanation:
        """Explains a copy that comes from no module."""
        return cls(Found(copy, None, 0, 0))

    @property
    def legal(self) -> bool:
        """True if all rules hold."""
        return self.failure is None

    @cached_property
    def plan(self) -> CpPlan | None:
        """How it is issued; None for an illegal copy."""
        return self.copy.plan() if self.copy and self.legal else None

    @cached_property
    def changes(self) -> list[Change]:
        """For an illegal copy what would be legal, the smallest change first."""
        return changes(self.copy) if self.copy else []

    @property
    def change(self) -> Change | None:
        """The smallest change that makes an illegal copy legal, if one was found."""
        return self.changes[0] if self.changes else None

    @cached_property
    def fewer(self) -> Change | None:
        """For a legal copy the same one by half as many instructions, if the layouts allow it."""
        return fewer(self.copy) if self.copy else None

    @cached_property
    def issues(self) -> list[Issue]:
        """The instructions of a legal copy, in order."""
        return _issues(self.copy, self.plan) if self.copy and self.plan else []

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The places that the failure speaks of; empty where it speaks of none."""
        return _marks(self.copy, self.failure) if self.copy and self.failure else ()

    @property
    def location(self) -> str | None:
        """`file:line:column`, as far as known."""
        if self.file is None:
            return None
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def __str__(self) -> str:
        return "\n".join(line for _, line in self.lines())

    def lines(self) -> list[tuple[str, str]]:
        """The text line by line, each with its kind: title, legal, illegal, note, change, plain."""
        where = f"{self.location}: " if self.location else ""
        if self.copy is None or self.failure:
            return illegal_lines(self, where)
        return legal_lines(self, where)

    def as_json(self) -> CopyJson:
        """The explanation as a part of the document `tcgen05.explain`."""
        copy, code = self.copy, self.copy.qualifiers if self.copy else None
        place = self.file, self.line, self.column
        return {
            "location": {"file": self.file, "line": self.line, "column": self.column},
            "opcode": copy and copy.opcode,
            "scope": copy and copy.scope,
            "chip": copy and copy.chip,
            "dst": copy and copy.dst_type,
            "src": copy and copy.src_type,
            "legal": self.legal,
            "atom": atom_json(code.atom) if code else None,
            "plan": plan_json(self),
            "failure": failure_json(self.failure, place) if self.failure else None,
            "changes": [change_json(change) for change in self.changes],
            "fewer": change_json(self.fewer) if self.fewer else None,
        }


def explain(module: ir.Module | ir.Operation) -> list[Explanation]:
    """Explains the copies of a module, which may be illegal and stays as it is.

    Args:
        module: a module, or an operation such as a function or a single copy.

    Returns:
        One explanation for each copy, in the order of the text.

    Raises:
        TypeError: `module` is neither a module nor an operation.
    """
    return [Explanation(found) for found in copies(module)]


# ---- Places ----


def ranges(values: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Ascending numbers as ranges, both ends included."""
    out: list[tuple[int, int]] = []
    for value in values:
        if out and out[-1][1] + 1 == value:
            out[-1] = out[-1][0], value
        else:
            out.append((value, value))
    return tuple(out)


def _issues(copy: Copy, plan: CpPlan) -> list[Issue]:
    atom, walk = plan.opcode.atom, plan.walk
    extents = list(copy.dst.sizes[copy.groups : -2])
    while extents and extents[0] == 1:
        del extents[0]
    coordinates = product(*map(range, extents))
    lanes = sorted(
        atom.lane(row) + replica * atom.replica_stride
        for row in range(atom.rows)
        for replica in range(atom.replicas)
    )
    out: list[Issue] = []
    for repeat, (lane, column, byte) in zip(coordinates, plan.repeats, strict=True):
        lane, column = lane + plan.origin[0], column + plan.origin[1]
        byte += plan.origin[2]
        chunks = [
            walk.address(byte, row, word)
            for row in range(atom.rows)
            for word in range(0, atom.words, 4)
        ]
        out.append(
            Issue(
                repeat,
                lane,
                column,
                byte,
                tuple((lane + a, lane + b) for a, b in ranges(lanes)),
                (column, column + atom.words - 1),
                (min(chunks), max(chunks) + 15),
            )
        )
    return out


def _marks(copy: Copy, failure: Failure) -> tuple[Mark, ...]:
    """What the sentence points at; a sentence about no place gives none."""
    text, rule = failure.message, failure.rule
    if rule == "C6" and (
        m := re.search(r"row (\d+)(?:, word (\d+))? in (lane|column) (-?\d+)", text)
    ):
        zeros = [0] * (copy.dst.rank - 2)
        lane, column = copy.dst.place([*zeros, int(m[1]), int(m[2] or 0)])[0]
        value = int(m[4])
        right = (value, column) if m[3] == "lane" else (lane, value)
        return Mark("got", "dst", lane, column), Mark("expected", "dst", *right)
    if rule == "C7" and (m := re.search(r"but got (-?\d+)", text)):
        lane = min(place[0] for place in copy.dst.place([0] * copy.dst.rank))
        return (Mark("got", "dst", lane, int(m[1])),)
    if rule == "C8" and (m := re.search(r"but got (lane|column)s (-?\d+) to (-?\d+)", text)):
        lane, column = copy.dst.place([0] * copy.dst.rank)[0]
        last = int(m[3])
        return (Mark("got", "dst", *((last, column) if m[1] == "lane" else (lane, last))),)
    if rule == "C9" and (m := re.search(r"write lane (\d+), column (\d+)", text)):
        return (Mark("got", "dst", int(m[1]), int(m[2])),)
    if rule == "C10" and (m := re.search(r"at byte (-?\d+), but got (-?\d+)", text)):
        return Mark("got", "src", byte=int(m[2])), Mark("expected", "src", byte=int(m[1]))
    if rule == "C11":
        row, word = (8, 0) if "row-group" in text else (0, 4)
        zeros = [0] * (copy.src.rank - 2)
        element = copy.src.place([*zeros, row, word])[0]
        byte = copy.src.swizzle.apply(element * bits(copy.src_element) // 8)
        return (Mark("got", "src", byte=byte),)
    if rule in ("C12", "C14") and (m := re.search(r"byte (-?\d+)", failure.got or "")):
        return (Mark("got", "src", byte=int(m[1])),)
    return ()
