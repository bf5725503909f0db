"""Explanations as text, line by line; what is said is decided in `_explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._explain_json import fields
from .layout import CpAtom, SmemWalk, Term

if TYPE_CHECKING:
    from ._copy import Copy
    from ._explain import Explanation, Mark

_SHOWN = 32
"""Repeats that the text lists; a document has all."""

Lines = list[tuple[str, str]]
"""Each line with its kind: title, legal, illegal, note, change or plain."""


def illegal_lines(self: Explanation, where: str) -> Lines:
    """What an illegal copy breaks, where, and what would be legal."""
    failure = self.failure
    assert failure is not None, "expected an illegal copy"
    name = self.copy.opcode if self.copy else "(incomplete)"
    rule = f"rule {failure.rule}: " if failure.rule else ""
    lines: Lines = [
        ("title", f"{where}tcgen05.cp {name}"),
        ("illegal", f"  illegal     {rule}{failure.message}"),
        *(("note", f"              {note}") for note in failure.notes),
    ]
    lines += [("note", f"              {_spell(mark)}") for mark in self.marks]
    for index, change in enumerate(self.changes):
        title = "  change      " if index == 0 else "  or          "
        for edit in change.edits:
            lines.append(("change" if index == 0 else "plain", f"{title}{edit}"))
            title = "              "
    if self.change is not None:
        lines.append(("note", "  the smallest change, whole:"))
        lines += [("plain", f"    {line}") for line in _types(self.change.copy)]
    if failure.rule:
        lines.append(("note", f"  see         tcgen05 explain {failure.rule}"))
    return lines


def _types(copy: Copy) -> list[str]:
    chip = [f'#nvvm.target<chip = "{copy.chip}">'] if copy.chip else []
    scope = f", scope({copy.scope})" if copy.scope != "thread" else ""
    return [
        *chip,
        f'tcgen05.cp "{copy.opcode}" %dst, %src{scope} :',
        f"  {copy.dst_type},",
        f"  {copy.src_type}",
    ]


def _spell(mark: Mark) -> str:
    if mark.operand == "dst":
        return f"{mark.role} at lane {mark.lane}, column {mark.column}"
    if mark.byte < 0:
        return f"{mark.role} {-mark.byte} bytes before the view"
    return f"{mark.role} at line {mark.byte // 128}, bank {mark.byte % 128 // 4} of shared memory"


def legal_lines(self: Explanation, where: str) -> Lines:
    """How a legal copy is issued."""
    copy, plan = self.copy, self.plan
    assert copy is not None, "expected a legal copy"
    assert plan is not None, "expected a legal copy"
    atom = plan.opcode.atom
    issues = self.issues
    number = f"{len(issues)} instruction" + "s" * (len(issues) > 1)
    per = f" for each member of scope {copy.scope}" if copy.scope != "thread" else ""
    lines: Lines = [
        ("title", f"{where}tcgen05.cp {copy.opcode}"),
        ("legal", f"  legal       {number}{per}"),
        (
            "plain",
            f"  atom        {atom}: {atom.rows} rows x {atom.words} words; {lane_rule(atom)}",
        ),
        ("plain", f"  walk        {plan.walk}"),
        ("note", f"              row r, word w at {_formula(plan.walk, atom)}"),
        ("plain", f"  descriptor  {plan.descriptor:#018x} | start / 16"),
    ]
    for name, lsb, width, value, meaning in fields(plan.descriptor):
        if name != "start" and (value or not name.startswith("reserved")):
            lines.append(
                (
                    "note",
                    f"              {_bit_range(lsb, width):<7} {name:<12} {value:<6} {meaning}",
                )
            )
    for axis, length in plan.groups:
        lines.append(("plain", f"  group axis  {axis}: {length}"))
    lines += [
        ("plain", f"  term        {operand} {_step(term)}, 0 <= i < {term.count}")
        for operand, terms in (("dst", plan.dst_terms), ("src", plan.src_terms))
        for term in terms
    ]
    header = ("repeat", "lanes", "columns", "start", "bytes read")
    rows = [header] + [
        (
            f"({', '.join(map(str, issue.repeat))})" if issue.repeat else "-",
            ", ".join(map(span, issue.lanes)),
            span(issue.columns),
            str(issue.byte),
            span(issue.bytes),
        )
        for issue in issues[:_SHOWN]
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for index, row in enumerate(rows):
        cells = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        lines.append(("note" if index == 0 else "plain", f"  {cells}".rstrip()))
    if len(issues) > _SHOWN:
        lines.append(("note", f"  ... {len(issues) - _SHOWN} more"))
    if self.fewer is not None:
        few = len(self.fewer.copy.plan().repeats)
        lines.append(("change", f"  fewer       {few} instead of {len(issues)} instructions:"))
        lines += [("plain", f"    {line}") for line in _types(self.fewer.copy)]
    return lines


def lane_rule(atom: CpAtom) -> str:
    """Where the rows of an atom go, in words."""
    step = atom.lane(1) - atom.lane(0)
    together = next((r for r in range(atom.rows) if atom.lane(r) != r * step), atom.rows)
    if together < atom.rows:
        text = f"row r in lane {atom.lane(together)} (r / {together}) + r % {together}"
    else:
        text = "row r in lane r" if step == 1 else f"row r in lane {step} r"
    if atom.replicas > 1:
        text += f"; {atom.replicas} copies, {atom.replica_stride} lanes apart"
    return text


def _formula(walk: SmemWalk, atom: CpAtom) -> str:
    parts = ["start"]
    if atom.rows > 8:
        parts.append(f"(r / 8) * {walk.sdo}")
    parts.append(f"(r % 8) * {walk.swizzle.row_bytes}")
    if walk.swizzle.mode == 0 and atom.words > 4:
        parts.append(f"(w / 4) * {walk.ldo} + (w % 4) * 4")
    else:
        parts.append("w * 4")
    swizzled = f", then XOR of swizzle {walk.swizzle}" if walk.swizzle.mode else ""
    return " + ".join(parts) + swizzled


def span(both: tuple[int, int]) -> str:
    """`4` or `4-7`."""
    return str(both[0]) if both[0] == both[1] else f"{both[0]}-{both[1]}"


def _bit_range(lsb: int, width: int) -> str:
    return span((lsb, lsb + width - 1))


def _step(term: Term) -> str:
    step = term.multiplier
    if isinstance(step, int):
        return f"{step} bytes * i"
    return f"{step.value} {'lanes' if step.axis.name == 'lane' else 'columns'} * i"
