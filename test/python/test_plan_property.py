# RUN: %pytest %s
"""`plan_cp` against a judge that lists every point, on random copies."""

from __future__ import annotations

import collections
import os
from dataclasses import replace
from random import Random

from brute_force import ATOMS, COL, LANE, MEM, Mode, Region, decide
from hypothesis import event, given
from hypothesis import strategies as st
from mlir_tcgen05.layout import LayoutError, plan_cp
from random_copies import Copy, draw, layout, merge_modes, resplit

Answer = tuple[str | None, list[tuple[int, int]]]

# Seeds and not single choices: hypothesis would prefer the simplest copies, and
# one copy is small enough to read without shrinking.
streams = st.integers(0, 2**32 - 1).map(Random)
# Copies for the comparison of the two ways of matching.
LAYOUTS = int(os.environ.get("TCGEN05_LAYOUTS", "100000"))


def planned(copy: Copy, matching: str = "strides") -> Answer:
    """Rule and issues of the package, in the judge's words."""
    try:
        plan = plan_cp(
            copy.opcode, layout(copy.dst), layout(copy.src), matching=matching, **copy.keywords
        )
    except LayoutError as error:
        return error.rule or "type", []
    return None, plan.issues()


def judged(copy: Copy) -> Answer:
    """Rule and issues of the judge."""
    return decide(1, copy.shape, copy.multicast, copy.decompress, copy.dst, copy.src, copy.scope)


@given(streams)
def test_equals_brute_force(rng: Random) -> None:
    copy = draw(rng)
    wanted = judged(copy)
    event(wanted[0] or "legal")
    assert planned(copy) == wanted


def legal(rng: Random) -> Copy:
    """A legal copy; few draws are needed."""
    while True:
        copy = draw(rng, odd="nothing", scopes=False)
        if planned(copy)[0] is None:
            return copy


def with_dim(region: Region, index: int, dim: tuple[Mode, ...]) -> Region:
    dims = list(region.dims)
    dims[index] = dim
    return replace(region, dims=tuple(dims))


def cut(modes: tuple[Mode, ...], inner: int, by: int) -> tuple[Mode, ...]:
    """Cuts the innermost mode at `inner` and moves the points beyond by `by`."""
    *outer, (extent, step, axis) = merge_modes(modes)
    assert extent % inner == 0
    return (*outer, (extent // inner, step * inner + by, axis), (inner, step, axis))


@given(streams, st.integers(-64, 64).filter(bool))
def test_moved_source_is_refused(rng: Random, by: int) -> None:
    copy = legal(rng)
    # Inside the 8-row block and the 4-word chunk no walk has a choice.
    if rng.randrange(2):
        src = with_dim(copy.src, -2, cut(copy.src.dims[-2], 2, by))
    else:
        src = with_dim(copy.src, -1, cut(copy.src.dims[-1], 2, by))
    mutant = replace(copy, src=replace(src, storage=None))
    rule, _ = planned(mutant)
    assert rule is not None
    assert (rule, []) == judged(mutant)


@given(streams, st.integers(-64, 64).filter(bool), st.sampled_from([LANE, COL]))
def test_moved_destination_is_refused(rng: Random, by: int, axis: int) -> None:
    copy = legal(rng)
    index = rng.choice([-2, -1])
    *outer, (extent, step, old) = merge_modes(copy.dst.dims[index])
    # Half of the points move, by a mode of their own or by a longer stride.
    dim = (*outer, (2, step * extent // 2 + by, old), (extent // 2, step, old))
    if axis != old:
        dim = (*outer, (2, by, axis), (extent // 2, step, old))
    assert planned(replace(copy, dst=with_dim(copy.dst, index, dim)))[0] in ("C6", "C8")


@given(streams, st.integers(0, 508), st.integers(1, 3))
def test_shifted_column_is_refused(rng: Random, base: int, by: int) -> None:
    copy = legal(rng)
    dst = replace(copy.dst, offset=(copy.dst.offset[LANE], base // 4 * 4 + by, 0))
    assert planned(replace(copy, dst=dst))[0] == "C7"


@given(streams, st.lists(st.sampled_from([-96, -64, -32, 0, 1, 32, 64, 96]), max_size=3))
def test_wrong_replica_is_refused(rng: Random, steps: list[int]) -> None:
    copy = legal(rng)
    lanes = {0}
    for step in steps:
        lanes |= {lane + step for lane in lanes}
    right = ATOMS[copy.shape, copy.multicast].replicas
    replica = tuple((2, step, LANE) for step in steps)
    rule, _ = planned(replace(copy, dst=replace(copy.dst, replica=replica)))
    same = {lane - min(lanes) for lane in lanes} == set(right)
    event("the same set" if same else "another set")
    # Counted from another end the set is right, and may leave the lanes.
    assert rule in (None, "C8") if same else rule == "C5"


@given(streams)
def test_spelling_of_modes_does_not_matter(rng: Random) -> None:
    copy = draw(rng)
    wanted = planned(copy)
    event(wanted[0] or "legal")
    for _ in range(3):
        again = replace(
            copy,
            dst=resplit(rng, copy.dst, (LANE, COL)),
            src=resplit(rng, copy.src, (MEM,)),
        )
        assert layout(again.dst).equivalent(layout(copy.dst))
        assert layout(again.src).equivalent(layout(copy.src))
        assert planned(again) == wanted


def test_both_ways_of_matching_agree() -> None:
    rng = Random(20)
    verdicts: collections.Counter[str] = collections.Counter()
    for _ in range(LAYOUTS):
        copy = draw(rng)
        answer = planned(copy)
        assert planned(copy, "points") == answer, copy
        verdicts[answer[0] or "legal"] += 1
    print(f"\n{LAYOUTS} layouts agree: {dict(sorted(verdicts.items()))}")
    # The comparison says something only if the matching is reached.
    assert verdicts["legal"] > LAYOUTS // 5
    assert verdicts["C10"] > LAYOUTS // 50
