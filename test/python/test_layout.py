# RUN: %pytest %s
"""Layouts as values: text, parts, places, equality, and everything malformed."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlir_tcgen05 import layout as module
from mlir_tcgen05.layout import (
    CpAtom,
    CpOpcode,
    Layout,
    LayoutError,
    SmemDescriptor,
    SmemWalk,
    Stride,
    Swizzle,
    Term,
    TmemAddress,
    atoms,
    col,
    lane,
)
from random_copies import draw, layout


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (Layout([128, 4], [1 @ lane, 1 @ col]), "[128, 4] : [1@lane, 1@col]"),
        (Layout((128, 4), ("1@lane", "1@col")), "[128, 4] : [1@lane, 1@col]"),
        (
            Layout([(2, 32), 4], [(64 @ lane, 1 @ lane), 1 @ col], replica=[(2, 32 @ lane)]),
            "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]",
        ),
        (Layout([16, 128, 4], [512, 4, 1]), "[16, 128, 4] : [512, 4, 1]"),
        (Layout([4], [1], swizzle=128), "[4] : [1], swizzle 128B"),
        (Layout([4], [1], swizzle="32B"), "[4] : [1], swizzle 32B"),
        (Layout([4], [1], swizzle=Swizzle(64)), "[4] : [1], swizzle 64B"),
        (Layout([4], [1], swizzle="none"), "[4] : [1]"),
        (Layout([4], [1 @ col], offset=[8 @ col]), "[4] : [1@col], offset [8@col]"),
        (
            Layout([4], [1 @ col], offset=[8 @ col, 16 @ lane]),
            "[4] : [1@col], offset [16@lane, 8@col]",
        ),
        (Layout([4], [1], offset=[64]), "[4] : [1], offset [64]"),
        (Layout([4], [1], offset=[-64]), "[4] : [1], offset [-64]"),
        (
            Layout([4], [1], offset=[Term(6, 512), Term(4, 8), 64]),
            "[4] : [1], offset [?6*512 + ?4*8 + 64]",
        ),
        (Layout([4], [1], offset=["?6*512 + ?4*8 + 64"]), "[4] : [1], offset [?6*512 + ?4*8 + 64]"),
        # The normal form: one value is a constant, multipliers descend, zero is left out.
        (
            Layout([4], [1], offset=[Term(4, 8), Term(1, 99), Term(6, 512), -64]),
            "[4] : [1], offset [?6*512 + ?4*8 - 64]",
        ),
        (Layout([4], [1], offset=[Term(1, 99), 5, -5]), "[4] : [1]"),
        (
            Layout([4], [1 @ col], offset=[Term(8, 4 @ col), 8 @ col, "16@lane"]),
            "[4] : [1@col], offset [16@lane, ?8*4 + 8@col]",
        ),
        (
            Layout([2, 4], [1 @ lane, 1 @ col], replica=[((2, 2), (64 @ lane, 32 @ lane))]),
            "[2, 4] : [1@lane, 1@col], replica [(2, 2) : (64@lane, 32@lane)]",
        ),
        (Layout([4, 2], [0, -3]), "[4, 2] : [0, -3]"),
    ],
)
def test_text(made: Layout, text: str) -> None:
    assert str(made) == text
    assert Layout.parse(text) == made
    assert hash(Layout.parse(text)) == hash(made)


def test_spaces_do_not_matter() -> None:
    assert Layout.parse(" [ 128,4]:[1@lane ,1@col ] ") == Layout.parse("[128, 4] : [1@lane, 1@col]")


def test_parts() -> None:
    made = Layout(
        [(2, 32), 4],
        [(64 @ lane, 1 @ lane), 1 @ col],
        replica=[(2, 32 @ lane)],
        offset=[Term(8, 4 @ col), 16 @ lane],
    )
    assert made.rank == 2
    assert made.shape == ((2, 32), 4)
    assert made.sizes == (64, 4)
    assert made.strides == ((64 @ lane, 1 @ lane), 1 @ col)
    assert made.replica == ((2, 32 @ lane),)
    assert made.offset == (16 @ lane, Term(8, 4 @ col))
    assert made.terms == (Term(8, 4 @ col),)
    assert made.swizzle == Swizzle()
    assert Layout(made.shape, made.strides, made.replica, made.offset, made.swizzle) == made


def values() -> list[Any]:
    return [
        Layout.parse("[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]"),
        Layout.parse("[128, 4] : [4, 1], offset [?6*512 + 64], swizzle 128B"),
        64 @ lane,
        -4 @ col,
        Term(6, 512),
        Term(8, 4 @ col),
        Swizzle(),
        Swizzle(128),
        SmemWalk(16, 128, None),
        SmemDescriptor(0x400, 16, 1024, 128),
        TmemAddress(32, 8),
        CpAtom("64x128b", "warpx2::01_23"),
        CpAtom("128x128b"),
        CpOpcode("4x256b", None, 2, "b8x16.b4x16_p64"),
        lane,
        col,
    ]


@pytest.mark.parametrize("index", range(len(values())))
def test_values(index: int) -> None:
    value, again = values()[index], values()[index]
    others = values()[:index] + values()[index + 1 :]
    assert value == again
    assert hash(value) == hash(again)
    assert eval(repr(value), vars(module)) == value
    assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value
    assert all(value != other for other in others)
    assert value != repr(value)
    assert (value == None) is False  # noqa: E711
    with pytest.raises((AttributeError, TypeError)):
        value.rows = 3


def test_places() -> None:
    made = Layout.parse(
        "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane], offset [?3*8 + 4@col]"
    )
    assert made.place((0, 0)) == [(0, 4), (32, 4)]
    assert made.place((33, 2)) == [(65, 6), (97, 6)]
    assert made.place((33, 2), terms=[2]) == [(65, 22), (97, 22)]
    ring = Layout.parse("[128, (2, 4)] : [4, (512, 1)], offset [?6*8192 + 64]")
    assert ring.place([3, 5], [1]) == [3 * 4 + 512 + 1 + 8192 + 64]


@given(st.integers(0, 2**32 - 1).map(Random))
def test_places_by_digits(rng: Random) -> None:
    region = draw(rng).src
    made = layout(region)
    for dim, modes in enumerate(region.dims):
        everywhere = product(*(range(extent) for extent, _, _ in modes))
        for index, digits in enumerate(everywhere):
            coord = [0] * made.rank
            coord[dim] = index
            where = sum(d * step for d, (_, step, _) in zip(digits, modes, strict=True))
            assert made.place(coord) == [region.offset[2] + where]


@given(st.integers(0, 2**32 - 1).map(Random))
def test_round_trip(rng: Random) -> None:
    pair = draw(rng)
    for made in (layout(pair.dst), layout(pair.src)):
        assert Layout.parse(str(made)) == made
        assert str(Layout.parse(str(made))) == str(made)
        assert Layout(made.shape, made.strides, made.replica, made.offset, made.swizzle) == made


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("[128] : [1]", "[(2, 64)] : [(64, 1)]", True),
        ("[128] : [1]", "[(2, 64)] : [(32, 1)]", False),
        ("[(1, 4)] : [(9, 1)]", "[4] : [1]", True),
        ("[4, 1] : [1, 7]", "[4, 1] : [1, 0]", True),
        ("[4] : [1]", "[4, 1] : [1, 0]", False),
        ("[4] : [1]", "[4] : [1], offset [1]", False),
        ("[4] : [1], swizzle 32B", "[4] : [1]", False),
        (
            "[4] : [1@lane], replica [4 : 32@lane]",
            "[4] : [1@lane], replica [(2, 2) : (64@lane, 32@lane)]",
            True,
        ),
        (
            "[4] : [1@lane], replica [4 : 32@lane]",
            "[4] : [1@lane], replica [4 : -32@lane], offset [96@lane]",
            True,
        ),
        ("[4] : [1@lane], replica [4 : 32@lane]", "[4] : [1@lane], replica [2 : 32@lane]", False),
        ("[4] : [1], offset [?4*8]", "[4] : [1], offset [?2*16 + ?2*8]", True),
        ("[4] : [1], offset [?4*8]", "[4] : [1], offset [?4*4]", False),
    ],
)
def test_equivalent(one: str, other: str, same: bool) -> None:
    left, right = Layout.parse(one), Layout.parse(other)
    assert left.equivalent(right) is same
    assert right.equivalent(left) is same
    assert left != right


def nest(depth: int) -> str:
    return "(" * depth + "2" + ")" * depth


def test_depth() -> None:
    assert Layout.parse(f"[{nest(16)}] : [{nest(16)}]").rank == 1
    for depth in (17, 200_000):
        with pytest.raises(LayoutError):
            Layout.parse(f"[{nest(depth)}] : [{nest(depth)}]")
    extent: Any = 2
    for _ in range(16):
        extent = (extent,)
    Layout([extent], [extent])
    with pytest.raises(LayoutError):
        Layout([(extent,)], [(extent,)])
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(LayoutError):
        Layout([endless], [endless])


def test_rank() -> None:
    assert Layout([1] * 16, [0] * 16).rank == 16
    with pytest.raises(LayoutError):
        Layout([1] * 17, [0] * 17)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[] : []",
        "[128, 4]",
        "[128, 4] :",
        "[128, 4] : [1@lane]",
        "[128, 4] : [1@lane, 1@col, 1]",
        "[(2, 4)] : [1]",
        "[8] : [(4, 1)]",
        "[(2, 4)] : [(4, 1, 1)]",
        "[0] : [1]",
        "[-4] : [1]",
        "[4] : [1@row]",
        "[4] : [1@]",
        "[4] : [1] swizzle 32B",
        "[4] : [1], swizzle 48B",
        "[4] : [1], swizzle 32",
        "[4] : [1], swizzle none",
        "[4] : [1], offset []",
        "[4] : [1], offset [1@lane, 2@lane]",
        "[4] : [1], offset [?0*4]",
        "[4] : [1], offset [?4]",
        "[4] : [1], offset [?-2*4]",
        "[4] : [1], replica [4]",
        "[4] : [1], replica [0 : 4]",
        "[4] : [1], swizzle 32B, offset [4]",
        "[4] : [1], [4] : [1]",
        "[4] : [1] x",
        "[4] : [99999999999999999999]",
        "[4] : [9223372036854775807]",
        "[9223372036854775807] : [2]",
        "[4294967296, 4294967296] : [0, 0]",
        "[4] : [1], offset [9223372036854775807 + 9223372036854775807]",
        "[4] : [1], offset [?9223372036854775807*9223372036854775807]",
        "[4] : [1\x00]",
        "[4] : [\N{SUPERSCRIPT TWO}]",
    ],
)
def test_malformed_text(text: str) -> None:
    with pytest.raises(LayoutError, match=r"^expected ") as error:
        Layout.parse(text)
    assert error.value.rule is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([2**70], [1]), "expected an extent to fit in 64 bits, but got a larger number"),
        (([2], [-(2**70)]), "expected a stride to fit in 64 bits, but got a smaller number"),
        (([2], [1, 2]), "expected 1 strides, but got 2"),
        (([(2, 2)], [(1, 2, 3)]), "expected 2 nested strides, but got 3"),
        (([2], ["1@row"]), "expected a stride such as '4' or '64@lane', but got '1@row'"),
        (([2], ["1], swizzle 32B"]), None),
        (([2], ["\ud800"]), None),
        (([2], [1], [(2,)]), None),
        (([2], [1], (), ["?4*"]), None),
        (([2], [1], (), [2**63 - 1, 1]), None),
        (([2], [1], (), (), 48), "expected swizzle to be none, 32B, 64B or 128B, but got 48"),
        (([2], [1], (), (), "48B"), "expected swizzle to be none, 32B, 64B or 128B, but got '48B'"),
        (([()], [()]), None),
        (([2], [(1,)]), None),
        (([(2,)], [1]), None),
        (([0], [1]), "expected extent to be positive, but got 0"),
    ],
)
def test_malformed_values(arguments: tuple[Any, ...], sentence: str | None) -> None:
    with pytest.raises(LayoutError, match=r"^expected ") as error:
        Layout(*arguments)
    assert error.value.rule is None
    assert sentence is None or str(error.value) == sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((128, 1), "expected shape to be a tuple or list, but got int"),
        (("ab", [1]), "expected shape to be a tuple or list, but got str"),
        (([1.5], [1]), "expected an extent to be an integer, but got float"),
        (([True], [1]), "expected an extent to be an integer, but got bool"),
        (([None], [1]), "expected an extent to be an integer, but got NoneType"),
        (([2], None), "expected strides to be a tuple or list, but got NoneType"),
        (([2], [1.0]), None),
        (([2], [lane]), None),
        (([2], [1], 5), "expected replica to be a tuple or list, but got int"),
        (([2], [1], [5]), "expected an entry of replica to be a tuple or list, but got int"),
        (([2], [1], (), 64), "expected offset to be a tuple or list, but got int"),
        (([2], [1], (), [None]), None),
        (([2], [1], (), (), b"128B"), None),
    ],
)
def test_wrong_types(arguments: tuple[Any, ...], sentence: str | None) -> None:
    with pytest.raises(TypeError, match=r"^expected ") as error:
        Layout(*arguments)
    assert sentence is None or str(error.value) == sentence


def test_coordinates_are_checked() -> None:
    made = Layout.parse("[4, 2] : [2, 1], offset [?3*8]")
    for arguments in (
        ([0],),
        ([0, 0, 0],),
        ([4, 0],),
        ([-1, 0],),
        ([2**70, 0],),
        ([0, 0], [3]),
        ([0, 0], [-1]),
        ([0, 0], [0, 0]),
    ):
        with pytest.raises(LayoutError, match=r"^expected "):
            made.place(*arguments)
    with pytest.raises(TypeError, match=r"^expected coord to be a tuple or list, but got int$"):
        made.place(0)
    # No list of a million million places.
    with pytest.raises(LayoutError):
        Layout([1], [0], [(2**40, 1)]).place([0])


@pytest.mark.parametrize(
    ("text", "origins", "sizes", "wanted"),
    [
        ("[64, 32] : [32, 1]", [8, 0], [32, 32], "[32, 32] : [32, 1], offset [256]"),
        ("[64, 32] : [32, 1]", [(8, 8), 0], [32, 32], "[32, 32] : [32, 1], offset [?4*256 + 256]"),
        ("[64, 32] : [32, 1]", [(8,), 0], [32, 32], "[32, 32] : [32, 1], offset [?5*256]"),
        ("[8, 16] : [16, 1], offset [5]", [1, 2], [1, 4], "[1, 4] : [0, 1], offset [23]"),
        ("[(4, 8)] : [(8, 1)]", [6], [4], "[4] : [1], offset [6]"),
        ("[(4, 8)] : [(64, 1)]", [8], [16], "[(2, 8)] : [(64, 1)], offset [64]"),
        ("[128, 8] : [1@lane, 1@col]", [0, 4], [128, 4],
         "[128, 4] : [1@lane, 1@col], offset [4@col]"),
        ("[4, 128] : [4096, 32], swizzle 128B", [(1,), 0], [1, 128],
         "[1, 128] : [0, 32], offset [?4*4096], swizzle 128B"),
    ],
)  # fmt: skip
def test_slice(text: str, origins: list[Any], sizes: list[int], wanted: str) -> None:
    assert Layout.parse(text).slice(origins, sizes).equivalent(Layout.parse(wanted))


@pytest.mark.parametrize(
    ("origins", "sizes"),
    [
        ([0], [1, 1]),
        ([0, 0], [1]),
        ([0, 0], [0, 1]),
        ([0, 0], [65, 1]),
        ([60, 0], [5, 1]),
        ([-1, 0], [1, 1]),
        ([64, 0], [1, 1]),
        ([(0,), 0], [1, 1]),
        ([(-1,), 0], [1, 1]),
        ([(1, 64), 0], [1, 1]),
        ([(), 0], [1, 1]),
        ([(1, 2, 3), 0], [1, 1]),
        ([2**70, 0], [1, 1]),
        ([(2**62, 2**62), 0], [1, 1]),
        ([2**63 - 1, 0], [2**63 - 1, 1]),
        # Across the two modes of the second dimension.
        ([0, 6], [1, 4]),
        ([0, 0], [1, 12]),
    ],
)
def test_slice_refuses(origins: list[Any], sizes: list[int]) -> None:
    with pytest.raises(LayoutError, match=r"^expected "):
        Layout.parse("[64, (4, 8)] : [256, (64, 1)]").slice(origins, sizes)


def test_atoms() -> None:
    table = {
        (a.shape, a.multicast): (a.rows, a.words, a.replicas, a.replica_stride) for a in atoms()
    }
    assert table == {
        ("128x256b", None): (128, 8, 1, 0),
        ("128x128b", None): (128, 4, 1, 0),
        ("4x256b", None): (4, 8, 1, 0),
        ("64x128b", "warpx2::02_13"): (64, 4, 2, 64),
        ("64x128b", "warpx2::01_23"): (64, 4, 2, 32),
        ("32x128b", "warpx4"): (32, 4, 4, 32),
    }
    for atom in atoms():
        step = 32 if atom.rows == 4 else 1
        gap = 32 if atom.multicast == "warpx2::01_23" else 0
        lanes = [step * row + gap * (row // 32) for row in range(atom.rows)]
        assert [atom.lane(row) for row in range(atom.rows)] == lanes
        with pytest.raises(LayoutError):
            atom.lane(atom.rows)


def test_strides_and_terms() -> None:
    assert Stride(64, lane) == 64 @ lane != 64 @ col
    assert (64 @ lane).axis is lane
    assert (64 @ lane).value == 64
    assert (Term(6, 512).count, Term(6, 512).multiplier) == (6, 512)
    assert Term(8, "4@col").multiplier == 4 @ col
    for count in (0, -1, 2**70):
        with pytest.raises(LayoutError):
            Term(count, 1)
    with pytest.raises(TypeError):
        1.5 @ lane
    with pytest.raises(LayoutError):
        2**64 @ lane


def test_numbers_of_other_packages() -> None:
    class Index:
        def __index__(self) -> int:
            return 4

    assert Layout([Index()], [Index()]) == Layout([4], [4])


def test_errors_are_value_errors_with_notes() -> None:
    assert issubclass(LayoutError, ValueError)
    assert LayoutError("x").rule is None
    assert LayoutError("x").notes == ()
    assert LayoutError.__module__ == "mlir_tcgen05.layout"


def test_import_is_light() -> None:
    code = (
        "import sys, time; start = time.perf_counter(); import mlir_tcgen05.layout; "
        "print(time.perf_counter() - start, 'mlir' in sys.modules, 'numpy' in sys.modules)"
    )
    runs = []
    for _ in range(3):
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, text=True
        )
        seconds, mlir, numpy = out.stdout.split()
        assert (mlir, numpy) == ("False", "False")
        runs.append(float(seconds))
    assert min(runs) < 0.03
