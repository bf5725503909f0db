"""The documents that `--json` prints, as types; their form is versioned.

Every document has `schema`, `tcgen05.NAME/VERSION`. The version rises when a key changes its
meaning or goes; keys may be added without. Numbers are plain integers; words of the hardware, of
32 and 64 bits, are text such as `0x4000404000010040`, which no reader of JSON rounds.
"""

from __future__ import annotations

import json
from typing import Any, TypedDict

VERSIONS = {"explain": 1, "rule": 1, "decode": 1, "encode": 1, "atoms": 1}
"""The version of each document."""


class LocationJson(TypedDict):
    """A place in a source; line and column count from one, 0 is unknown."""

    file: str | None
    line: int
    column: int


class FailureJson(TypedDict):
    """A rule that does not hold. `message` is the sentence that the other keys are parts of."""

    rule: str | None
    operand: str | None
    expected: str | None
    got: str | None
    message: str
    notes: list[str]


class EditJson(TypedDict):
    """One thing that a change changes."""

    what: str
    old: str
    new: str


class ChangeJson(TypedDict):
    """A legal copy nearby, whole, and where it differs."""

    edits: list[EditJson]
    opcode: str
    scope: str
    chip: str | None
    dst: str
    src: str


class AtomJson(TypedDict):
    """What one instruction moves; `lanes` holds the lane of each row, relative to row 0."""

    shape: str
    multicast: str | None
    rows: int
    words: int
    lanes: list[int]
    replicas: int
    replica_stride: int


class FieldJson(TypedDict):
    """A bit field of a descriptor; its value is in the field's own unit."""

    name: str
    lsb: int
    width: int
    value: int
    meaning: str


class WalkJson(TypedDict):
    """How a descriptor reads, in bytes."""

    ldo: int
    sdo: int
    swizzle: str


class IssueJson(TypedDict):
    """One instruction, run-time terms zero, relative to the views; ranges hold both ends."""

    repeat: list[int]
    origin: dict[str, int]
    lanes: list[list[int]]
    columns: list[int]
    bytes: list[int]


class PlanJson(TypedDict):
    """How a legal copy is issued."""

    walk: WalkJson
    descriptor: str
    fields: list[FieldJson]
    groups: list[dict[str, Any]]
    terms: list[dict[str, Any]]
    issues: list[IssueJson]


class CopyJson(TypedDict):
    """One copy of a file. Legal: `plan` is given; illegal: `failure` and `changes`."""

    location: LocationJson
    opcode: str | None
    scope: str | None
    chip: str | None
    dst: str | None
    src: str | None
    legal: bool
    atom: AtomJson | None
    plan: PlanJson | None
    failure: FailureJson | None
    changes: list[ChangeJson]
    fewer: ChangeJson | None


class ExplainJson(TypedDict):
    """`tcgen05 explain FILE --json`."""

    schema: str
    source: str
    copies: list[CopyJson]


class RuleJson(TypedDict):
    """`tcgen05 explain C10 --json`."""

    schema: str
    rule: str
    statement: str
    text: str


class DecodeJson(TypedDict):
    """`tcgen05 decode --json`; `problems` are why no copy has this word, in the order of bits."""

    schema: str
    chip: str
    word: str
    legal: bool
    start: int | None
    walk: WalkJson | None
    fields: list[FieldJson]
    problems: list[str]


class TmemJson(TypedDict):
    """`tcgen05 decode --tmem --json`."""

    schema: str
    chip: str
    word: str
    lane: int
    column: int


class EncodeJson(TypedDict):
    """`tcgen05 encode --json`."""

    schema: str
    chip: str
    word: str


class AtomsJson(TypedDict):
    """`tcgen05 atoms --json`."""

    schema: str
    chip: str
    atoms: list[AtomJson]


def schema(name: str) -> str:
    """The value of `schema` in a document."""
    return f"tcgen05.{name}/{VERSIONS[name]}"


def dumps(document: Any) -> str:
    """The text of a document, with a line feed at its end."""
    return json.dumps(document, indent=2) + "\n"
