"""The documents that `--json` prints, as types; their form is versioned.

Every document has `schema`, the version of the form of all documents, and `command`, which says
which of them it is. The version rises when a key changes its meaning or goes; keys may be added
without. Numbers are plain integers; words of the hardware, of 32 and 64 bits, are text such as
`0x4000404000010040`, which no reader of JSON rounds. `schema.json` is made from the types here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from ._errors import Diagnostic

SCHEMA = "tcgen05/1"
"""The value of `schema` in every document."""


class LocationJson(TypedDict):
    """A place in a source; line and column count from one, 0 is unknown."""

    file: str | None
    line: int
    column: int


class NoteJson(TypedDict):
    """What would have worked, or another place that a diagnostic speaks of."""

    message: str
    location: LocationJson


class DiagnosticJson(TypedDict):
    """What is wrong. `message` is the sentence; `operand`, `expected` and `got` are parts of it.

    `severity` is `error` or `warning`; `rule` is C1 to C15, or the name of a finding of `check`.
    """

    severity: str
    rule: str | None
    operand: str | None
    expected: str | None
    got: str | None
    message: str
    location: LocationJson
    notes: list[NoteJson]


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
    failure: DiagnosticJson | None
    changes: list[ChangeJson]
    fewer: ChangeJson | None


class ExplainJson(TypedDict):
    """`tcgen05 explain FILE --json`."""

    schema: str
    command: str
    source: str
    copies: list[CopyJson]


class RuleJson(TypedDict):
    """`tcgen05 explain C10 --json`."""

    schema: str
    command: str
    rule: str
    statement: str
    text: str


class DecodeJson(TypedDict):
    """`tcgen05 decode --json`; `problems` are why no copy has this word, in the order of bits."""

    schema: str
    command: str
    chip: str
    word: str
    legal: bool
    start: int | None
    walk: WalkJson | None
    fields: list[FieldJson]
    problems: list[DiagnosticJson]


class TmemJson(TypedDict):
    """`tcgen05 decode --tmem --json`."""

    schema: str
    command: str
    chip: str
    word: str
    lane: int
    column: int


class EncodeJson(TypedDict):
    """`tcgen05 encode --json`."""

    schema: str
    command: str
    chip: str
    word: str


class AtomsJson(TypedDict):
    """`tcgen05 atoms --json`."""

    schema: str
    command: str
    chip: str
    atoms: list[AtomJson]


class CheckJson(TypedDict):
    """`tcgen05 check --json`."""

    schema: str
    command: str
    source: str
    findings: list[DiagnosticJson]


class IssuedJson(TypedDict):
    """One issued instruction."""

    opcode: str
    taddr: str
    descriptor: str


class TraceJson(TypedDict):
    """`tcgen05 trace --json`."""

    schema: str
    command: str
    source: str
    entry: str
    issues: list[IssuedJson]


class ProofJson(TypedDict):
    """One statement about one copy; `holds` is null where it could not be stated."""

    function: str
    copy: int
    opcode: str
    statement: str
    holds: bool | None
    detail: str


class ProveJson(TypedDict):
    """`tcgen05 prove --json`."""

    schema: str
    command: str
    source: str
    proofs: list[ProofJson]


class ResultJson(TypedDict):
    """What a command made: in the file `path`, or here as `text` or `base64`."""

    format: str
    bytes: int
    path: str | None
    text: str | None
    base64: str | None


class StageJson(TypedDict):
    """A stage of a compilation."""

    name: str
    seconds: float


class CompileJson(TypedDict):
    """`tcgen05 compile --json`."""

    schema: str
    command: str
    source: str
    chip: str
    result: ResultJson
    findings: list[DiagnosticJson]
    stages: list[StageJson]


class DrawnJson(TypedDict):
    """A copy that was drawn."""

    location: LocationJson
    opcode: str | None
    legal: bool


class PlotJson(TypedDict):
    """`tcgen05 plot --json`; no copies for the atoms."""

    schema: str
    command: str
    source: str | None
    result: ResultJson
    copies: list[DrawnJson]


class EnvJson(TypedDict):
    """`tcgen05 env --json`; null is not installed."""

    schema: str
    command: str
    versions: dict[str, str | None]
    paths: dict[str, str | None]


class RefusedJson(TypedDict):
    """Any command that refuses its input, which exits with status 1."""

    schema: str
    command: str
    errors: list[DiagnosticJson]


DOCUMENTS: dict[str, tuple[type, ...]] = {
    "atoms": (AtomsJson,),
    "check": (CheckJson,),
    "compile": (CompileJson,),
    "decode": (DecodeJson, TmemJson),
    "encode": (EncodeJson,),
    "env": (EnvJson,),
    "explain": (ExplainJson, RuleJson),
    "plot": (PlotJson,),
    "prove": (ProveJson,),
    "trace": (TraceJson,),
}
"""What each command prints; all of them may print a `RefusedJson` instead."""


def document(command: str, **keys: Any) -> str:
    """The text of a document, with a line feed at its end."""
    return json.dumps({"schema": SCHEMA, "command": command, **keys}, indent=2) + "\n"


def diagnostic_json(diagnostic: Diagnostic, severity: str = "error") -> DiagnosticJson:
    """A diagnostic as plain values."""
    return {
        "severity": severity,
        "rule": diagnostic.rule,
        "operand": diagnostic.operand,
        "expected": diagnostic.expected,
        "got": diagnostic.got,
        "message": diagnostic.message,
        "location": location_json(diagnostic),
        "notes": [
            {"message": note.message, "location": location_json(note)} for note in diagnostic.notes
        ],
    }


def location_json(diagnostic: Diagnostic) -> LocationJson:
    """The place of a diagnostic as plain values."""
    return {"file": diagnostic.file, "line": diagnostic.line, "column": diagnostic.column}


def refused(command: str, diagnostics: Iterable[Diagnostic]) -> str:
    """The document of a command that refuses its input."""
    return document(command, errors=[diagnostic_json(one) for one in diagnostics])
