"""Explanations as documents; `_json` has their form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import Diagnostic
from ._json import (
    AtomJson,
    ChangeJson,
    DiagnosticJson,
    FieldJson,
    IssueJson,
    PlanJson,
    WalkJson,
    diagnostic_json,
)
from .layout import CpAtom, SmemDescriptor, SmemWalk, Term

if TYPE_CHECKING:
    from ._copy import Failure
    from ._explain import Explanation, Issue
    from ._suggest import Change


def fields(word: int) -> list[tuple[str, int, int, int, str]]:
    """Name, lowest bit, width, value and meaning of each field of a descriptor."""
    return [
        (name, lsb, width, word >> lsb & ((1 << width) - 1), meaning)
        for name, lsb, width, meaning in SmemDescriptor.fields()
    ]


def fields_json(word: int) -> list[FieldJson]:
    """The fields of a descriptor as plain values."""
    return [
        {"name": name, "lsb": lsb, "width": width, "value": value, "meaning": meaning}
        for name, lsb, width, value, meaning in fields(word)
    ]


def atom_json(atom: CpAtom) -> AtomJson:
    """An atom as plain values."""
    return {
        "shape": atom.shape,
        "multicast": atom.multicast,
        "rows": atom.rows,
        "words": atom.words,
        "lanes": [atom.lane(row) for row in range(atom.rows)],
        "replicas": atom.replicas,
        "replica_stride": atom.replica_stride,
    }


def walk_json(walk: SmemWalk) -> WalkJson:
    """A walk as plain values."""
    return {"ldo": walk.ldo, "sdo": walk.sdo, "swizzle": str(walk.swizzle)}


def failure_json(failure: Failure, place: tuple[str | None, int, int]) -> DiagnosticJson:
    """A failure as plain values; `place` is the file, line and column of the copy."""
    notes = tuple(Diagnostic(note, *place) for note in failure.notes)
    return diagnostic_json(Diagnostic(failure.message, *place, notes, failure.rule))


def change_json(change: Change) -> ChangeJson:
    """A change as plain values, with the whole copy that it makes."""
    copy = change.copy
    return {
        "edits": [{"what": e.what, "old": e.old, "new": e.new} for e in change.edits],
        "opcode": copy.opcode,
        "scope": copy.scope,
        "chip": copy.chip,
        "dst": copy.dst_type,
        "src": copy.src_type,
    }


def plan_json(self: Explanation) -> PlanJson | None:
    """The plan of a legal copy as plain values; None for an illegal one."""
    plan = self.plan
    if plan is None:
        return None
    terms: list[dict[str, Any]] = [
        {"operand": operand, "count": term.count, **_multiplier(term)}
        for operand, all_terms in (("dst", plan.dst_terms), ("src", plan.src_terms))
        for term in all_terms
    ]
    return {
        "walk": walk_json(plan.walk),
        "descriptor": f"{plan.descriptor:#018x}",
        "fields": fields_json(plan.descriptor),
        "groups": [{"axis": axis, "length": length} for axis, length in plan.groups],
        "terms": terms,
        "issues": [_issue_json(issue) for issue in self.issues],
    }


def _multiplier(term: Term) -> dict[str, Any]:
    step = term.multiplier
    if isinstance(step, int):
        return {"multiplier": step, "unit": "bytes"}
    return {"multiplier": step.value, "unit": "lanes" if step.axis.name == "lane" else "columns"}


def _issue_json(issue: Issue) -> IssueJson:
    return {
        "repeat": list(issue.repeat),
        "origin": {"lane": issue.lane, "column": issue.column, "byte": issue.byte},
        "lanes": [list(both) for both in issue.lanes],
        "columns": list(issue.columns),
        "bytes": list(issue.bytes),
    }
