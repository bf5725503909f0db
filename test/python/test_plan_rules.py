# RUN: %pytest %s
"""Each rule's sentence, a copy that breaks it, and the near miss that is legal."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from mlir_tcgen05.layout import CpOpcode, LayoutError, plan_cp

T128 = "[128, 4] : [1@lane, 1@col]"
T128X8 = "[128, 8] : [1@lane, 1@col]"
T4 = "[4, 8] : [32@lane, 1@col]"
T0213 = "[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]"
T0123 = "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]"
T32 = "[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]"
S128 = "[128, 4] : [4, 1]"
S64 = "[64, 4] : [4, 1]"
S32 = "[32, 4] : [4, 1]"
# Eight words a row: two columns of 8-row blocks, 128 bytes apart.
S128X8 = "[(16, 8), (2, 4)] : [(64, 4), (32, 1)]"


class Case(NamedTuple):
    """An illegal copy with its sentence, and what makes it legal."""

    rule: str
    sentence: str
    shape: str
    dst: str
    src: str
    legal: dict[str, Any]
    keywords: dict[str, Any] | None = None


CASES = [
    Case(
        "C1",
        "expected multicast warpx2::02_13 or warpx2::01_23 for 64x128b, but got none",
        "64x128b",
        T0213,
        S64,
        {"shape": "64x128b.warpx2::02_13"},
    ),
    Case(
        "C1",
        "expected no multicast for 128x128b, but got warpx4",
        "128x128b.warpx4",
        T128,
        S128,
        {"shape": "128x128b"},
    ),
    Case(
        "C2",
        "expected src elements of 32 bits, but got 'bf16'",
        "128x128b",
        T128,
        S128,
        {"src_bits": 32, "src_element": "f32"},
        {"src_bits": 16, "src_element": "bf16"},
    ),
    Case(
        "C3",
        "expected src to end in (128, 4) for 128x128b, but got (128, 8)",
        "128x128b",
        T128,
        "[128, 8] : [8, 1]",
        {"src": S128},
    ),
    Case(
        "C4",
        "expected src repeat extents (4), but got (2)",
        "128x128b",
        "[4, 128, 4] : [4@col, 1@lane, 1@col]",
        "[2, 128, 4] : [512, 4, 1]",
        {"src": "[4, 128, 4] : [512, 4, 1]"},
    ),
    Case(
        "C5",
        "expected dst replica [4 : 32@lane] for warpx4, but got none",
        "32x128b.warpx4",
        "[32, 4] : [1@lane, 1@col]",
        S32,
        {"dst": T32},
    ),
    Case(
        "C6",
        "expected dst row 32 in lane 64 for 64x128b.warpx2::01_23, but got lane 32",
        "64x128b.warpx2::01_23",
        "[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]",
        S64,
        {"dst": T0123},
    ),
    Case(
        "C7",
        "expected dst column origin to be a multiple of 4, but got 6",
        "128x128b",
        T128 + ", offset [6@col]",
        S128,
        {"dst": T128 + ", offset [8@col]"},
    ),
    Case(
        "C8",
        "expected dst to stay within 512 columns, but got columns 508 to 515",
        "128x256b",
        T128X8 + ", offset [508@col]",
        S128X8,
        {"dst": T128X8 + ", offset [504@col]"},
    ),
    Case(
        "C9",
        "expected repeats to write distinct cells, but repeats (0) and (1) both write lane 0, "
        "column 4",
        "128x256b",
        "[2, 128, 8] : [4@col, 1@lane, 1@col]",
        "[2, (16, 8), (2, 4)] : [1024, (64, 4), (32, 1)]",
        {"dst": "[2, 128, 8] : [8@col, 1@lane, 1@col]"},
    ),
    Case(
        "C10",
        "expected src row 16, word 0 at byte 256, but got 288",
        "128x128b",
        T128,
        "[(8, 2, 8), 4] : [(72, 32, 4), 1]",
        {"src": "[(16, 8), 4] : [(32, 4), 1]"},
    ),
    Case(
        "C11",
        "expected src row-group stride to be a multiple of 16 bytes, but got 200",
        "128x128b",
        T128,
        "[(16, 8), 4] : [(50, 4), 1]",
        {"src": "[(16, 8), 4] : [(52, 4), 1]"},
    ),
    Case(
        "C12",
        "expected src origin to be 16-byte aligned, but got byte 8",
        "128x128b",
        T128,
        S128 + ", offset [2]",
        {"src": S128 + ", offset [4]"},
    ),
    Case(
        "C13",
        "expected src aligned to 1024 bytes for swizzle 128B, but got 128",
        "128x128b",
        T128,
        "[128, 4] : [32, 1], swizzle 128B",
        {"align": 1024},
        {"align": 128, "storage": 16384},
    ),
    Case(
        "C14",
        "expected src storage of at least 256 bytes for the eight-row block, but got 128",
        "4x256b",
        T4,
        "[4, 8] : [8, 1], swizzle 32B",
        {"storage": 256},
        {"align": 256},
    ),
]


def plan(shape: str, dst: str, src: str, **keywords: Any) -> Any:
    return plan_cp(f"cta_group::1.{shape}", dst, src, **keywords)


def refused(shape: str, dst: str, src: str, **keywords: Any) -> tuple[str | None, str]:
    with pytest.raises(LayoutError) as error:
        plan(shape, dst, src, **keywords)
    return error.value.rule, str(error.value)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{case.shape}" for case in CASES])
def test_sentence_and_near_miss(case: Case) -> None:
    broken = {"shape": case.shape, "dst": case.dst, "src": case.src, **(case.keywords or {})}
    assert refused(**broken) == (case.rule, case.sentence)
    plan(**{**broken, **case.legal})


def test_every_rule_of_the_plan_has_a_case() -> None:
    assert {case.rule for case in CASES} == {f"C{n}" for n in range(1, 15)}


def notes(shape: str, dst: str, src: str, **keywords: Any) -> tuple[str, ...]:
    with pytest.raises(LayoutError) as error:
        plan(shape, dst, src, **keywords)
    return error.value.notes


def test_notes_say_what_would_have_worked() -> None:
    swapped = "[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]"
    assert "this mapping is 64x128b.warpx2::02_13" in notes("64x128b.warpx2::01_23", swapped, S64)
    walk = notes("128x128b", T128, "[(16, 8), 4] : [(32, 8), 1]")
    assert "ldo = 16, sdo = 128, swizzle = none" in " ".join(walk)


# Rules quantify over repeats, terms and members of a group.
@pytest.mark.parametrize(
    ("rule", "shape", "dst", "src", "keywords"),
    [
        ("C7", "128x128b", T128 + ", offset [?4*2@col]", S128, {}),
        ("C7", "128x128b", "[2, 128, 4] : [6@col, 1@lane, 1@col]", "[2, 128, 4] : [512, 4, 1]", {}),
        ("C8", "128x128b", T128 + ", offset [?2*32@col]", S128, {"columns": 32}),
        ("C8", "4x256b", T4 + ", offset [32@lane]", "[4, 8] : [32, 1], swizzle 128B",
         {"align": 1024, "storage": 1024}),
        ("C12", "128x128b", T128, S128 + ", offset [?4*514]", {}),
        ("C14", "128x128b", T128, S128 + ", offset [?4*512]", {"storage": 8191}),
        ("C14", "128x128b", T128, S128 + ", offset [-4]", {}),
        ("C10", "128x128b", T128, "[128, 4] : [8, 1], offset [?2*32]", {"align": 256}),
        ("C11", "128x128b", T128, "[(16, 8), 4] : [(-32, 4), 1], offset [480]", {}),
    ],
)  # fmt: skip
def test_every_placement_counts(
    rule: str, shape: str, dst: str, src: str, keywords: dict[str, Any]
) -> None:
    assert refused(shape, dst, src, **keywords)[0] == rule


@pytest.mark.parametrize(
    ("src", "align", "block"),
    [
        ("[4, (2, 4)] : [4, (16, 1)]", 16, 8 * 16 + 64),
        ("[4, (2, 4)] : [4, (32, 1)]", 16, 8 * 16 + 128),
        ("[4, 8] : [8, 1], swizzle 32B", 256, 8 * 32),
        ("[4, 8] : [16, 1], swizzle 64B", 512, 8 * 64),
        ("[4, 8] : [32, 1], swizzle 128B", 1024, 8 * 128),
    ],
)
def test_size_of_the_eight_row_block(src: str, align: int, block: int) -> None:
    plan("4x256b", T4, src, align=align, storage=block)
    rule, sentence = refused("4x256b", T4, src, align=align, storage=block - 1)
    assert rule == "C14"
    assert f"at least {block} bytes" in sentence


def test_run_time_stage_of_a_swizzled_ring() -> None:
    src = "[128, 8] : [32, 1], offset [?4*4096], swizzle 128B"
    ring = plan("128x256b", T128X8, src, align=1024, storage=65536)
    starts = [ring.issues(src_terms=[stage], saddr=0x400) for stage in range(4)]
    assert starts == [[(0, 0x4000404000010040 + 1024 * stage)] for stage in range(4)]
    # A stage in the middle of a 16-byte chunk has no descriptor.
    uneven = src.replace("4096", "4098")
    rule, sentence = refused("128x256b", T128X8, uneven, align=1024, storage=65536)
    assert rule == "C12"
    assert "got byte 16392" in sentence


def test_origins_along_a_swizzled_row() -> None:
    dst = "[4, 128, 8] : [8@col, 1@lane, 1@col]"
    src = "[4, 128, 8] : [8, 32, 1], swizzle 128B"
    issues = plan("128x256b", dst, src, align=1024).issues(saddr=0x400)
    assert [taddr for taddr, _ in issues] == [0, 8, 16, 24]
    assert [word & 0xFFFF for _, word in issues] == [0x40, 0x42, 0x44, 0x46]


def test_scale_factors_in_two_repeat_axes() -> None:
    dst = "[2, 2, 32, 4] : [16@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane]"
    src = "[2, 2, 32, 4] : [256, 128, 4, 1]"
    issues = plan("32x128b.warpx4", dst, src).issues()
    assert [taddr for taddr, _ in issues] == [0, 4, 16, 20]
    assert [word & 0xFFFF for _, word in issues] == [0, 32, 64, 96]


def test_scatter_of_four_rows() -> None:
    dst = "[16, 4, 8] : [1@lane, 32@lane, 1@col]"
    src = "[16, 4, 8] : [32, 8, 1], swizzle 32B"
    issues = plan("4x256b", dst, src, align=256, storage=2048).issues()
    assert [taddr for taddr, _ in issues] == [lane << 16 for lane in range(16)]
    # The eight-row block is a size, wherever the origin lies.
    assert refused("4x256b", dst, src, align=256, storage=2047)[0] == "C14"


# The same set of copies, however it is spelled.
@pytest.mark.parametrize(
    "replica",
    [
        "replica [4 : 32@lane]",
        "replica [(2, 2) : (64@lane, 32@lane)]",
        "replica [2 : 32@lane, 2 : 64@lane]",
        "replica [4 : -32@lane], offset [96@lane]",
        "replica [1 : 5@col, 4 : 32@lane]",
        "replica [4 : 32@lane, 3 : 0@lane]",
    ],
)
def test_replicas_are_sets(replica: str) -> None:
    dst = "[32, 4] : [1@lane, 1@col], " + replica
    assert plan("32x128b.warpx4", dst, S32).issues() == [(0, 0x0000400800010000)]


@pytest.mark.parametrize(
    ("shape", "replica"),
    [
        ("32x128b.warpx4", ", replica [2 : 32@lane]"),
        ("32x128b.warpx4", ", replica [4 : 16@lane]"),
        ("32x128b.warpx4", ", replica [4 : 32@lane, 2 : 4@col]"),
        ("32x128b.warpx4", ", replica [5 : 32@lane]"),
        ("32x128b.warpx4", ", replica [1000000 : 32@lane]"),
    ],
)
def test_other_sets_are_not(shape: str, replica: str) -> None:
    assert refused(shape, "[32, 4] : [1@lane, 1@col]" + replica, S32)[0] == "C5"


def test_replica_that_counts_down_without_offset_leaves_the_lanes() -> None:
    dst = "[32, 4] : [1@lane, 1@col], replica [4 : -32@lane]"
    assert refused("32x128b.warpx4", dst, S32)[0] == "C8"


def test_trivial_replica_of_a_shape_without_multicast() -> None:
    plan("128x128b", T128 + ", replica [1 : 32@lane]", S128)
    plan("128x128b", T128 + ", replica [2 : 0@col]", S128)
    assert refused("128x128b", T128 + ", replica [2 : 4@col]", S128)[0] == "C5"


@pytest.mark.parametrize(
    ("dst", "src", "rule"),
    [
        ("[128, 4] : [0@lane, 1@col]", S128, "C6"),
        ("[128, 4] : [1@lane, 0@col]", S128, "C6"),
        (T128, "[128, 4] : [0, 1]", "C10"),
        (T128, "[128, 4] : [4, 0]", "C10"),
    ],
)
def test_stride_zero_in_the_atom(dst: str, src: str, rule: str) -> None:
    assert refused("128x128b", dst, src)[0] == rule


def test_one_source_for_all_repeats_is_legal() -> None:
    dst = "[2, 128, 4] : [4@col, 1@lane, 1@col]"
    issues = plan("128x128b", dst, "[2, 128, 4] : [0, 4, 1]").issues()
    assert issues == [(0, 0x0000400800010000), (4, 0x0000400800010000)]


def test_leading_unit_repeats_are_dropped() -> None:
    wanted = plan("128x128b", T128, S128).issues()
    once, twice = "[1, 128, 4] : [7, 4, 1]", "[1, 1, 128, 4] : [7, 9, 4, 1]"
    for src in (once, twice):
        assert plan("128x128b", T128, src).issues() == wanted
    assert plan("128x128b", "[1, 128, 4] : [4@col, 1@lane, 1@col]", S128).issues() == wanted


def test_inner_unit_repeats_are_compared() -> None:
    dst = "[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]"
    src = "[4, 128, 4] : [512, 4, 1]"
    assert refused("128x128b", dst, src)[0] == "C4"
    plan("128x128b", dst, "[4, 1, 128, 4] : [512, 0, 4, 1]")
    plan("128x128b", "[1, 4, 128, 4] : [0@col, 4@col, 1@lane, 1@col]", src)


GROUP_DST = "[{0}, 4, 8] : [{1}, 32@lane, 1@col]"
GROUP_SRC = "[{0}, 4, 8] : [{1}, 8, 1], swizzle 32B"
ROOM = {"align": 256, "storage": 65536}


@pytest.mark.parametrize(
    ("scope", "extents", "dst", "src", "rule"),
    [
        ("warp", "32", "1@lane", "32", None),
        ("warp", "1", "1@lane", "32", None),
        ("warp", "16", "1@lane", "32", "C4"),
        ("warp", "32", "0@lane", "32", "C9"),
        ("warp", "32", "2@lane", "32", "C8"),
        ("warpgroup", "4, 32", "8@col, 1@lane", "0, 32", None),
        ("warpgroup", "4, 1", "8@col, 1@lane", "32, 0", None),
        ("warpgroup", "2, 32", "8@col, 1@lane", "0, 32", "C4"),
        ("warpgroup", "4, 32", "0@col, 1@lane", "0, 32", "C9"),
        ("cta", "3, 1", "8@col, 0@lane", "32, 0", None),
        ("cta", "3, 1", "4@col, 0@lane", "32, 0", "C9"),
        ("cta", "3, 2", "8@col, 1@lane", "32, 0", "C4"),
        # Each rank of a cluster has a tensor memory of its own.
        ("cluster", "2, 3, 1", "0@col, 8@col, 0@lane", "0, 32, 0", None),
        ("cluster", "2, 3, 1", "0@col, 0@col, 0@lane", "0, 32, 0", "C9"),
        ("cluster", "2, 3, 1", "2@col, 8@col, 0@lane", "0, 32, 0", "C7"),
        ("cluster", "2, 3, 1", "0@col, 8@col, 0@lane", "2, 32, 0", "C12"),
    ],
)
def test_scopes(scope: str, extents: str, dst: str, src: str, rule: str | None) -> None:
    operands = GROUP_DST.format(extents, dst), GROUP_SRC.format(extents, src)
    if rule:
        assert refused("4x256b", *operands, scope=scope, **ROOM)[0] == rule
    else:
        plan("4x256b", *operands, scope=scope, **ROOM)


def test_issues_of_a_member_of_a_group() -> None:
    dst = GROUP_DST.format("4, 32", "8@col, 1@lane")
    src = GROUP_SRC.format("4, 32", "1024, 32")
    copy = plan("4x256b", dst, src, scope="warpgroup", **ROOM)
    assert copy.groups == (("warp in group", 4), ("lane", 32))
    assert copy.issues(group=(2, 5)) == [(5 << 16 | 16, 0xC000400000010000 + 512 + 40)]


@pytest.mark.parametrize("scope", ["warp", "warpgroup", "cta", "cluster"])
def test_missing_group_axes(scope: str) -> None:
    assert refused("128x128b", T128, S128, scope=scope)[0] == "C4"


def test_another_mode_than_the_layouts_own() -> None:
    # Rows 32 bytes apart without swizzle are what 32B reads of four rows.
    copy = plan("4x256b", T4, "[4, 8] : [8, 1]", align=256, storage=256)
    assert str(copy.walk) == "ldo = 16, sdo = 0, swizzle = 32B"
    assert refused("4x256b", T4, "[4, 8] : [8, 1]", align=128, storage=256)[0] == "C13"
    # In the second half of the 256-byte period the XOR moves the chunks.
    shifted = "[4, 8] : [8, 1], offset [32]"
    assert refused("4x256b", T4, shifted, align=256, storage=512)[0] == "C10"


@pytest.mark.parametrize("extra", ["", "b8x16.b4x16_p64", "b8x16.b6x16_p32"])
@pytest.mark.parametrize("group", [1, 2])
def test_group_and_formats_change_no_rule(extra: str, group: int) -> None:
    opcode = CpOpcode("128x128b", None, group, extra or None)
    assert plan_cp(opcode, T128, S128).issues() == [(0, 0x0000400800010000)]
