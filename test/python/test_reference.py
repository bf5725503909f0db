# RUN: %pytest %s
"""The executable specification: walks, placement, decompression, and what it refuses."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import DATA
from mlir_tcgen05 import reference
from mlir_tcgen05.reference import Tmem, copy

PLAIN = 0x0000400800010040  # start 0x400, SDO 128, no swizzle
OPCODE = "cta_group::1.128x128b"
SHARED = np.arange(1 << 14, dtype=np.uint32).view(np.uint8)


def test_first_example() -> None:
    """512 words in, the same 512 words out."""
    tmem = Tmem()
    copy(OPCODE, SHARED, PLAIN, 0, tmem)
    words = SHARED[0x400 : 0x400 + 2048].view(np.uint32).reshape(128, 4)
    assert np.array_equal(tmem.read(0, 0, 128, 4), words)
    assert tmem.written.sum() == 512


@pytest.mark.parametrize("bits", [4, 6])
def test_first_example_decompressed(bits: int) -> None:
    """FP4 and FP6: 2048 values in, expanded values out."""
    rng = np.random.default_rng(bits)
    values = rng.integers(0, 1 << bits, (128, 16), dtype=np.uint8)
    # By hand: value i in bits bits * i and up of its block, the rest is padding.
    blocks = [sum(int(v) << bits * i for i, v in enumerate(row)) for row in values]
    packed = b"".join((b | (1 << 128) - (1 << 16 * bits)).to_bytes(16, "little") for b in blocks)
    shared = np.concatenate([np.zeros(0x400, np.uint8), np.frombuffer(packed, np.uint8)])
    tmem = Tmem()
    form = {4: "b4x16_p64", 6: "b6x16_p32"}[bits]
    copy(f"{OPCODE}.b8x16.{form}", shared, PLAIN, 0, tmem)
    got = tmem.read(0, 0, 128, 4).view(np.uint8)
    # 00xxxx00 and 00xxxxxx.
    assert np.array_equal(got, values << 2 if bits == 4 else values)
    pack = {4: reference.compress_fp4, 6: reference.compress_fp6}[bits]
    assert pack(values, 255).tobytes() == packed
    assert np.array_equal(reference.decompress(pack(values), bits), got)


def test_placement_of_each_shape() -> None:
    """Row r of facts: lane, and copies of it."""
    expected = {
        "128x256b": (8, lambda r: [r]),
        "128x128b": (4, lambda r: [r]),
        "4x256b": (8, lambda r: [32 * r]),
        "64x128b.warpx2::02_13": (4, lambda r: [r, r + 64]),
        "64x128b.warpx2::01_23": (4, lambda r: [64 * (r // 32) + r % 32 + d for d in (0, 32)]),
        "32x128b.warpx4": (4, lambda r: [r, r + 32, r + 64, r + 96]),
    }
    assert sorted(expected) == sorted(reference.ATOMS)
    for shape, (words, lanes) in expected.items():
        rows = int(shape.partition("x")[0])
        tmem = Tmem()
        # LDO 16 and SDO words * 32: dense rows when there is no swizzle and 4 words.
        descriptor = 0x40 | (128 >> 4) << 16 | (words * 32 >> 4) << 32 | 1 << 46
        copy(f"cta_group::2.{shape}", SHARED, descriptor, 8, tmem)
        count = 0
        for row in range(rows):
            for word in range(words):
                at = 0x400 + row // 8 * 32 * words + row % 8 * 16 + word // 4 * 128 + word % 4 * 4
                for lane in lanes(row):
                    assert tmem.read(lane, 8 + word)[0, 0] == at // 4
                    count += 1
        assert tmem.written.sum() == count


def test_swizzle_is_an_involution() -> None:
    address = np.arange(0, 1 << 18, 4, dtype=np.int64)
    for mode in range(4):
        swizzled = reference.swizzle(mode, address)
        assert np.array_equal(reference.swizzle(mode, swizzled), address)
        assert (swizzled == address).all() == (mode == 0)


def test_opcodes() -> None:
    accepted = json.loads((DATA / "ptxas_truth.json").read_text())["accepted"]
    for opcode in accepted:
        what = reference.parse_opcode("tcgen05.cp." + opcode)
        assert f"cta_group::{what.cta_group}." in opcode
        assert what.bits == (4 if "b4x16" in opcode else 6 if "b6x16" in opcode else None)
    assert len(accepted) == len(reference.ATOMS) * len((1, 2)) * len((None, *reference.FORMATS))


@pytest.mark.parametrize(
    ("change", "field", "got"),
    [
        ({"opcode": "cta_group::3.128x128b"}, "opcode", "'cta_group::3.128x128b'"),
        ({"opcode": "cta_group::1.64x128b"}, "opcode", "'cta_group::1.64x128b'"),
        ({"descriptor": PLAIN & ~(1 << 46)}, "constant (bits 46-48)", "0b000"),
        ({"descriptor": PLAIN | 7 << 46}, "constant (bits 46-48)", "0b111"),
        ({"descriptor": PLAIN | 3 << 61}, "swizzle (bits 61-63)", "3"),
        ({"descriptor": PLAIN | 1 << 61}, "swizzle (bits 61-63)", "1"),
        ({"descriptor": PLAIN | 1 << 52}, "leading-dimension mode (bit 52)", "1"),
        ({"descriptor": PLAIN | 1 << 53}, "bits 53-60", "1"),
        ({"descriptor": PLAIN | 1 << 60}, "bits 53-60", "128"),
        ({"descriptor": PLAIN | 1 << 14}, "bits 14-15", "1"),
        ({"descriptor": PLAIN | 1 << 15}, "bits 14-15", "2"),
        ({"descriptor": PLAIN | 1 << 30}, "bits 30-31", "1"),
        ({"descriptor": PLAIN | 1 << 31}, "bits 30-31", "2"),
        ({"descriptor": 1 << 64}, "descriptor", "0x10000000000000000"),
        ({"descriptor": -1}, "descriptor", "-0x1"),
        ({"shared": SHARED[: 0x400 + 2044]}, "walk", "row 127, word 3 at byte 3068"),
        ({"shared": SHARED.view(np.uint32)}, "shared", "uint32[16384]"),
        ({"taddr": 3}, "column (bits 0-15 of taddr)", "3"),
        ({"taddr": 512}, "column (bits 0-15 of taddr)", "512"),
        ({"taddr": 1 << 16}, "lane (bits 16-31 of taddr)", "1"),
        ({"taddr": 1 << 32}, "taddr", "0x100000000"),
        ({"tmem": np.zeros((128, 512), np.int32)}, "tmem", "int32[128, 512]"),
        ({"tmem": np.zeros((128, 511), np.uint32)}, "tmem", "uint32[128, 511]"),
        ({"tmem": [1]}, "tmem", "list"),
        ({"opcode": 128}, "opcode", "128"),
        ({"descriptor": "0x0"}, "descriptor", "'0x0'"),
        ({"descriptor": None}, "descriptor", "None"),
        ({"taddr": 4.5}, "taddr", "4.5"),
        ({"shared": b"ab"}, "shared", "|S2[]"),
    ],
)
def test_refused(change: dict, field: str, got: str) -> None:
    given = {"opcode": OPCODE, "shared": SHARED, "descriptor": PLAIN, "taddr": 0, "tmem": Tmem()}
    arguments = given | change
    with pytest.raises(reference.InstructionError) as error:
        copy(**arguments)
    assert error.value.field == field
    assert str(error.value).startswith(f"expected {field} to ") or "of the desc" in str(error.value)
    assert str(error.value).endswith(f", but got {got}")
    copy(**given)  # the near miss


def test_every_bit_of_the_strides() -> None:
    """Each of the 14 bits of start, LDO and SDO is 16 bytes times a power of two."""
    for bit in range(14):
        for field, low in (("start", 0), ("ldo", 16), ("sdo", 32)):
            got = reference.decode(1 << low + bit | 1 << 46)
            assert got._asdict() == {
                "start": 0, "ldo": 0, "sdo": 0, "base_offset": 0, "mode": 0, field: 16 << bit
            }  # fmt: skip


# facts.md section 2: descriptor, then start, LDO, SDO, and mode (none, 32B, 64B, 128B).
@pytest.mark.parametrize(
    ("descriptor", "fields"),
    [
        (0x0000400800010040, (0x400, 16, 128, 0, 0)),
        (0x0000401000080040, (0x400, 128, 256, 0, 0)),
        (0x4000404000010040, (0x400, 16, 1024, 0, 3)),
        (0x8000402000010040, (0x400, 16, 512, 0, 2)),
        (0xC000401000010040, (0x400, 16, 256, 0, 1)),
        (0x4000404000010042, (0x420, 16, 1024, 0, 3)),
        (0x4000400000010040, (0x400, 16, 0, 0, 3)),
    ],
)
def test_golden_descriptors(descriptor: int, fields: tuple[int, ...]) -> None:
    assert tuple(reference.decode(descriptor)) == fields
    rows, words = 16, 8
    _, ldo, sdo, _, mode = fields
    # By hand: rows of 16 << mode bytes; chunks LDO apart, or under a pattern in 16-byte steps.
    for (row, word), got in np.ndenumerate(reference.walk(descriptor, rows, words)):
        chunk = word // 4 * (16 if mode else ldo)
        at = fields[0] + row // 8 * sdo + row % 8 * (16 << mode) + chunk
        at ^= (at // 128 % (1 << mode)) * 16
        assert got == at + word % 4 * 4


def test_poison_and_order() -> None:
    tmem = Tmem()
    copy(OPCODE, SHARED, PLAIN, 0, tmem)
    copy(OPCODE, SHARED, PLAIN, 4, tmem)
    with pytest.raises(reference.PoisonError, match="lane 127, column 8"):
        tmem.read(127, 4, 1, 5)
    with pytest.raises(reference.TmemError, match="inside 128, but got 1 to 128"):
        tmem.read(1, 0, 128)
    with pytest.raises(reference.UnorderedError, match="lane 0, column 4 twice"):
        copy(OPCODE.replace("128b", "256b"), SHARED, PLAIN, 4, tmem)  # columns 4 to 11
    tmem.wait()
    copy(OPCODE, SHARED, PLAIN + 1, 4, tmem)
    assert tmem.read(0, 4)[0, 0] == 0x410 // 4


def test_plain_array() -> None:
    """Without questions: what is not written stays."""
    tmem = np.full((128, 512), 7, np.uint32)
    copy(OPCODE, SHARED, PLAIN, 0, tmem)
    assert tmem[5, 3] == 0x400 // 4 + 23
    assert (tmem[:, 4:] == 7).all()


def test_base_offset_moves_the_pattern() -> None:
    """A pattern of 128B that begins 128 bytes late, and says so, reads as an aligned one does."""
    aligned = reference.walk(0x400 >> 4 | 64 << 32 | 1 << 46 | 2 << 61, 64, 8)
    late = reference.walk(0x480 >> 4 | 64 << 32 | 1 << 46 | 1 << 49 | 2 << 61, 64, 8)
    assert np.array_equal(late, aligned + 128)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reference.walk(PLAIN, -1, 4), "expected rows to be at least 1, but got -1"),
        (lambda: reference.walk(PLAIN, 8, 0), "expected words to be at least 1, but got 0"),
        (lambda: reference.compress_fp4(np.zeros(16, np.uint8), 256), "padding to have 8 bits"),
        (lambda: reference.compress_fp6(np.zeros(16, np.uint8), 0.5), "padding to be an integer"),
        (lambda: reference.decompress(np.zeros(16, np.uint8), 5), "expected bits to be 4 or 6, "),
        (lambda: reference.decompress(np.zeros(15, np.uint8), 4), "whole blocks of 16 bytes"),
        (lambda: reference.decompress(np.zeros(16, np.int8), 4), "array of uint8, but got int8"),
        (lambda: reference.compress_fp4(np.full(16, 16, np.uint8)), "to have 4 bits, but got 16"),
        (lambda: reference.compress_fp6(np.full(16, 64, np.uint8)), "to have 6 bits, but got 64"),
    ],
)
def test_refused_arrays(call, message: str) -> None:
    with pytest.raises(reference.InstructionError, match=message):
        call()
