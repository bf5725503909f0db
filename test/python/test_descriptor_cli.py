# RUN: %pytest %s
"""`tcgen05 decode`, `encode` and `atoms`: documents, reserved bits, addresses, chips."""

from __future__ import annotations

import json

import pytest
from documents import check
from mlir_tcgen05._chips import chips
from mlir_tcgen05._json import AtomsJson, DecodeJson, EncodeJson, TmemJson
from mlir_tcgen05.layout import atoms
from terminal import tcgen05


def test_document_of_a_descriptor() -> None:
    # 128B swizzle, 32 bytes into the row: a golden value of the specification.
    value = json.loads(tcgen05("decode", "0x4000404000010042", "--json").stdout)
    check(value, DecodeJson)
    assert (value["schema"], value["command"]) == ("tcgen05/1", "decode")
    assert (value["chip"], value["legal"], value["problems"]) == ("sm_100a", True, [])
    assert value["start"] == 0x420
    assert value["walk"] == {"ldo": 16, "sdo": 1024, "swizzle": "128B"}
    word = sum(field["value"] << field["lsb"] for field in value["fields"])
    assert f"{word:#018x}" == value["word"] == "0x4000404000010042"


def test_every_reserved_value_is_told() -> None:
    # Bits 14, 30 and 53 set, the constant 0b010, base offset 3, absolute LDO, swizzle code 5.
    word = 1 << 14 | 1 << 30 | 1 << 53 | 0b010 << 46 | 3 << 49 | 1 << 52 | 5 << 61
    process = tcgen05("decode", hex(word), "--json")
    assert process.returncode == 1
    value = json.loads(process.stdout)
    check(value, DecodeJson)
    assert not value["legal"]
    assert (value["start"], value["walk"]) == (None, None)
    named = [problem["message"].split("'")[1] for problem in value["problems"]]
    assert sorted(named) == sorted(
        ["constant", "reserved0", "reserved1", "base_offset", "ldo_mode", "reserved2", "swizzle"]
    )
    text = tcgen05("decode", hex(word))
    assert (text.returncode, text.stdout) == (1, b"")
    first, *notes = text.stderr.decode().splitlines()
    assert first == f"error: {value['problems'][0]['message']}"
    assert notes == [f"  note: {problem['message']}" for problem in value["problems"][1:]]


@pytest.mark.parametrize(
    ("code", "legal"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 1), (5, 0), (6, 1), (7, 0)]
)
def test_swizzle_codes(code: int, legal: int) -> None:
    word = code << 61 | 1 << 46 | 8 << 32 | 1 << 16
    value = json.loads(tcgen05("decode", hex(word), "--json").stdout)
    assert value["legal"] == bool(legal)
    assert len(value["problems"]) == 1 - legal


def test_fields_cover_all_bits() -> None:
    lines = tcgen05("decode", "0x4000404000010042", "--fields").stdout.decode().splitlines()
    rows = [line.split(maxsplit=3) for line in lines[5:]]
    assert [row[0] for row in rows] == [
        "0-13", "14-15", "16-29", "30-31", "32-45", "46-48", "49-51", "52", "53-60", "61-63",
    ]  # fmt: skip
    assert {row[1]: row[2] for row in rows}["start"] == "0x42"


def test_addresses_of_tensor_memory() -> None:
    word = tcgen05("encode", "--lane", "32", "--column", "8").stdout
    assert word == b"0x00200008\n"
    lines = tcgen05("decode", "--tmem", "0x00200008").stdout.decode().splitlines()
    assert [line.split() for line in lines] == [["lane", "32"], ["column", "8"]]
    value = json.loads(tcgen05("decode", "--tmem", "0x007f01ff", "--json").stdout)
    check(value, TmemJson)
    assert (value["lane"], value["column"]) == (127, 511)
    for arguments in (["--tmem", "0x00800000"], ["--tmem", "512"], ["--tmem", str(2**32)]):
        process = tcgen05("decode", *arguments)
        assert process.returncode == 1
        assert process.stderr.startswith(b"error: expected ")
    for arguments in (["--lane", "128"], ["--column", "512"], ["--lane", "-1"]):
        assert tcgen05("encode", *arguments).returncode == 1


def test_document_of_encode() -> None:
    arguments = ["--start", "0x400", "--sdo", "512", "--swizzle", "64B", "--json"]
    value = json.loads(tcgen05("encode", *arguments).stdout)
    check(value, EncodeJson)
    assert value["word"] == "0x8000402000010040"


def test_document_of_the_atoms() -> None:
    value = json.loads(tcgen05("atoms", "--json").stdout)
    check(value, AtomsJson)
    assert len(value["atoms"]) == 6
    for row, atom in zip(value["atoms"], atoms(), strict=True):
        assert (row["shape"], row["multicast"]) == (atom.shape, atom.multicast)
        assert row["lanes"] == [atom.lane(r) for r in range(atom.rows)]
    paired = value["atoms"][4]
    assert paired["lanes"] == [64 * (r // 32) + r % 32 for r in range(64)]


def test_chips() -> None:
    for command in (["atoms"], ["decode", "0x4000404000010042"], ["encode"]):
        for chip in ("sm_100f", "sm_110a"):
            assert tcgen05(*command, "--chip", chip).returncode == 0
        process = tcgen05(*command, "--chip", "sm_90a")
        assert (process.returncode, process.stdout) == (1, b"")
        assert process.stderr.decode().endswith("but got sm_90a\n")
    # MLIR would refuse these by a sentence of its own, some only now and then, or assert at them.
    for chip in ("sm_10", "sm_", "none", "x", "sm_100b"):
        process = tcgen05("atoms", "--chip", chip)
        assert (process.returncode, process.stdout) == (1, b"")
        sentence = process.stderr.decode()
        assert sentence.startswith("error: expected a target with tcgen05.cp (sm_100a, sm_100f, ")
        assert sentence.endswith(f", but got {chip}\n")
    assert "sm_100a" in chips()
    assert "sm_100" not in chips()
