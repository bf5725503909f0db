# RUN: %pytest %s
"""The catalog against NumPy: matrices go in by one formula, and come out in the lanes of another.

Nothing here asks a layout where a word lies in order to expect it there. The image of shared memory
and the image of tensor memory are both written from the specification's tables; the plan of the
two layouts must lead from the one to the other, instruction by instruction.
"""

from __future__ import annotations

import doctest
import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest
from mlir_tcgen05 import catalog, reference
from mlir_tcgen05.layout import CpOpcode, Layout, LayoutError, plan_cp

MODES: dict[str | None, int] = {None: 0, "32B": 1, "64B": 2, "128B": 3}
# Rows, words, and the lanes that each row is written to: PTX ISA, tcgen05.cp.
ATOMS = {
    "128x256b": (128, 8, lambda r: [r]),
    "128x128b": (128, 4, lambda r: [r]),
    "4x256b": (4, 8, lambda r: [32 * r]),
    "64x128b.warpx2::02_13": (64, 4, lambda r: [r, r + 64]),
    "64x128b.warpx2::01_23": (64, 4, lambda r: [r // 32 * 64 + r % 32 + x for x in (0, 32)]),
    "32x128b.warpx4": (32, 4, lambda r: [r + x for x in (0, 32, 64, 96)]),
}
BASE = 0x2000
# Down and along the rows; whatever fits 512 columns, and shared memory, is tried.
REPEATS = [1, 2, 3, 4, 8, 16, (2, 1), (3, 1), (2, 4), (4, 8), (5, 2), (2, 32)]


def swizzled(address: np.ndarray, mode: int) -> np.ndarray:
    """The 16-byte chunk XOR the 128 bytes it lies in, as many bits as the mode has."""
    return address ^ (address >> 7 & (1 << mode) - 1) << 4


def filled(matrix: np.ndarray, mode: int) -> np.ndarray:
    """Shared memory with a matrix of words: tiles `16 << mode` bytes wide, one behind the other."""
    wide, tall = 4 << mode, -(-len(matrix) // 8) * 8
    row, word = np.indices(matrix.shape)
    byte = 4 * (word // wide * tall * wide + row * wide + word % wide)
    shared = np.full(1 << 18, 0xEE, np.uint8)
    for i in range(4):
        shared[swizzled(BASE + byte, mode) + i] = (matrix >> 8 * i & 0xFF).astype(np.uint8)
    return shared


def random_words(rows: int, words: int) -> np.ndarray:
    return np.random.default_rng(rows + words).integers(0, 1 << 32, (rows, words), np.uint32)


def copied(plan: Any, shared: np.ndarray) -> reference.Tmem:
    """What the instructions of a plan leave in tensor memory."""
    image = reference.Tmem()
    for taddr, descriptor in plan.issues(saddr=BASE):
        reference.copy(str(plan.opcode), shared, descriptor, taddr, image)
    return image


def image_of(cells: dict[tuple[int, int], int]) -> reference.Tmem:
    image = reference.Tmem()
    for (lane, column), word in cells.items():
        image.words[lane, column], image.written[lane, column] = word, True
    return image


@pytest.mark.parametrize("atom", ATOMS)
@pytest.mark.parametrize("swizzle", MODES)
def test_tiles(atom: str, swizzle: str | None) -> None:
    rows, words, lanes = ATOMS[atom]
    tried = 0
    for repeats in REPEATS:
        down, along = repeats if isinstance(repeats, tuple) else (1, repeats)
        beside = max(1, (4 << MODES[swizzle]) // words)
        storage = 4 * -(-along // beside) * max(beside * words, 4 << MODES[swizzle])
        storage *= -(-down * rows // 8) * 8
        if along > beside and along % beside:
            with pytest.raises(LayoutError, match=f"multiple of {beside} for .* but got {along}$"):
                catalog.smem_k_major(atom, swizzle, repeats)
            continue
        if down * along * words > 512 or storage > (1 << 18) - BASE:
            continue
        tried += 1
        plan = plan_cp(
            f"cta_group::1.{atom}",
            catalog.tmem(atom, repeats),
            catalog.smem_k_major(atom, swizzle, repeats),
            align=catalog.smem_align(swizzle),
            storage=catalog.smem_storage(atom, swizzle, repeats),
        )
        assert catalog.smem_storage(atom, swizzle, repeats) == storage
        matrix = random_words(down * rows, along * words)
        expected = {
            (lane, (i * along + j) * words + w): int(matrix[i * rows + r, j * words + w])
            for i, j, r, w in product(range(down), range(along), range(rows), range(words))
            for lane in lanes(r)
        }
        assert copied(plan, filled(matrix, MODES[swizzle])) == image_of(expected)
        assert len(plan.repeats) == down * along
    assert tried >= 6


@pytest.mark.parametrize("swizzle", MODES)
@pytest.mark.parametrize("rows", [1, 12, 128])
def test_k_major_says_where_a_word_lies(rows: int, swizzle: str | None) -> None:
    for words in (1, 4 << MODES[swizzle], 64):
        layout = catalog.k_major(rows, words, swizzle)
        wide, tall = 4 << MODES[swizzle], -(-rows // 8) * 8
        assert layout.sizes == (rows, words)
        assert str(layout.swizzle) == (swizzle or "none")
        for r, w in product(range(rows), range(words)):
            assert layout.place((r, w)) == [w // wide * tall * wide + r * wide + w % wide]


def test_the_copy_reads_the_matrix() -> None:
    """A block of `smem_k_major` is a slice of `k_major`."""
    matrix = catalog.k_major(256, 64, "128B")
    blocks = catalog.smem_k_major("128x256b", "128B", (2, 8))
    for i, j in product(range(2), range(8)):
        part = matrix.slice((128 * i, 8 * j), (128, 8))
        block = blocks.slice((i, j, 0, 0), (1, 1, 128, 8))
        for r, w in product(range(0, 128, 9), range(8)):
            assert part.place((r, w)) == block.place((0, 0, r, w))


@pytest.mark.parametrize("swizzle", MODES)
def test_alignment_is_needed(swizzle: str | None) -> None:
    align = catalog.smem_align(swizzle)
    assert align == {None: 16, "32B": 256, "64B": 512, "128B": 1024}[swizzle]
    if swizzle:
        src = catalog.smem_k_major("128x256b", swizzle)
        with pytest.raises(LayoutError) as caught:
            plan_cp("cta_group::1.128x256b", catalog.tmem("128x256b"), src, align=align // 2)
        assert caught.value.rule == "C13"


def test_storage_is_needed() -> None:
    """Four rows are half of a group: the image is half of what must be there."""
    src, dst = catalog.smem_k_major("4x256b"), catalog.tmem("4x256b")
    assert catalog.smem_storage("4x256b") == 256
    with pytest.raises(LayoutError) as caught:
        plan_cp("cta_group::1.4x256b", dst, src, storage=240)
    assert caught.value.rule == "C14"


@pytest.mark.parametrize("swizzle", MODES)
@pytest.mark.parametrize(("down", "along"), [(1, 1), (2, 1), (32, 1), (3, 4), (32, 8)])
def test_scatter(down: int, along: int, swizzle: str | None) -> None:
    """Row r goes to lane r / 4 of warp r % 4."""
    repeats = (down, along)
    plan = plan_cp(
        "cta_group::1.4x256b",
        catalog.tmem_scatter(down, along),
        catalog.smem_k_major("4x256b", swizzle, repeats),
        align=catalog.smem_align(swizzle),
        storage=catalog.smem_storage("4x256b", swizzle, repeats),
    )
    matrix = random_words(4 * down, 8 * along)
    expected = {
        (32 * (r % 4) + r // 4, w): int(matrix[r, w])
        for r, w in product(range(4 * down), range(8 * along))
    }
    assert copied(plan, filled(matrix, MODES[swizzle])) == image_of(expected)


BLOCKS = {"mxfp8": 32, "mxfp6": 32, "mxfp4": 32, "nvfp4": 16}


@pytest.mark.parametrize("rows", [128, 256, 384])
@pytest.mark.parametrize("tiles", [1, 2, 5])
@pytest.mark.parametrize("format", BLOCKS)
def test_scales(format: str, rows: int, tiles: int) -> None:  # noqa: A002
    k = 4 * tiles * BLOCKS[format]
    scales = np.random.default_rng(rows).integers(0, 256, (rows, 4 * tiles), np.uint8)
    shared = np.full(1 << 16, 0xEE, np.uint8)
    where = catalog.scale_bytes(format, rows, k)
    assert where.sizes == scales.shape
    for m, block in np.ndindex(scales.shape):
        # Tiles of 512 bytes along K first; row m % 32, four-byte group m / 32 in each.
        byte = 512 * (m // 128 * tiles + block // 4)
        byte += 16 * (m % 32) + 4 * (m % 128 // 32) + block % 4
        shared[BASE + byte] = scales[m, block]
        assert where.place((m, block)) == [byte]
    dst, src = catalog.tmem_scales(format, rows, k), catalog.smem_scales(format, rows, k)
    words = np.ascontiguousarray(scales).view("<u4")
    expected = {
        (lane, 4 * (i * tiles + j) + group): int(words[128 * i + 32 * group + lane % 32, j])
        for i, j in np.ndindex(rows // 128, tiles)
        for group, lane in product(range(4), range(128))
    }
    plan = plan_cp("cta_group::1.32x128b.warpx4", dst, src)
    assert copied(plan, shared) == image_of(expected)


@pytest.mark.parametrize("tiles", [1, 2, 7])
@pytest.mark.parametrize("format", BLOCKS)
def test_scales_of_64_rows(format: str, tiles: int) -> None:  # noqa: A002
    k = 16 * tiles * BLOCKS[format]
    scales = np.random.default_rng(tiles).integers(0, 256, (64, 16 * tiles), np.uint8)
    shared = np.full(1 << 16, 0xEE, np.uint8)
    for n, block in np.ndindex(scales.shape):
        shared[BASE + block // 16 * 1024 + n * 16 + block % 16] = scales[n, block]
    words = np.ascontiguousarray(scales).view("<u4")
    expected = {
        (lane, w): int(words[32 * (lane // 64) + lane % 32, w])
        for lane, w in product(range(128), range(4 * tiles))
    }
    dst, src = catalog.tmem_scales_64(format, k), catalog.smem_scales_64(format, k)
    plan = plan_cp("cta_group::1.64x128b.warpx2::01_23", dst, src)
    assert copied(plan, shared) == image_of(expected)


@pytest.mark.parametrize("atom", ATOMS)
@pytest.mark.parametrize("swizzle", MODES)
@pytest.mark.parametrize("format", ["fp4", "fp6"])
def test_packed_bytes(format: str, swizzle: str | None, atom: str) -> None:  # noqa: A002
    """Values packed where the layout says come out as bytes, in the order of K."""
    rows, words, lanes = ATOMS[atom]
    bits, name = {"fp4": (4, "b4x16_p64"), "fp6": (6, "b6x16_p32")}[format]
    along = 64 // words
    k = 4 * along * words
    where = catalog.packed_bytes(format, rows, k, swizzle)
    assert where.sizes == (rows, k // 16, 2 * bits)
    values = np.random.default_rng(bits).integers(0, 1 << bits, (rows, k), np.uint8)
    shared = np.full(1 << 18, 0xEE, np.uint8)
    for r, block in product(range(rows), range(k // 16)):
        stream = sum(int(v) << bits * i for i, v in enumerate(values[r, 16 * block :][:16]))
        for i, byte in enumerate(stream.to_bytes(2 * bits, "little")):
            (place,) = where.place((r, block, i))
            shared[swizzled(np.array(BASE + place), MODES[swizzle])] = byte
    plan = plan_cp(
        f"cta_group::1.{atom}.b8x16.{name}",
        catalog.tmem(atom, along),
        catalog.smem_k_major(atom, swizzle, along),
        align=catalog.smem_align(swizzle),
        storage=catalog.smem_storage(atom, swizzle, along),
    )
    # A value of four bits gains two zeros below; one of six stays.
    expanded = (values << {4: 2, 6: 0}[bits]).view("<u4")
    expected = {
        (lane, w): int(expanded[r, w])
        for r, w in product(range(rows), range(k // 4))
        for lane in lanes(r)
    }
    assert copied(plan, shared) == image_of(expected)


@pytest.mark.parametrize("opcode", ["32x128b.warpx4", "cta_group::2.32x128b.warpx4", None])
def test_an_atom_by_any_name(opcode: str | None) -> None:
    atom = opcode or CpOpcode.parse("cta_group::1.32x128b.warpx4.b8x16.b4x16_p64")
    assert catalog.tmem(atom, 2) == Layout.parse(
        "[2, 32, 4] : [4@col, 1@lane, 1@col], replica [4 : 32@lane]"
    )
    assert str(catalog.smem_k_major(atom, "64B", 2)) == "[2, 32, 4] : [4, 16, 1], swizzle 64B"


REFUSED = [
    (
        lambda: catalog.tmem("64x128b"),
        "expected multicast warpx2::02_13 or warpx2::01_23 for 64x128b, but got none",
    ),
    (
        lambda: catalog.tmem("128x256b", 65),
        "expected repeats to fill at most 512 columns, but got 520",
    ),
    (lambda: catalog.tmem_scatter(33), "expected down to be at most 32, but got 33"),
    (lambda: catalog.tmem_scatter(1, 65), "expected along to be at most 64, but got 65"),
    (
        lambda: catalog.smem_k_major("128x256b", "128B", 6),
        "expected repeats along the rows to be a multiple of 4 for 128x256b in swizzle 128B, "
        "but got 6",
    ),
    (
        lambda: catalog.smem_k_major("128x256b", repeats=0),
        "expected repeats along the rows to be at least 1, but got 0",
    ),
    (
        lambda: catalog.smem_k_major("128x256b", "128B", (1, 2, 3)),  # type: ignore[arg-type]
        "expected repeats to be one number or two, but got 3",
    ),
    (
        lambda: catalog.smem_align("96B"),
        "expected swizzle to be none, 32B, 64B or 128B, but got '96B'",
    ),
    (
        lambda: catalog.k_major(128, 48, "128B"),
        "expected words to be a multiple of 32 for swizzle 128B, but got 48",
    ),
    (lambda: catalog.k_major(0, 4), "expected rows to be at least 1, but got 0"),
    (
        lambda: catalog.smem_scales("mxfp9", 128, 128),
        "expected format to be one of mxfp8, mxfp6, mxfp4, nvfp4, but got 'mxfp9'",
    ),
    (
        lambda: catalog.tmem_scales("mxfp8", 64, 128),
        "expected rows to be a multiple of 128 for tiles of scale factors, but got 64",
    ),
    (
        lambda: catalog.scale_bytes("nvfp4", 128, 96),
        "expected k to be a multiple of 64 for nvfp4, whose scales come in fours, but got 96",
    ),
    (
        lambda: catalog.smem_scales_64("mxfp4", 128),
        "expected k to be a multiple of 512 for mxfp4, whose scales come in rows of 16 bytes, "
        "but got 128",
    ),
    (
        lambda: catalog.packed_bytes("fp8", 128, 128),
        "expected format to be one of fp4, fp6, but got 'fp8'",
    ),
    (
        lambda: catalog.packed_bytes("fp4", 128, 40),
        "expected k to be a multiple of 16 for blocks of 16 values, but got 40",
    ),
    (
        lambda: catalog.packed_bytes("fp6", 128, 192, "128B"),
        "expected k to be a multiple of 128 for swizzle 128B, but got 192",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_errors(call: Any, sentence: str) -> None:
    with pytest.raises(LayoutError) as caught:
        call()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("value", [1.5, "4", None, True])
def test_wrong_types(value: Any) -> None:
    for call in (
        lambda: catalog.k_major(value, 4),
        lambda: catalog.tmem("128x128b", value),
        lambda: catalog.smem_scales("mxfp8", 128, value),
        lambda: catalog.tmem_scatter(value),
    ):
        with pytest.raises(TypeError, match="to be an integer, but got "):
            call()
    with pytest.raises(TypeError, match="expected atom to be text or a CpAtom, but got 4"):
        catalog.tmem(4)  # type: ignore[arg-type]


def test_the_example_of_the_module() -> None:
    result = doctest.testmod(catalog)
    assert result.attempted >= 6
    assert result.failed == 0


def test_needs_neither_mlir_nor_numpy() -> None:
    program = (
        "import sys; from mlir_tcgen05 import catalog; catalog.smem_k_major('128x256b');"
        "print(sorted({'mlir', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_every_function_says_what_it_needs() -> None:
    for name in catalog.__all__:
        value = getattr(catalog, name)
        if callable(value):
            assert value.__doc__, name
            assert "source: " in value.__doc__.lower(), name
