"""What an illegal copy would be legal as: the nearest legal copies, and what each changes.

Rules are checked in order, so an illegal copy fails one of them. For each rule there are a few
moves that can satisfy it. The search makes the moves of the rule that fails, cheapest first, until
copies are legal; what a copy costs is how much of what the user wrote it changes. Whether a copy is
legal is decided by `plan_cp` alone, so nothing is suggested that the verifier would refuse.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import count

from . import _reshape as shape
from ._copy import Copy
from ._moves import SWIZZLES, moves, with_atom
from .layout import Layout, atoms

_BUDGET = 1500
"""Copies from which on the search makes no more moves."""
_FARTHER = 6.0
"""How much more than the smallest change another one may cost and still be told."""


@dataclass(frozen=True)
class Edit:
    """One thing that a change changes, `src swizzle` say; values as text."""

    what: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.what}: {self.old} -> {self.new}"


@dataclass(frozen=True)
class Change:
    """A legal copy near another one.

    Attributes:
        copy: the legal copy.
        edits: where it differs.
        cost: how much it changes; the smallest change has the least.
    """

    copy: Copy
    edits: tuple[Edit, ...]
    cost: float

    def __str__(self) -> str:
        return "; ".join(map(str, self.edits))


def changes(copy: Copy, most: int = 4) -> list[Change]:
    """The nearest legal copies of an illegal one, the smallest change first.

    Args:
        copy: any copy; a legal one needs no change and gives an empty list.
        most: how many to return.
    """
    if copy.failure is None:
        return []
    order = count()
    queue = [(0.0, next(order), copy)]
    queue += [(_cost(copy, variant), next(order), variant) for variant in _variants(copy)]
    heapq.heapify(queue)
    seen = {start for _, _, start in queue}
    kept: list[Change] = []
    told: set[tuple[object, ...]] = set()
    while queue and len(kept) < most:
        cost, _, current = heapq.heappop(queue)
        if kept and cost > kept[0].cost + _FARTHER:
            break
        failure = current.failure
        if failure is not None:
            for candidate in moves(current, failure) if len(seen) < _BUDGET else ():
                if candidate not in seen:
                    seen.add(candidate)
                    heapq.heappush(queue, (_cost(copy, candidate), next(order), candidate))
            continue
        change = Change(current, edits(copy, current), cost)
        # A change that another one is a part of says nothing new.
        more = any(set(other.edits) <= set(change.edits) for other in kept)
        if not more and (same := _meaning(current)) not in told:
            kept.append(change)
            told.add(same)
    # What a later move mends is not always farther than the move before it was.
    return sorted(kept, key=lambda change: change.cost)


def _meaning(copy: Copy) -> tuple[object, ...]:
    """What the hardware is told, so that one copy written in two ways is told once."""
    plan = copy.plan()
    what = (copy.opcode, copy.scope, copy.chip, copy.columns, copy.align, copy.storage)
    terms = (plan.dst_terms, plan.src_terms)
    return (*what, str(plan.walk), plan.origin, plan.repeats, plan.groups, *terms)


def fewer(copy: Copy) -> Change | None:
    """The same bytes to the same cells by half as many instructions, where two are one wider."""
    code = copy.qualifiers
    if code is None or copy.failure is not None:
        return None
    dst, src = shape.dims(copy.dst), shape.dims(copy.src)
    for wider in atoms():
        atom = code.atom
        if wider.rows != atom.rows or wider.words != 2 * atom.words:
            continue
        # Leading unit repeats are dropped on each side, so axes are paired from the end.
        for dim in range(3, min(len(dst), len(src)) - copy.groups + 1):
            pair: list[Layout] = []
            for layout, dimensions in ((copy.dst, dst), (copy.src, src)):
                parts = shape.split(dimensions[-dim], 2)
                if parts is None:
                    break
                outer, inner = parts
                joined = [*dimensions]
                joined[-dim] = outer
                joined[-1] = [*inner, *dimensions[-1]]
                if shape.size(outer) == 1:
                    del joined[-dim]
                pair.append(shape.remade(layout, joined))
            if len(pair) != 2:
                continue
            candidate = replace(with_atom(copy, wider), dst=pair[0], src=pair[1])
            if candidate.failure is None:
                return Change(candidate, edits(copy, candidate), _cost(copy, candidate))
    return None


def edits(old: Copy, new: Copy) -> tuple[Edit, ...]:
    """Where two copies differ, in the words of the operation and its types."""
    pairs: list[tuple[str, object, object]] = [
        ("opcode", old.opcode, new.opcode),
        ("scope", old.scope, new.scope),
        ("chip", old.chip, new.chip),
        ("dst element", old.dst_element, new.dst_element),
        *_layout_edits("dst", old.dst, new.dst),
        ("dst columns", old.columns, new.columns),
        ("src element", old.src_element, new.src_element),
        *_layout_edits("src", old.src, new.src),
        ("src align", old.align, new.align),
        ("src storage", old.storage or "its image", new.storage or "its image"),
    ]
    return tuple(Edit(what, str(a), str(b)) for what, a, b in pairs if a != b)


def _layout_edits(operand: str, old: Layout, new: Layout) -> list[tuple[str, object, object]]:
    """The part that changes where one does, else the whole layouts."""
    same = {
        "replica": old.replica == new.replica,
        "offset": old.offset == new.offset,
        "swizzle": old.swizzle == new.swizzle,
    }
    if (old.shape, old.strides) != (new.shape, new.strides) or list(same.values()).count(False) > 1:
        return [(f"{operand} layout", old, new)]
    return [
        (f"{operand} {part}", _part(old, part), _part(new, part))
        for part, equal in same.items()
        if not equal
    ]


def _part(layout: Layout, part: str) -> str:
    """A part of a layout as its text spells it; `none` or `zero` where the text has none."""
    match = re.search(rf", {part} (\[.*?\]|\w+)", str(layout))
    return match[1] if match else {"offset": "zero"}.get(part, "none")


def _cost(old: Copy, new: Copy) -> float:
    """How much of what was written changes; equal parts cost nothing."""
    cost = 0.0
    if old.opcode != new.opcode:
        cost += 1 + 2 * (1 - SequenceMatcher(None, old.opcode, new.opcode).ratio())
    if old.scope != new.scope:
        cost += 2
    cost += _layout_cost(old.dst, new.dst) + _layout_cost(old.src, new.src)
    cost += (old.dst_element != new.dst_element) + (old.src_element != new.src_element)
    cost += (old.columns != new.columns) + (old.chip != new.chip)
    if old.chip and new.chip and old.chip != new.chip:
        cost += 1 - SequenceMatcher(None, old.chip, new.chip).ratio()
    # What the buffer has to have is said beside its layout, and moves nothing.
    cost += (old.align != new.align) / 2 + (old.storage != new.storage) / 2
    return cost


def _layout_cost(old: Layout, new: Layout) -> float:
    if old == new:
        return 0
    far = 1 - SequenceMatcher(None, str(old), str(new)).ratio()
    moved = 3 if (old.shape, old.strides) != (new.shape, new.strides) else 0
    return (
        far
        + moved
        + sum(getattr(old, part) != getattr(new, part) for part in ("replica", "offset", "swizzle"))
    )


# ---- Variants: the same layouts under another opcode or swizzle ----


def _variants(copy: Copy) -> Iterator[Copy]:
    """Legal copies that differ in opcode, swizzle, alignment and storage alone."""
    for atom in atoms():
        for swizzle in SWIZZLES:
            variant = with_atom(copy, atom)
            if swizzle != copy.src.swizzle:
                variant = replace(variant, src=shape.remade(copy.src, swizzle=swizzle))
            for _ in range(3):
                failure = variant.failure
                if failure is None or failure.rule not in ("C13", "C14"):
                    break
                variant = next(iter(moves(variant, failure)), variant)
            if variant.failure is None:
                yield variant
