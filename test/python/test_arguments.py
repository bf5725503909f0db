# RUN: %pytest %s
"""Arguments that the functions of the package do not take: a sentence, never a fault inside."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import mlir_tcgen05 as t5
import numpy as np
import pytest
from mlir import ir
from mlir_tcgen05 import catalog, reference
from mlir_tcgen05.dialects import tcgen05
from mlir_tcgen05.layout import Layout

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
EXAMPLE = ROOT / "examples" / "copy_128x128b.mlir"
OPCODE = "cta_group::1.128x128b"
DST = "[128, 4] : [1@lane, 1@col]"
SRC = "[128, 4] : [4, 1]"
# A stage of shared memory, and of tensor memory, for each lane or each warp of a warpgroup.
LANES = "[32, 128, 4] : [4@col, 1@lane, 1@col]", "[32, 128, 4] : [512, 4, 1]"
WARPS = "[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]", "[4, 1, 128, 4] : [512, 0, 4, 1]"
SAME = "[1, 128, 4] : [0@col, 1@lane, 1@col]", "[1, 128, 4] : [0, 4, 1]"
SHARED = np.arange(1 << 14, dtype=np.uint32).view(np.uint8)


@pytest.fixture
def example() -> Iterator[ir.Module]:
    with t5.Context():
        yield ir.Module.parse(EXAMPLE.read_text())


# ---- meaning ----


@pytest.mark.parametrize("lane", [0, 31])
def test_slice_of_a_lane(lane: int) -> None:
    """The words from 512 * lane on, in the four columns from 4 * lane on."""
    image = t5.meaning(OPCODE, *LANES, SHARED, scope="warp", group=(lane,))
    wanted = 512 * lane + np.arange(512).reshape(128, 4)
    assert np.array_equal(image.read(0, 4 * lane, 128, 4), wanted)
    assert image.written.sum() == 512


@pytest.mark.parametrize(
    ("scope", "group", "regions", "message"),
    [
        ("warp", (40,), LANES, "expected the lane of group to be in 0 to 31, but got 40"),
        ("warp", (32,), LANES, "expected the lane of group to be in 0 to 31, but got 32"),
        ("warp", (-1,), LANES, "expected the lane of group to be in 0 to 31, but got -1"),
        # An axis of one element is the same for all threads that there are.
        ("warp", (32,), SAME, "expected the lane of group to be in 0 to 31, but got 32"),
        ("warp", (-1,), SAME, "expected the lane of group to be in 0 to 31, but got -1"),
        (
            "warpgroup",
            (4, 0),
            WARPS,
            "expected the warp in group of group to be in 0 to 3, but got 4",
        ),
        ("cta", (4, 0), WARPS, "expected the warp of group to be in 0 to 3, but got 4"),
        ("cta", (-1, 0), WARPS, "expected the warp of group to be in 0 to 3, but got -1"),
        ("warp", (), LANES, "expected 1 group coordinates, but got 0"),
        ("thread", (0,), (DST, SRC), "expected 0 group coordinates, but got 1"),
        ("warp", (0,), (DST, SRC), "expected dst to have 3 dimensions or more, but got (128, 4)"),
        (
            "warp",
            (0,),
            (LANES[0], SAME[1]),
            "expected src of shape (32, 128, 4), but got (1, 128, 4)",
        ),
        (
            "thread",
            (),
            (SRC, SRC),
            "expected dst to be of lanes and columns, but got elements of memory",
        ),
        (
            "thread",
            (),
            (DST, DST),
            "expected src to be of elements of memory, but got lanes or columns",
        ),
        (
            [],
            (),
            (DST, SRC),
            "expected scope to be one of thread, warp, warpgroup, cta, cluster, but got []",
        ),
    ],
)
def test_group_of_a_meaning(scope, group, regions: tuple[str, str], message: str) -> None:
    with pytest.raises(ValueError, match="expected ") as error:
        t5.meaning(OPCODE, *regions, SHARED, scope=scope, group=group)
    assert str(error.value) == message


def test_thread_of_an_axis_of_one() -> None:
    first, last = (
        t5.meaning(OPCODE, *SAME, SHARED, scope="warp", group=(lane,)) for lane in (0, 31)
    )
    assert first == last


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"base": 1.5}, TypeError, "expected base to be an integer, but got 1.5"),
        ({"base": 1 << 32}, ValueError, "expected base to have 32 bits, but got 4294967296"),
        ({"base": -4}, ValueError, "expected base to have 32 bits, but got -4"),
        ({"origin": (0.0, 0)}, TypeError, r"expected origin\[0\] to be an integer, but got 0.0"),
        ({"origin": ()}, ValueError, "to have 2 entries, but got 0 and 2"),
        ({"sizes": (64, "4")}, TypeError, r"expected sizes\[1\] to be an integer, but got '4'"),
        ({"sizes": ()}, ValueError, "to have 2 entries, but got 2 and 0"),
        ({"terms": (0,)}, ValueError, "expected 0 values of terms, but got 1"),
        ({"terms": (0.5,)}, TypeError, r"expected terms\[0\] to be an integer, but got 0.5"),
    ],
)
@pytest.mark.parametrize("which", ["dst", "src"])
def test_region(which: str, arguments, kind: type[Exception], message: str) -> None:
    dst, src = (
        t5.Region(layout, **(arguments if which == name else {}))
        for name, layout in (("dst", DST), ("src", SRC))
    )
    with pytest.raises(kind, match=message):
        t5.meaning(OPCODE, dst, src, SHARED)


def test_region_takes_integers_of_numpy() -> None:
    part = t5.Region(SRC, np.int64(16), (), np.array([64, 0]), np.array([64, 4]))
    _, sizes, places = part.places()
    assert sizes == (64, 4)
    assert places["element"].ravel().tolist() == list(range(256, 512))


# ---- trace ----


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"cluster_size": 0},
            "expected cluster_size to be an integer in 1 to 2147483647, but got 0",
        ),
        (
            {"cluster_size": None},
            "expected cluster_size to be an integer in 1 to 2147483647, but got None",
        ),
        ({"rank": 1}, "expected rank to be below cluster_size, 1, but got 1"),
        ({"rank": 2, "cluster_size": 2}, "expected rank to be below cluster_size, 2, but got 2"),
        ({"rank": -1}, "expected rank to be an integer in 0 to 2147483647, but got -1"),
        ({"rank": 0.5}, "expected rank to be an integer in 0 to 2147483647, but got 0.5"),
        ({"thread": None}, "expected thread to be three integers in 0 to 2147483647, but got None"),
        (
            {"thread": (1, 2)},
            "expected thread to be three integers in 0 to 2147483647, but got (1, 2)",
        ),
        (
            {"thread": (0, -1, 0)},
            "expected thread to be three integers in 0 to 2147483647, but got (0, -1, 0)",
        ),
        (
            {"block": (0, 0, 1 << 31)},
            "expected block to be three integers in 0 to 2147483647, but got (0, 0, 2147483648)",
        ),
        ({"block": "abc"}, "expected block to be three integers in 0 to 2147483647, but got 'abc'"),
        (
            {"block_size": (32, 0, 1)},
            "expected block_size to be three integers in 1 to 2147483647, but got (32, 0, 1)",
        ),
        (
            {"block_size": 32},
            "expected block_size to be three integers in 1 to 2147483647, but got 32",
        ),
        (
            {"grid_size": {}},
            "expected grid_size to be three integers in 1 to 2147483647, but got {}",
        ),
    ],
)
def test_thread(arguments, message: str) -> None:
    with pytest.raises(t5.TraceError) as error:
        t5.Thread(**arguments)
    assert str(error.value) == message


def test_thread_is_plain_integers() -> None:
    thread = t5.Thread(np.array([1, 2, 3], np.uint8), rank=np.int64(1), cluster_size=2)
    assert thread == t5.Thread((1, 2, 3), rank=1, cluster_size=2)
    assert {type(i) for i in (*thread.thread, thread.rank)} == {int}


@pytest.mark.parametrize(
    ("thread", "message"),
    [
        # The kernel says 128 threads.
        (128, "expected thread to be inside a block of (128, 1, 1), but got (128, 0, 0)"),
        ((0, 1), "expected thread to be inside a block of (128, 1, 1), but got (0, 1, 0)"),
        (
            t5.Thread((32, 0, 0), block_size=(32, 4, 1)),
            "expected thread to be inside a block of (32, 4, 1), but got (32, 0, 0)",
        ),
        (
            t5.Thread(block=(2, 1, 0), grid_size=(3, 1, 1)),
            "expected block to be inside a grid of (3, 1, 1), but got (2, 1, 0)",
        ),
        (1.5, "expected thread to be up to three indices, but got 1.5"),
        ((), "expected thread to be up to three indices, but got ()"),
        ("x", "expected thread to be up to three indices, but got 'x'"),
        ((1, 2, 3, 4), "expected thread to be up to three indices, but got (1, 2, 3, 4)"),
    ],
)
def test_thread_outside(example: ir.Module, thread, message: str) -> None:
    for run in (t5.trace, lambda *a, **k: t5.simulate(*a, shared=SHARED, **k)):
        with pytest.raises(t5.TraceError) as error:
            run(example, "copy", 0, 0, thread=thread)
        assert str(error.value) == message


def test_last_thread_is_inside(example: ir.Module) -> None:
    assert t5.trace(example, "copy", 0, 0, thread=127) == []
    inside = t5.Thread((31, 3, 0), (2, 0, 0), block_size=(32, 4, 1), grid_size=(3, 1, 1))
    # Its place in x alone is that of warp 0.
    for thread in (inside, np.int64(0)):
        assert len(t5.trace(example, "copy", np.uint8(0), 0, thread=thread)) == 1


def test_entry_and_arguments(example: ir.Module) -> None:
    for entry in (None, b"copy", 0):
        with pytest.raises(TypeError, match="expected entry to be a string, but got "):
            t5.trace(example, entry, 0, 0)
    with pytest.raises(t5.TraceError, match="argument 0 of 'copy' to be an integer, but got array"):
        t5.trace(example, "copy", np.zeros(2, np.uint8), 0)


# ---- All others ----


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: t5.plot("copy.mlir"), "module to be an mlir.ir.Module, but got str"),
        (lambda _: t5.plot(b"module {}"), "module to be an mlir.ir.Module, but got bytes"),
        (lambda _: t5.plot(["copy.mlir"]), "what to be a module or explanations, but got str"),
        (lambda m: t5.plot([m]), "what to be a module or explanations, but got Module"),
        (lambda m: t5.plot(m, repeats=None), "repeats to be an integer, but got None"),
        (lambda m: t5.plot(m, repeats=1.5), "repeats to be an integer, but got 1.5"),
        (lambda _: t5.explain("copy.mlir"), "module to be an mlir.ir.Module, but got str"),
        (lambda _: t5.check("copy.mlir"), "module to be an mlir.ir.Module, but got str"),
        (lambda _: t5.compile("copy.mlir"), "module to be an mlir.ir.Module, but got str"),
        (lambda m: t5.compile(m, stages="dump"), "stages to be a Stages, but got str"),
        (lambda _: tcgen05.slice("%t", [0], [1]), "view to be a value, but got '%t'"),
        (lambda _: tcgen05.slice(None, [0], [1]), "view to be a value, but got None"),
    ],
)
def test_wrong_type(example: ir.Module, call: Callable[[ir.Module], object], message: str) -> None:
    with pytest.raises(TypeError) as error:
        call(example)
    assert str(error.value) == f"expected {message}"


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "60", None])
def test_timeout(example: ir.Module, timeout: object) -> None:
    with pytest.raises(ValueError, match="expected timeout to be a positive number of seconds, bu"):
        t5.compile(example, timeout=timeout)


@pytest.mark.parametrize("timeout", [1e300, float("inf")])
def test_timeout_without_end(example: ir.Module, timeout: float) -> None:
    assert t5.compile(example, to="llvm", timeout=timeout) == t5.compile(example, to="llvm")


@pytest.mark.parametrize("zoom", [0, -1, None, "2", float("inf"), float("nan")])
def test_zoom(example: ir.Module, zoom: object) -> None:
    with pytest.raises(ValueError, match="expected zoom to be a positive number, but got "):
        t5.plot(example).png(zoom)


@pytest.mark.parametrize("check", [None, [], 0])
def test_check_is_yes_or_no(example: ir.Module, check: object) -> None:
    assert t5.compile(example, check=check) == t5.compile(example)


@pytest.mark.parametrize(
    ("mode", "base_offset", "message"),
    [
        (-1, 0, "expected mode to be 0 to 3, but got -1"),
        (4, 0, "expected mode to be 0 to 3, but got 4"),
        (None, 0, "expected mode to be 0 to 3, but got None"),
        (3, 8, "expected base_offset to have 3 bits, but got 0x8"),
        (3, "x", "expected base_offset to be an integer, but got 'x'"),
    ],
)
def test_swizzle_of_the_reference(mode, base_offset, message: str) -> None:
    with pytest.raises(reference.InstructionError) as error:
        reference.swizzle(mode, np.arange(4), base_offset)
    assert str(error.value) == message


def test_format_of_the_catalog() -> None:
    with pytest.raises(ValueError, match=r"format to be one of mxfp8, .+, but got \[\]"):
        catalog.smem_scales([], 128, 128)
    assert isinstance(catalog.smem_scales("mxfp8", 128, 128), Layout)
