# RUN: %pytest %s
"""Descriptors, walks, swizzles and addresses of tensor memory, bit for bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlir_tcgen05.layout import (
    LayoutError,
    SmemDescriptor,
    SmemWalk,
    Swizzle,
    TmemAddress,
    plan_cp,
)

# The PTX ISA's table: lowest bit and width of each field.
FIELDS = {"start": (0, 14), "ldo": (16, 14), "sdo": (32, 14), "constant": (46, 3)}
CODES = {"none": 0, "32B": 6, "64B": 4, "128B": 2}
MODES = [None, 32, 64, 128]


def field(word: int, lsb: int, width: int) -> int:
    return word >> lsb & (1 << width) - 1


# opcode, layout of the source, alignment, descriptor at a shared base of 0x400
GOLDEN = [
    ("128x128b", "[128, 4] : [4, 1]", 16, 0x0000400800010040),
    ("128x256b", "[(16, 8), (2, 4)] : [(64, 4), (32, 1)]", 16, 0x0000401000080040),
    ("128x256b", "[128, 8] : [32, 1], swizzle 128B", 1024, 0x4000404000010040),
    ("128x256b", "[128, 8] : [16, 1], swizzle 64B", 512, 0x8000402000010040),
    ("128x256b", "[128, 8] : [8, 1], swizzle 32B", 256, 0xC000401000010040),
    ("128x256b", "[128, 8] : [32, 1], offset [8], swizzle 128B", 1024, 0x4000404000010042),
    ("4x256b", "[4, 8] : [32, 1], swizzle 128B", 1024, 0x4000400000010040),
]


@pytest.mark.parametrize(("shape", "src", "align", "word"), GOLDEN)
def test_golden(shape: str, src: str, align: int, word: int) -> None:
    step = 32 if shape == "4x256b" else 1
    rows, words = (4 if shape == "4x256b" else 128), (4 if shape == "128x128b" else 8)
    dst = f"[{rows}, {words}] : [{step}@lane, 1@col]"
    plan = plan_cp(f"cta_group::1.{shape}", dst, src, align=align, storage=65536)
    assert plan.issues(saddr=0x400) == [(0, word)]


def test_golden_from_bytes() -> None:
    assert SmemDescriptor.encode(0x400, 16, 128, None) == 0x0000400800010040
    assert SmemDescriptor.encode(0x400, 128, 256, None) == 0x0000401000080040
    assert SmemDescriptor.encode(0x400, 16, 1024, 128) == 0x4000404000010040
    assert SmemDescriptor.encode(0x400, 16, 512, "64B") == 0x8000402000010040
    assert SmemDescriptor.encode(0x400, 16, 256, Swizzle(32)) == 0xC000401000010040
    assert SmemDescriptor.encode(0x420, 16, 1024, 128) == 0x4000404000010042
    assert SmemDescriptor.encode(0x400, 16, 0, 128) == 0x4000400000010040


units = st.integers(0, 2**14 - 1)


@given(units, units, units, st.sampled_from(MODES))
def test_fields(start: int, ldo: int, sdo: int, swizzle: int | None) -> None:
    word = SmemDescriptor.encode(16 * start, 16 * ldo, 16 * sdo, swizzle)
    values = {"start": start, "ldo": ldo, "sdo": sdo, "constant": 1}
    for name, (lsb, width) in FIELDS.items():
        assert field(word, lsb, width) == values[name]
    assert word >> 61 == CODES[str(Swizzle(swizzle))]
    assert field(word, 14, 2) == field(word, 30, 2) == field(word, 49, 12) == 0
    decoded = SmemDescriptor.decode(word)
    assert (decoded.start, decoded.ldo, decoded.sdo) == (16 * start, 16 * ldo, 16 * sdo)
    assert decoded == SmemDescriptor(16 * start, 16 * ldo, 16 * sdo, swizzle)
    assert int(decoded) == word


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        ((8, 16, 0), "start", 8),
        ((-16, 16, 0), "start", -16),
        ((1 << 18, 16, 0), "start", 1 << 18),
        ((0, 200, 0), "ldo", 200),
        ((0, 1 << 18, 0), "ldo", 1 << 18),
        ((0, 16, 12), "sdo", 12),
        ((0, 16, 1 << 62), "sdo", 1 << 62),
    ],
)
def test_encode_refuses(arguments: tuple[int, int, int], name: str, value: int) -> None:
    with pytest.raises(LayoutError) as error:
        SmemDescriptor.encode(*arguments, None)
    assert str(error.value) == (
        f"expected descriptor field '{name}' to be a multiple of 16 bytes below 262144, "
        f"but got {value}"
    )


@pytest.mark.parametrize(
    "word",
    [
        0,  # the constant 0b001 is missing
        0b010 << 46,
        1 << 46 | 1 << 14,
        1 << 46 | 1 << 30,
        1 << 46 | 1 << 49,
        1 << 46 | 1 << 52,
        1 << 46 | 1 << 53,
        *(1 << 46 | code << 61 for code in (1, 3, 5, 7)),
    ],
)
def test_decode_refuses(word: int) -> None:
    with pytest.raises(LayoutError, match=r"^expected descriptor field"):
        SmemDescriptor.decode(word)


@pytest.mark.parametrize("word", [-1, 1 << 64, 1 << 200])
def test_decode_refuses_what_has_no_64_bits(word: int) -> None:
    with pytest.raises(LayoutError, match="expected a descriptor to be in"):
        SmemDescriptor.decode(word)


def test_field_table_covers_every_bit() -> None:
    bits = [bit for _, lsb, width, _ in SmemDescriptor.fields() for bit in range(lsb, lsb + width)]
    assert bits == list(range(64))
    table = {name: (lsb, width) for name, lsb, width, _ in SmemDescriptor.fields()}
    assert table.items() >= {**FIELDS, "base_offset": (49, 3), "swizzle": (61, 3)}.items()


@given(st.integers(0, 2**18 - 1), st.sampled_from(MODES))
def test_swizzle_formula(address: int, swizzle: int | None) -> None:
    mode = MODES.index(swizzle)
    swizzled = Swizzle(swizzle).apply(address)
    assert swizzled == address ^ ((address >> 3) & ((2**mode - 1) * 16))
    assert Swizzle(swizzle).apply(swizzled) == address


def test_swizzle_facts() -> None:
    rows = [(Swizzle(s).mode, Swizzle(s).row_bytes, Swizzle(s).period) for s in MODES]
    assert rows == [(0, 16, 16), (1, 32, 256), (2, 64, 512), (3, 128, 1024)]
    assert Swizzle("128B") == Swizzle(128) == Swizzle(Swizzle(128)) != Swizzle(64)
    assert Swizzle() == Swizzle(None) == Swizzle("none")


@given(
    st.sampled_from(MODES),
    st.integers(0, 2**14).map(lambda x: 16 * x),
    st.integers(0, 2**14).map(lambda x: 16 * x),
    st.integers(0, 2**14).map(lambda x: 16 * x),
    st.integers(0, 127),
    st.integers(0, 7),
)
def test_walk_formula(
    swizzle: int | None, start: int, ldo: int, sdo: int, row: int, word: int
) -> None:
    mode = MODES.index(swizzle)
    along = (word // 4) * ldo + (word % 4) * 4 if mode == 0 else 4 * word
    address = start + (row // 8) * sdo + (row % 8) * (16 << mode) + along
    address ^= (address >> 3) & ((2**mode - 1) * 16)
    assert SmemWalk(ldo, sdo, swizzle).address(start, row, word) == address


@given(st.integers(0, 127), st.integers(0, 511))
def test_tmem_address(lane: int, col: int) -> None:
    assert TmemAddress.encode(lane, col) == lane << 16 | col
    assert TmemAddress.decode(lane << 16 | col) == TmemAddress(lane, col)


@pytest.mark.parametrize(
    ("lane", "col", "message"),
    [
        (128, 0, "expected lane to be in 0 to 127, but got 128"),
        (-1, 0, "expected lane to be in 0 to 127, but got -1"),
        (0, 512, "expected column to be in 0 to 511, but got 512"),
        (0, -4, "expected column to be in 0 to 511, but got -4"),
    ],
)
def test_tmem_address_refuses(lane: int, col: int, message: str) -> None:
    with pytest.raises(LayoutError) as error:
        TmemAddress.encode(lane, col)
    assert str(error.value) == message
    with pytest.raises(LayoutError):
        TmemAddress.decode((lane << 16 | col) & 0xFFFFFFFF)
