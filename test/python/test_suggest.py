# RUN: %pytest %s
"""What is suggested for an illegal copy makes it legal, for every illegal copy that there is."""

from __future__ import annotations

from dataclasses import replace

import mlir_tcgen05 as t5
import pytest
from illegal_copies import RULES, Illegal, illegal_copies
from mlir import ir
from mlir_tcgen05._copy import Copy
from mlir_tcgen05._suggest import Change, changes, edits, fewer
from mlir_tcgen05.layout import Layout, LayoutError, SmemWalk, atoms, plan_cp

ILLEGAL = illegal_copies()
DST, SRC = Layout.parse("[128, 4] : [1@lane, 1@col]"), Layout.parse("[128, 4] : [4, 1]")
LEGAL = Copy("cta_group::1.128x128b", DST, SRC)


def verified(copy: Copy) -> None:
    """Has the dialect verify the copy, written as text."""
    body = f"func.func @copy(%dst: {copy.dst_type}, %src: {copy.src_type}) {{ {copy.text} return }}"
    if copy.chip:
        body = f'gpu.module @kernels [#nvvm.target<chip = "{copy.chip}">] {{ {body} }}'
    with t5.Context():
        ir.Module.parse(body)


def test_every_rule_has_an_illegal_copy() -> None:
    rules = {i.found.copy.failure.rule for i in ILLEGAL if i.found.copy}
    assert rules == set(RULES)


@pytest.mark.parametrize("illegal", ILLEGAL, ids=str)
def test_a_change_makes_it_legal(illegal: Illegal) -> None:
    copy = illegal.found.copy
    if copy is None:
        assert illegal.found.broken is not None
        assert illegal.found.broken.rule is None
        return
    found = changes(copy)
    assert found, "expected a change"
    for change in found:
        assert change.edits
        assert change.edits == edits(copy, change.copy)
        verified(change.copy)
    assert [c.cost for c in found] == sorted(c.cost for c in found)
    # Nothing is told twice.
    assert len({change.copy for change in found}) == len(found)
    assert len({change.edits for change in found}) == len(found)


def smallest(copy: Copy) -> dict[str, str]:
    found = changes(copy)
    verified(found[0].copy)
    return {edit.what: edit.new for edit in found[0].edits}


def all_of(copy: Copy, most: int = 8) -> list[dict[str, str]]:
    return [{edit.what: edit.new for edit in c.edits} for c in changes(copy, most)]


def with_src(text: str, **more: object) -> Copy:
    return replace(LEGAL, src=Layout.parse(text), **more)


def with_dst(text: str, **more: object) -> Copy:
    return replace(LEGAL, dst=Layout.parse(text), **more)


# The remedies that the page of the rules and the specification's table name.


def test_multicast_that_is_missing() -> None:
    dst = Layout.parse("[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]")
    copy = Copy("cta_group::1.64x128b", dst, Layout.parse("[64, 4] : [4, 1]"))
    assert smallest(copy) == {"opcode": "cta_group::1.64x128b.warpx2::02_13"}
    other = Layout.parse("[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]")
    assert smallest(replace(copy, dst=other)) == {"opcode": "cta_group::1.64x128b.warpx2::01_23"}


@pytest.mark.parametrize("text", ["cta_group::1.128x127b", "128x128b", "cta_group::3.128x128b", ""])
def test_opcode_that_is_misspelt(text: str) -> None:
    assert smallest(replace(LEGAL, opcode=text)) == {"opcode": "cta_group::1.128x128b"}


def test_group_and_decompression_are_kept() -> None:
    opcode = "cta_group::2.64x128b.b8x16.b4x16_p64"
    dst = Layout.parse("[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]")
    copy = Copy(opcode, dst, Layout.parse("[64, 4] : [4, 1]"))
    right = "cta_group::2.64x128b.warpx2::02_13.b8x16.b4x16_p64"
    assert smallest(copy) == {"opcode": right}


def test_elements_as_words_of_the_same_bytes() -> None:
    # A row of 16 bytes is eight bf16 or four words; both rows lie 16 bytes apart.
    copy = with_src("[128, 8] : [8, 1]", src_element="bf16")
    assert smallest(copy) == {"src element": "i32", "src layout": "[128, 4] : [4, 1]"}


def test_a_tile_is_split_into_repeats() -> None:
    dst, src = "[128, 8] : [1@lane, 1@col]", "[128, (2, 4)] : [4, (512, 1)]"
    copy = Copy("cta_group::1.128x128b", Layout.parse(dst), Layout.parse(src))
    found = all_of(copy)
    assert found[0] == {"opcode": "cta_group::1.128x256b"}
    assert {
        "dst layout": "[2, 128, 4] : [4@col, 1@lane, 1@col]",
        "src layout": "[2, 128, 4] : [512, 4, 1]",
    } in found


def test_one_source_for_several_destinations() -> None:
    copy = with_dst("[4, 128, 4] : [4@col, 1@lane, 1@col]")
    assert {"src layout": "[4, 128, 4] : [0, 4, 1]"} in all_of(copy)


def test_replicas_of_the_multicast() -> None:
    dst, src = Layout.parse("[32, 4] : [1@lane, 1@col]"), Layout.parse("[32, 4] : [4, 1]")
    copy = Copy("cta_group::1.32x128b.warpx4", dst, src)
    assert smallest(copy) == {"dst replica": "[4 : 32@lane]"}


def test_lanes_of_the_opcode_or_the_opcode_of_the_lanes() -> None:
    dst = Layout.parse("[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]")
    copy = Copy("cta_group::1.64x128b.warpx2::01_23", dst, Layout.parse("[64, 4] : [4, 1]"))
    found = all_of(copy)
    right = "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]"
    assert {"dst layout": right} in found
    assert {
        "opcode": "cta_group::1.64x128b.warpx2::02_13",
        "dst replica": "[2 : 64@lane]",
    } in found


def test_columns_that_are_multiples_of_four() -> None:
    near = all_of(with_dst("[128, 4] : [1@lane, 1@col], offset [6@col]"))
    assert {tuple(change.items()) for change in near} == {
        (("dst offset", "[4@col]"),),
        (("dst offset", "[8@col]"),),
    }


def test_columns_that_are_needed() -> None:
    copy = replace(
        LEGAL,
        dst=Layout.parse("[2, 128, 4] : [32@col, 1@lane, 1@col]"),
        src=Layout.parse("[2, 128, 4] : [512, 4, 1]"),
        columns=32,
    )
    assert smallest(copy) == {"dst columns": "36"}


@pytest.mark.parametrize(
    ("pitch", "swizzle", "align"), [(8, 32, 256), (16, 64, 512), (32, 128, 1024)]
)
def test_the_swizzle_that_these_strides_are(pitch: int, swizzle: int, align: int) -> None:
    found = smallest(with_src(f"[128, 4] : [{pitch}, 1]"))
    assert found == {"src swizzle": f"{swizzle}B", "src align": str(align)}


def test_strides_of_groups_are_rounded_up() -> None:
    found = smallest(with_src("[(16, 8), 4] : [(50, 4), 1]"))
    assert found == {"src layout": "[(16, 8), 4] : [(52, 4), 1]"}


def test_alignment_of_the_swizzle() -> None:
    copy = with_src("[128, 4] : [32, 1], swizzle 128B", align=512)
    assert smallest(copy) == {"src align": "1024"}


def test_storage_of_the_block() -> None:
    dst, src = "[4, 8] : [32@lane, 1@col]", "[4, 8] : [8, 1], swizzle 32B"
    copy = Copy("cta_group::1.4x256b", Layout.parse(dst), Layout.parse(src), align=256)
    assert smallest(copy) == {"src storage": "256"}
    less = changes(copy)[0].copy
    assert replace(less, storage=255).failure is not None


def test_storage_that_the_stages_need() -> None:
    copy = with_src("[128, 4] : [4, 1], offset [?4*512]", storage=8000)
    assert smallest(copy) == {"src storage": "8192"}
    assert {"src offset": "[?3*512]"} in all_of(copy)


def test_chip_nearby() -> None:
    assert smallest(replace(LEGAL, chip="sm_100"))["chip"] in ("sm_100a", "sm_100f")
    assert smallest(replace(LEGAL, chip="sm_103"))["chip"] in ("sm_103a", "sm_103f")


def test_two_faults_are_both_mended() -> None:
    copy = replace(
        with_dst("[128, 4] : [1@lane, 1@col], offset [6@col]"),
        src=Layout.parse("[128, 4] : [32, 1], swizzle 128B"),
    )
    found = smallest(copy)
    assert found["src align"] == "1024"
    assert found["dst offset"] in ("[4@col]", "[8@col]")


def test_variants_are_what_plan_cp_accepts() -> None:
    """Every pair of atom and swizzle that is legal with these layouts is among the changes."""
    dst = Layout.parse("[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]")
    copy = Copy("cta_group::1.64x128b.warpx2::02_13", dst, Layout.parse("[64, 4] : [8, 1]"))
    accepted = set()
    for atom in atoms():
        for swizzle in (None, 32, 64, 128):
            src = Layout([64, 4], [8, 1], swizzle=swizzle)
            try:
                plan_cp(f"cta_group::1.{atom}", dst, src, align=1024, storage=65536)
            except LayoutError:
                continue
            accepted.add((str(atom), str(src.swizzle)))
    assert accepted == {("64x128b.warpx2::01_23", "32B")}
    assert smallest(copy) == {
        "opcode": "cta_group::1.64x128b.warpx2::01_23",
        "src swizzle": "32B",
        "src align": "256",
    }


def test_a_legal_copy_needs_no_change() -> None:
    assert changes(LEGAL) == []


# ---- Fewer instructions ----


def test_two_copies_that_are_one_wider() -> None:
    copy = replace(
        LEGAL,
        dst=Layout.parse("[2, 128, 4] : [4@col, 1@lane, 1@col]"),
        src=Layout.parse("[2, 128, 4] : [512, 4, 1]"),
    )
    change = fewer(copy)
    assert isinstance(change, Change)
    verified(change.copy)
    plan = change.copy.plan()
    # One walk with LDO where the second copy began: 128 rows of 16 bytes.
    assert (str(plan.opcode), len(plan.repeats)) == ("cta_group::1.128x256b", 1)
    assert plan.walk == SmemWalk(ldo=2048, sdo=128)
    places = {
        word: (lane_col, byte)
        for word, (lane_col, byte) in enumerate(
            zip(
                [change.copy.dst.place([7, w])[0] for w in range(8)],
                [change.copy.src.place([7, w])[0] for w in range(8)],
                strict=True,
            )
        )
    }
    for word in range(8):
        old = [word // 4, 7, word % 4]
        assert places[word] == (copy.dst.place(old)[0], copy.src.place(old)[0])


@pytest.mark.parametrize(
    ("dst", "src"),
    [
        ("[128, 4] : [1@lane, 1@col]", "[128, 4] : [4, 1]"),
        ("[2, 128, 4] : [8@col, 1@lane, 1@col]", "[2, 128, 4] : [512, 4, 1]"),
        ("[3, 128, 4] : [4@col, 1@lane, 1@col]", "[3, 128, 4] : [512, 4, 1]"),
        ("[2, 128, 4] : [4@col, 1@lane, 1@col]", "[2, 128, 4] : [-512, 4, 1], offset [512]"),
    ],
)
def test_copies_that_are_not(dst: str, src: str) -> None:
    copy = replace(LEGAL, dst=Layout.parse(dst), src=Layout.parse(src))
    assert copy.failure is None
    assert fewer(copy) is None
