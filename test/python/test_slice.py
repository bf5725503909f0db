# RUN: %pytest %s
"""`Layout.slice` against an evaluation of the layout function on all points.

A dimension is plain numbers here, (extent, stride, axis) from the outermost mode to the innermost,
and the judge knows nothing about strides: it lists where each coordinate lies.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from mlir_tcgen05.layout import Layout, LayoutError, Term, col, lane, plan_cp

LANE, COL, MEM = range(3)
Place = tuple[int, int, int]
Mode = tuple[int, int, int]
Dim = tuple[Mode, ...]

streams = st.integers(0, 2**32 - 1).map(Random)


@dataclass(frozen=True)
class Origin:
    """constant + value * times; times is zero where the origin is known."""

    constant: int
    times: int = 0

    @property
    def argument(self) -> Any:
        """What `Layout.slice` takes."""
        return (self.times, self.constant) if self.times else self.constant


def size_of(dim: Dim) -> int:
    """The number of coordinates of a dimension."""
    size = 1
    for extent, _, _ in dim:
        size *= extent
    return size


def add(a: Place, b: Place, sign: int = 1) -> Place:
    """a + sign * b, axis by axis."""
    return a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2]


def positions(dim: Dim) -> list[Place]:
    """Where each coordinate of a dimension lies, the innermost mode fastest."""
    found = []
    for digits in itertools.product(*(range(extent) for extent, _, _ in dim)):
        place = [0, 0, 0]
        for digit, (_, stride, axis) in zip(digits, dim, strict=True):
            place[axis] += digit * stride
        found.append((place[0], place[1], place[2]))
    return found


def on_axis(value: int, axis: int) -> Any:
    """A stride or a constant as `Layout` takes it."""
    return value if axis == MEM else value @ (lane if axis == LANE else col)


def make(dims: list[Dim], terms: list[Mode] = [], constant: Place = (0, 0, 0)) -> Layout:  # noqa: B006
    """A layout of plain numbers; terms are (count, multiplier, axis)."""

    def nest(values: list[Any]) -> Any:
        return values[0] if len(values) == 1 else tuple(values)

    return Layout(
        [nest([extent for extent, _, _ in dim]) for dim in dims],
        [nest([on_axis(stride, axis) for _, stride, axis in dim]) for dim in dims],
        offset=[on_axis(constant[axis], axis) for axis in (LANE, COL, MEM) if constant[axis]]
        + [Term(count, on_axis(times, axis)) for count, times, axis in terms],
    )


def triple(layout: Layout, coordinate: tuple[int, ...], values: list[int]) -> Place:
    """One place on all three axes."""
    (place,) = layout.place(coordinate, values)
    if isinstance(place, int):
        return 0, 0, place
    return (*place, 0) if len(place) == 2 else place


def draw_dim(rng: Random, axes: tuple[int, ...], strides: tuple[int, int]) -> Dim:
    """One to three modes, some of which together are one stride."""
    dim: list[Mode] = []
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        extent, axis = rng.choice([1, 2, 3, 4, 6, 8]), rng.choice(axes)
        dim.append((extent, rng.randint(*strides), axis))
        if rng.randrange(3) == 0 and extent % 2 == 0:
            dim[-1:] = [(2, dim[-1][1] * (extent // 2), axis), (extent // 2, dim[-1][1], axis)]
    while size_of(tuple(dim)) > 96:
        dim.pop()
    return tuple(dim)


def draw_slice(rng: Random, dims: list[Dim]) -> tuple[list[Origin], list[int]]:
    """Origins and sizes inside of the view, often along its modes."""
    origins, sizes = [], []
    for dim in dims:
        total = size_of(dim)
        spans = [size_of(dim[i:]) for i in range(len(dim))] + [1]
        span = rng.choice(spans) if rng.randrange(4) else 1
        size = span * rng.randint(1, total // span)
        step = rng.choice([1, span])
        constant = min(total - size, step * rng.randint(0, (total - size) // step))
        times = rng.choice([0, 0, 1, span, 2 * span, rng.randint(1, total)])
        origins.append(Origin(constant, times))
        sizes.append(size)
    return origins, sizes


def values_of(origin: Origin, size: int, total: int) -> list[int]:
    """The origins that a run-time value may lead to, listed."""
    if not origin.times:
        return [origin.constant]
    return list(range(origin.constant, total - size + 1, origin.times))


def sliced(layout: Layout, origins: list[Origin], sizes: list[int]) -> Layout | None:
    """The slice, or None if strides cannot express it."""
    try:
        return layout.slice([origin.argument for origin in origins], sizes)
    except LayoutError as error:
        if "in dimension" not in str(error):
            raise
        return None


@given(streams)
def test_slice_is_the_function_on_the_part(rng: Random) -> None:
    axes = rng.choice([(MEM,), (LANE, COL), (LANE, COL, MEM)])
    dims = [draw_dim(rng, axes, (-9, 40)) for _ in range(rng.randint(1, 2))]
    old = [
        (rng.randint(2, 3), rng.randint(1, 50), rng.choice(axes)) for _ in range(rng.randrange(2))
    ]
    base: list[int] = [rng.randint(-20, 20) if axis in axes else 0 for axis in (LANE, COL, MEM)]
    constant = (base[0], base[1], base[2])
    origins, sizes = draw_slice(rng, dims)
    part = sliced(make(dims, old, constant), origins, sizes)
    event("refused" if part is None else "dynamic" if part.terms[len(old) :] else "static")
    if part is None:
        return
    assert flat(part.shape) == sizes

    # Terms of the view, and one for each dimension and axis that an origin moves along.
    tables = [positions(dim) for dim in dims]
    wanted: list[tuple[int, int, int, tuple[str, int]]] = []
    for i, (count, times, axis) in enumerate(old):
        wanted.append((axis, times, count, ("old", i)))
    starts = []
    for d, (table, origin, size) in enumerate(zip(tables, origins, sizes, strict=True)):
        places = values_of(origin, size, len(table))
        starts.append(places)
        if len(places) > 1:
            step = add(table[places[1]], table[places[0]], -1)
            wanted += [(a, step[a], len(places), ("dim", d)) for a in range(3) if step[a]]
    wanted.sort(key=lambda term: (term[0], -term[1], -term[2]))
    got = [(term.count, str(term.multiplier)) for term in part.terms]
    assert got == [(count, str(on_axis(times, axis))) for axis, times, count, _ in wanted]

    old_value = [rng.randrange(count) for count, _, _ in old]
    shift = constant
    for value, (_, times, axis) in zip(old_value, old, strict=True):
        moved = [0, 0, 0]
        moved[axis] = value * times
        shift = add(shift, (moved[0], moved[1], moved[2]))
    for values in itertools.product(*(range(len(places)) for places in starts)):
        terms = [
            old_value[index] if kind == "old" else values[index] for *_, (kind, index) in wanted
        ]
        for coordinate in itertools.product(*(range(size) for size in sizes)):
            place = shift
            for d, at in enumerate(coordinate):
                place = add(place, tables[d][starts[d][values[d]] + at])
            assert triple(part, coordinate, terms) == place


def flat(shape: Any) -> list[int]:
    """Sizes of dimensions whose extents may be nested."""

    def size(extent: Any) -> int:
        if isinstance(extent, int):
            return extent
        total = 1
        for child in extent:
            total *= size(child)
        return total

    return [size(extent) for extent in shape]


def factorisations(size: int) -> list[tuple[int, ...]]:
    """All ordered products of extents above one."""
    if size == 1:
        return [()]
    return [
        (factor, *rest)
        for factor in range(2, size + 1)
        if size % factor == 0
        for rest in factorisations(size // factor)
    ]


def is_expressible(table: list[Place], strides: set[Place]) -> bool:
    """True if some list of modes with these strides is the function, relative to its start."""
    relative = [add(place, table[0], -1) for place in table]
    for extents in factorisations(len(relative)):
        inner = len(relative)
        modes = []
        for extent in extents:
            inner //= extent
            modes.append((extent, relative[inner]))
        if not all(stride in strides for _, stride in modes):
            continue
        found = [(0, 0, 0)]
        for extent, stride in reversed(modes):
            found = [
                add(tuple(k * s for s in stride), place)  # type: ignore[arg-type]
                for k in range(extent)
                for place in found
            ]
        if found == relative:
            return True
    return False


def as_place(stride: int, axis: int) -> Place:
    """A stride along its axis."""
    return tuple(stride if a == axis else 0 for a in range(3))  # type: ignore[return-value]


@given(streams)
def test_refused_slices_cannot_be_expressed(rng: Random) -> None:
    axes = rng.choice([(MEM,), (LANE, COL)])
    # Strides so far apart that none is a sum of others by accident.
    dim = draw_dim(rng, axes, (1, 1 << 40))
    (origin,), (size,) = draw_slice(rng, [dim])
    if rng.randrange(2):
        origin = Origin(origin.constant)
    part = sliced(make([dim]), [origin], [size])
    event("refused" if part is None else "accepted")

    table = positions(dim)
    # Strides of all modes, and of the coarser modes inside of them.
    strides = {
        as_place(stride * k, axis) for extent, stride, axis in dim for k in range(1, extent + 1)
    }
    starts = values_of(origin, size, len(table))
    parts = [table[start : start + size] for start in starts]
    relative = {tuple(add(p, part[0], -1) for p in part) for part in parts}
    moves = [add(table[start], table[starts[0]], -1) for start in starts]
    even = all(
        move == tuple(k * s for s in moves[1]) for k, move in enumerate(moves) if len(moves) > 1
    )
    expressible = len(relative) == 1 and even and is_expressible(parts[0], strides)
    assert (part is not None) == expressible


def split(rng: Random, dim: Dim) -> Dim:
    """The same function, modes cut and ones inserted."""
    out: list[Mode] = []
    for extent, stride, axis in dim:
        if rng.randrange(4) == 0:
            out.append((1, rng.randint(-5, 99), axis))
        inner = rng.choice([k for k in range(1, extent + 1) if extent % k == 0])
        out += [(extent // inner, stride * inner, axis), (inner, stride, axis)]
    return tuple(out)


@given(streams)
def test_spelling_of_the_view_does_not_matter(rng: Random) -> None:
    axes = rng.choice([(MEM,), (LANE, COL)])
    dims = [draw_dim(rng, axes, (-9, 40)) for _ in range(2)]
    origins, sizes = draw_slice(rng, dims)
    part = sliced(make(dims), origins, sizes)
    other = sliced(make([split(rng, dim) for dim in dims]), origins, sizes)
    assert (part is None) == (other is None)
    if part is not None and other is not None:
        assert part.terms == other.terms
        assert part.equivalent(other)


@given(streams)
def test_slice_of_a_slice(rng: Random) -> None:
    dims = [draw_dim(rng, (MEM,), (1, 40))]
    outer, outer_sizes = draw_slice(rng, dims)
    first = sliced(make(dims), outer, outer_sizes)
    if first is None:
        return
    inner = rng.randint(0, outer_sizes[0] - 1)
    size = rng.randint(1, outer_sizes[0] - inner)
    second = sliced(first, [Origin(inner)], [size])
    if second is None:
        return
    table = positions(dims[0])
    for value, start in enumerate(values_of(outer[0], outer_sizes[0], len(table))):
        terms = [value] * len(first.terms)
        for at in range(size):
            assert triple(second, (at,), terms) == table[start + inner + at]


def test_many_values_are_not_listed() -> None:
    # 2^40 values along one mode; along two, the row-major order of both.
    view = Layout.parse("[1099511627776, 4] : [4, 1]")
    nested = Layout.parse("[(1048576, 1048576), 4] : [(8388608, 4), 1]")
    started = time.perf_counter()
    assert view.slice([(1,), 0], [128, 4]).terms == (Term(2**40 - 127, 4),)
    assert nested.slice([(2**20,), 0], [1, 4]).terms == (Term(2**20, 8388608),)
    with pytest.raises(LayoutError, match="in dimension 0 to lie one stride apart"):
        nested.slice([(1,), 0], [1, 4])
    # Listing 2^40 places would take days; half a minute allows for a busy machine.
    assert time.perf_counter() - started < 30


def test_many_values_are_decided_without_a_list() -> None:
    dst = "[128, 4] : [1@lane, 1@col]"
    many = "[128, 4] : [4, 1], offset [?1099511627776*4]"
    several = "[128, 4] : [4, 1], offset [?8192*4 + ?1024*16 + ?512*16]"
    started = time.perf_counter()
    for _ in range(1000):
        with pytest.raises(LayoutError, match=f"for stage {2**40 - 1}"):
            plan_cp("cta_group::1.128x128b", dst, many, storage=262143)
        plan_cp("cta_group::1.128x128b", dst, several, storage=262143)
    assert time.perf_counter() - started < 30


@pytest.mark.parametrize(
    ("text", "origins", "sizes", "message"),
    [
        ("[128, 4] : [4, 1]", [97, 0], [32, 4],
         "expected slice origin in dimension 0 to be in 0 to 96, but got 97"),
        ("[128, 4] : [4, 1]", [0, 0], [32, 5],
         "expected slice size in dimension 1 to be in 1 to 4, but got 5"),
        ("[128, 4] : [4, 1]", [0], [32, 4],
         "expected a slice origin for each of 2 dimensions, but got 1"),
        ("[128, 4] : [4, 1]", [0, 0], [32],
         "expected a slice size for each of 2 dimensions, but got 1"),
        ("[128, 4] : [4, 1]", [(0, 4), 0], [32, 4],
         "expected the multiplier of origin 0 to be positive, but got 0"),
        ("[(16, 8), 4] : [(64, 4), 1]", [4, 0], [8, 4],
         "expected slice origin 4 in dimension 0 to leave mode (8 : 4) whole, but it cuts it"),
        ("[(16, 8), 4] : [(64@lane, 4@col), 1@col]", [0, 0], [20, 4],
         "expected slice size 20 in dimension 0 to leave mode (8 : 4@col) whole, but it cuts it"),
    ],
)  # fmt: skip
def test_sentences(text: str, origins: list[Any], sizes: list[int], message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        Layout.parse(text).slice(origins, sizes)
    assert str(caught.value).splitlines()[0] == message


def test_terms_stay_bounded() -> None:
    # A position of 2^56 is the last: a term may lead there, and no layout beyond.
    edge = Layout.parse("[2, 2] : [72057594037927935, 1]")
    assert edge.slice([(1,), 1], [1, 1]).terms == (Term(2, 2**56 - 1),)
    for text in (
        "[2, 2] : [72057594037927936, 1]",
        "[3] : [72057594037927936]",
        "[4294967296, 4294967296] : [0, 0]",
        "[1] : [1], offset [72057594037927937]",
    ):
        with pytest.raises(LayoutError, match="it overflows"):
            Layout.parse(text)
