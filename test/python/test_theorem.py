# RUN: %pytest %s -s
"""What is issued does what the types say: `simulate(lowered) == meaning(types)`.

The left side goes through the lowering, LLVM and the walk of each instruction; the right side knows
layouts only. `TCGEN05_FULL=1` draws 20,000 cases and mutates ten times as many.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple

import mlir_tcgen05 as t5
import pytest
import traced_copies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mlir_tcgen05 import reference
from traced_copies import FORMATS, ROW_ATOMS, Case, shared_images

FULL = os.environ.get("TCGEN05_FULL", "") not in ("", "0")
DRAWN = 20_000 if FULL else 600
MUTATED = 1000 if FULL else 100
SHARED = shared_images(1)


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[None]:
    with t5.Context():
        yield


def check(case: Case) -> list[reference.Tmem]:
    meant, simulated = case.meant(SHARED), case.simulated(SHARED)
    assert simulated == meant, case
    return meant


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("shape", ROW_ATOMS)
def test_atoms_groups_formats_modes(shape: str, mode: int) -> None:
    """Stages of a ring at run-time slots, repeats, predicates, both groups, three formats."""
    issued = 0
    for group, form in product((1, 2), FORMATS):
        rng = Random(f"{shape} {mode} {group} {form}")
        for _ in range(3):
            case = traced_copies.staged(rng, shape, group, form, mode)
            check(case)
            trace = case.traced()
            assert len(trace) == case.issued
            assert all(issue.opcode == case.opcode for issue in trace)
            issued += len(trace)
    assert issued


@pytest.mark.parametrize("scope", ["thread", "warp", "warpgroup", "cta", "cluster"])
def test_scopes(scope: str) -> None:
    """Threads of every group, at group axes of their own."""
    rng = Random(scope)
    found = 0
    while found < 12:
        case = traced_copies.drawn(rng)
        if case.scope == scope:
            check(case)
            found += 1


def test_property() -> None:
    """Random legal copies with repeats, terms, offsets and scopes."""
    seen: Counter[str] = Counter()

    @settings(max_examples=DRAWN, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**64 - 1))
    def run(seed: int) -> None:
        case = traced_copies.drawn(Random(seed))
        images = check(case)
        seen["drawn"] += 1
        seen[case.scope] += 1
        seen["with run-time terms"] += bool(case.dst.terms or case.src.terms)
        seen["predicated off"] += not case.pred
        seen["words written"] += sum(int(image.written.sum()) for image in images)

    run()
    print(f"\n{seen['drawn']} of {DRAWN} drawn cases agree (20000 with TCGEN05_FULL=1): {seen}")
    assert seen["drawn"] >= DRAWN
    assert seen["with run-time terms"] > DRAWN / 4


def test_plans() -> None:
    """What LLVM computes for the lowered copy is what its plan says, in the same order."""
    rng = Random("plans")
    cases = [traced_copies.drawn(rng) for _ in range(DRAWN // 5)]
    assert sum(len(case.planned) for case in cases) > len(cases)
    for case in cases:
        assert case.traced() == case.planned, case


class Mutant(NamedTuple):
    """One issued instruction with one thing about it changed."""

    name: str
    issue: t5.Issue | None
    reason: str = ""
    """Why the walk cannot observe it, if it cannot."""


def mutants(issue: t5.Issue) -> Iterator[Mutant]:
    """All one-point mutants of an issued instruction."""
    opcode, taddr, word = issue
    atom = reference.parse_opcode(opcode).atom
    fields = reference.decode(word)
    no_ldo = fields.mode > 0 or atom.words == 4
    no_sdo = atom.rows <= 8
    for bit in range(64):
        reason = ""
        if 16 <= bit <= 29 and no_ldo:
            reason = "LDO is for eight words without swizzle"
        elif 32 <= bit <= 45 and no_sdo:
            reason = "SDO is for more than eight rows"
        elif 49 <= bit <= 51 and bit - 49 >= fields.mode:
            reason = "base offset above the phase of the mode"
        yield Mutant(f"descriptor bit {bit}", issue._replace(descriptor=word ^ 1 << bit), reason)
    for bit in range(32):
        yield Mutant(f"taddr bit {bit}", issue._replace(taddr=taddr ^ 1 << bit))
    for by in (-4, -1, 1, 4):
        yield Mutant(f"column {by:+}", issue._replace(taddr=(taddr + by) % (1 << 32)))
    ldo, sdo = word >> 16 & 0x3FFF, word >> 32 & 0x3FFF
    swapped = word & ~(0x3FFF << 16 | 0x3FFF << 32) | sdo << 16 | ldo << 32
    reason = "LDO and SDO are equal" if ldo == sdo else ""
    reason = reason or ("neither stride is observed" if no_ldo and no_sdo else "")
    yield Mutant("LDO and SDO swapped", issue._replace(descriptor=swapped), reason)
    for code in range(8):
        if code != word >> 61:
            changed = word & ~(7 << 61) | code << 61
            yield Mutant(f"swizzle code {code}", issue._replace(descriptor=changed))
    for old, new in (("02_13", "01_23"), ("01_23", "02_13")):
        if old in opcode:
            yield Mutant(f"{new} for {old}", issue._replace(opcode=opcode.replace(old, new)))
    yield Mutant("lost", None)


def survives(mutant: Mutant, others: reference.Tmem, meant: reference.Tmem, rank: int) -> bool:
    """True if nothing tells the mutant from the instruction."""
    image = reference.Tmem()
    image.words, image.written = others.words.copy(), others.written.copy()
    image.pending = others.pending.copy()
    if mutant.issue is not None:
        opcode, taddr, word = mutant.issue
        try:
            reference.copy(opcode, SHARED[rank], word, taddr, image)
        except reference.InstructionError:
            return False
    return image == meant


def test_mutants_are_told_apart() -> None:
    """Every field that a walk observes matters to the comparison."""
    rng = Random("mutants")
    told, explained = 0, Counter[str]()
    unexplained: list[tuple[str, t5.Issue]] = []
    cases = 0
    atoms = Counter[str]()
    while cases < MUTATED:
        shape, mode = rng.choice(list(ROW_ATOMS)), rng.randrange(4)
        case = (
            traced_copies.staged(rng, shape, rng.choice([1, 2]), rng.choice(FORMATS), mode)
            if rng.randrange(2)
            else traced_copies.drawn(rng)
        )
        issues = case.traced()
        if not issues:
            continue
        cases += 1
        atoms[reference.parse_opcode(case.opcode).atom.rows] += 1
        rank = case.ranks()[-1]
        meant = case.meant(SHARED)[rank]
        which = rng.randrange(len(issues))
        others = reference.Tmem()
        for i, (opcode, taddr, word) in enumerate(issues):
            if i != which:
                reference.copy(opcode, SHARED[rank], word, taddr, others)
        assert survives(Mutant("none", issues[which]), others, meant, rank)
        for mutant in mutants(issues[which]):
            if not survives(mutant, others, meant, rank):
                told += 1
            elif mutant.reason:
                explained[mutant.reason] += 1
            else:
                unexplained.append((mutant.name, issues[which]))
    total = told + len(unexplained)
    print(f"\n{told} of {total} observable mutants of {cases} copies told apart")
    print(f"survivors that the walk cannot observe: {dict(explained)}")
    print(f"other survivors: {unexplained}")
    assert len(atoms) == 4
    assert told >= 0.999 * total
