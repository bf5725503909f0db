# RUN: %pytest %s
"""Copies whose verdict, addresses and descriptors are known from elsewhere."""

from __future__ import annotations

import collections
import gzip
import json
import pathlib
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from mlir_tcgen05.layout import (
    CpOpcode,
    Layout,
    LayoutError,
    SmemWalk,
    Term,
    col,
    lane,
    opcodes,
    plan_cp,
)

DATA = pathlib.Path(__file__).parent.parent / "data"
BITS = {"int32": 32, "uint32": 32, "float32": 32, "float16": 16, "bfloat16": 16, "uint64": 64}
AXES = {"TLane": lane, "TCol": col, "m": None}
SWIZZLES = {None: None, 1: 32, 2: 64, 3: 128}
SHARED_BASE = 0x400

Mode = tuple[int, int, str]
"""Extent, stride, axis."""


def cases() -> list[dict[str, Any]]:
    with gzip.open(DATA / "tirx_cases.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def stride(value: int, axis: str) -> Any:
    return value if AXES[axis] is None else value @ AXES[axis]


def by_dimension(shape: list[int], shard: list[Mode]) -> list[list[Mode]]:
    """The modes of a row-major linear index, cut at the dimensions of a shape."""
    rest = list(shard)
    dims = []
    for size in reversed(shape):
        modes: list[Mode] = []
        while size > 1:
            extent, step, axis = rest.pop()
            if extent > size:
                assert extent % size == 0
                rest.append((extent // size, step * size, axis))
                extent = size
            assert size % extent == 0
            modes.insert(0, (extent, step, axis))
            size //= extent
        dims.insert(0, modes)
    assert all(extent == 1 for extent, _, _ in rest)
    return dims


def merged(modes: list[Mode]) -> list[Mode]:
    """The same modes with those that together are one stride made one."""
    out: list[Mode] = []
    for extent, step, axis in modes:
        if out and out[-1][1:] == (step * extent, axis):
            out[-1] = (out[-1][0] * extent, step, axis)
        else:
            out.append((extent, step, axis))
    return out


class Sliced:
    """The modes of one dimension of a region, and where it begins."""

    def __init__(self, modes: list[Mode], begin: Any, size: int, loops: int, extent: int) -> None:
        self.modes: list[Mode] = []
        self.offset: list[Any] = []
        const, times, count = begin, 0, 1
        if isinstance(begin, dict):
            const = begin["const"]
            times, count = (
                (begin["loop"], loops)
                if begin["loop"]
                # What keeps the region inside the tensor.
                else (begin["runtime"], (extent - size - const) // begin["runtime"] + 1)
            )
        for mode_extent, step, axis in reversed(merged(modes)):
            low = const % mode_extent
            turns = mode_extent // times if times else 1
            if turns > 1 and low + size <= times and mode_extent % times == count % turns == 0:
                # The loop crosses this mode: it is two loops, one inside it.
                self.modes.insert(0, (size, step, axis))
                self.offset += [stride(low * step, axis), Term(turns, stride(times * step, axis))]
                size, times, count, const = 1, 1, count // turns, const // mode_extent
            elif low + times * (count - 1) + size <= mode_extent:
                self.modes.insert(0, (size, step, axis))
                self.offset.append(stride(low * step, axis))
                if times:
                    self.offset.append(Term(count, stride(times * step, axis)))
                size, times, const = 1, 0, const // mode_extent
            else:
                # The slice takes this mode whole, or no strides express it.
                if low or size % mode_extent or times % mode_extent:
                    raise LayoutError("expected region not to cut a mode, but it does")
                self.modes.insert(0, (mode_extent, step, axis))
                size, times, const = size // mode_extent, times // mode_extent, const // mode_extent
        if const or size != 1:
            raise LayoutError("expected region to be inside its tensor, but it is not")


def region(side: dict[str, Any], loops: int) -> Layout:
    """The layout of a region: strides of the tensor, offset of its begin."""
    parts = side["layout"]
    shape, strides = [], []
    offset = [stride(value, axis) for axis, value in parts["offset"].items()]
    dims = by_dimension(side["tensor_shape"], parts["shard"])
    for modes, (begin, size), extent in zip(
        dims, side["region"], side["tensor_shape"], strict=True
    ):
        # A dimension of one element has no mode to tell where it leads.
        part = Sliced(modes or [(1, 0, parts["shard"][0][2])], begin, size, loops, extent)
        shape.append(tuple(extent for extent, _, _ in part.modes))
        strides.append(tuple(stride(step, axis) for _, step, axis in part.modes))
        offset += part.offset
    length = (parts.get("swizzle") or {}).get("swizzle_len")
    replica = [(extent, stride(step, axis)) for extent, step, axis in parts["replica"]]
    return Layout(shape, strides, replica, offset, SWIZZLES[length])


def image_bytes(side: dict[str, Any]) -> int:
    """One past the last byte of the whole tensor, swizzled as the data says."""
    parts, swizzle = side["layout"], side["layout"]["swizzle"]
    size = BITS[side["dtype"]] // 8
    last = 0
    for digits in product(*(range(extent) for extent, _, _ in parts["shard"])):
        element = parts["offset"].get("m", 0) + sum(
            digit * step for digit, (_, step, _) in zip(digits, parts["shard"], strict=True)
        )
        if swizzle:
            assert swizzle["swizzle_inner"]
            chunk = element >> swizzle["per_element"]
            chunk ^= (chunk >> swizzle["atom_len"]) & ((1 << swizzle["swizzle_len"]) - 1)
            within = element & ((1 << swizzle["per_element"]) - 1)
            element = chunk << swizzle["per_element"] | within
        last = max(last, element)
    return size * (last + 1)


def digits(i: int, terms: Sequence[Term]) -> tuple[int, ...]:
    """Values of the terms in iteration i: loops that were split count row-major."""
    values: list[int] = []
    for term in reversed(terms):
        values.insert(0, i % term.count)
        i //= term.count
    return tuple(values)


def issued(case: dict[str, Any]) -> list[tuple[int, int]]:
    """What our plan of a case hands to the hardware, loops included."""
    loops = case.get("loop", {"extent": 1})["extent"]
    dst, src = case["dst"], case["src"]
    plan = plan_cp(
        case["op"]["opcode"],
        region(dst, loops),
        region(src, loops),
        dst_bits=BITS[dst["dtype"]],
        src_bits=BITS[src["dtype"]],
        align=src["align"],
        storage=image_bytes(src),
        scope=case["scope"],
    )
    out = []
    for i in range(loops):
        values = [digits(i, terms) for terms in (plan.dst_terms, plan.src_terms)]
        if SHARED_BASE % src["align"] == 0:
            out += plan.issues(*values, saddr=SHARED_BASE)
        else:
            # No view aligned to 2048 lies there: add the base to the start field.
            at_zero = plan.issues(*values)
            out += [(taddr, word + (SHARED_BASE >> 4)) for taddr, word in at_zero]
    return out


def test_regions_of_tensors() -> None:
    disagreements = []
    agreed: collections.Counter[str] = collections.Counter()
    for case in cases():
        try:
            got, verdict = issued(case), "accepted"
        except LayoutError as error:
            got, verdict = error, "rejected"
        wanted = [(int(taddr, 16), int(word, 16)) for taddr, word in case.get("issues") or []]
        if verdict != case["expect"] or (wanted and got != wanted):
            disagreements.append((case["id"], case["note"], case["expect"], got))
        else:
            agreed[verdict] += 1
            agreed["with issues"] += bool(wanted)
    print(f"\n{agreed['accepted'] + agreed['rejected']} of 759 agree: {dict(agreed)}")
    assert disagreements == []
    assert agreed == {"accepted": 415, "rejected": 344, "with issues": 413}


def observed() -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / "walk_hopper.json.gz", "rt") as file:
        yield from json.load(file)


def test_walk_as_read_back_from_silicon() -> None:
    words = 0
    for record in observed():
        walk = SmemWalk(record["lbo"], record["sbo"], SWIZZLES[record["mode"] or None])
        assert len(record["observed"]) == record["rows"]
        for row, line in enumerate(record["observed"]):
            for word, seen in enumerate(line):
                if seen is not None:
                    assert walk.address(record["start"], row, word) == 4 * seen, record["id"]
                    words += 1
    print(f"\n{words} words agree")
    assert words > 50_000


def test_opcodes_that_assemble() -> None:
    accepted = json.loads((DATA / "ptxas_truth.json").read_text())["accepted"]
    assert sorted(str(opcode) for opcode in opcodes()) == sorted(accepted)
    assert len(accepted) == 36


@pytest.mark.parametrize("shape", ["128x256b", "128x128b", "4x256b", "64x128b", "32x128b"])
@pytest.mark.parametrize("multicast", ["", ".warpx2::02_13", ".warpx2::01_23", ".warpx4"])
@pytest.mark.parametrize("decompress", ["", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32"])
@pytest.mark.parametrize("group", [1, 2])
def test_opcode_is_refused_before_ptxas(
    shape: str, multicast: str, decompress: str, group: int
) -> None:
    accepted = json.loads((DATA / "ptxas_truth.json").read_text())["accepted"]
    text = f"cta_group::{group}.{shape}{multicast}{decompress}"
    if text in accepted:
        assert str(CpOpcode.parse("tcgen05.cp." + text)) == text
    else:
        with pytest.raises(LayoutError) as error:
            CpOpcode.parse(text)
        assert error.value.rule == "C1"
