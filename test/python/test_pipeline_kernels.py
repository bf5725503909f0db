# RUN: %pytest %s
"""Which addresses the kernels of test/Target copy, stage by stage.

The operand types of each copy say where it may read and write; the plan lists what is issued. The
expectations are arithmetic on the kernels' buffers: bytes of a stage, columns of a slot.
"""

from __future__ import annotations

from pathlib import Path

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir_tcgen05.dialects import tcgen05
from mlir_tcgen05.layout import CpOpcode, CpPlan, Layout, LayoutError, SmemDescriptor, plan_cp

TARGET = Path(__file__).parent.parent / "Target"
BASE = 0x400
K_MAJOR = 0x0000400800010000
"""No swizzle, rows of 16 bytes: LDO 16, SDO 128."""
ROWS_128B = 0x4000404000010000
"""128B swizzle, rows of 128 bytes: LDO 16, SDO 1024."""


def text_of(op: ir.Operation, name: str) -> str | None:
    """A string attribute, or None where there is none."""
    return ir.StringAttr(op.attributes[name]).value if name in op.attributes else None


def plan_of(op: ir.Operation) -> CpPlan:
    """The plan of a `tcgen05.cp`, from its types and attributes."""
    dst, src = (tcgen05.TmemType(op.operands[0].type), tcgen05.SmemType(op.operands[1].type))
    shape = text_of(op, "shape")
    assert shape is not None
    opcode = CpOpcode(
        shape,
        text_of(op, "multicast"),
        ir.IntegerAttr(op.attributes["cta_group"]).value,
        text_of(op, "decompress"),
    )
    return plan_cp(
        opcode,
        dst.layout,
        src.layout,
        columns=dst.columns,
        align=src.align,
        storage=src.storage,
    )


def copies(file: str, kernel: str) -> list[CpPlan]:
    """The plans of a kernel's copies, in the order of the text."""
    found: list[CpPlan] = []
    with t5.Context():
        module = ir.Module.parse((TARGET / file).read_text())

        def visit(op: ir.Operation) -> ir.WalkResult:
            if op.name == "gpu.func" and text_of(op, "sym_name") != kernel:
                return ir.WalkResult.SKIP
            if op.name == "tcgen05.cp":
                found.append(plan_of(op))
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def at(constant: int, byte: int) -> int:
    """A descriptor whose start is `byte`."""
    return constant | byte >> 4


@pytest.mark.parametrize("stage", range(6))
def test_main_loop(stage: int) -> None:
    scales_a, scales_b = copies("mxfp8_main_loop.mlir", "main_loop")
    ring = BASE + stage * 4 * 512
    # 128 rows and 128 of K each: columns 0, 4, 16, 20 of the stage's slot, not 0, 8, 16, 24.
    assert scales_a.issues([stage], [stage], saddr=BASE) == [
        (32 * stage + column, at(K_MAJOR, ring + 512 * i))
        for i, column in enumerate((0, 4, 16, 20))
    ]
    ring = BASE + stage * 2 * 512
    assert scales_b.issues([stage], [stage], saddr=BASE) == [
        (32 * stage + column, at(K_MAJOR, ring + 512 * i)) for i, column in enumerate((8, 24))
    ]


def test_a_seventh_stage_does_not_exist() -> None:
    scales_a, _ = copies("mxfp8_main_loop.mlir", "main_loop")
    with pytest.raises(LayoutError, match="expected src term 0 to be in 0 to 5, but got 6"):
        scales_a.issues([0], [6])


@pytest.mark.parametrize("kernel", ["carried", "chosen"])
@pytest.mark.parametrize("stage", range(6))
def test_regions_as_values(kernel: str, stage: int) -> None:
    (plan,) = copies("ring_loop.mlir", kernel)
    assert plan.issues([], [stage], saddr=BASE) == [
        (column, at(K_MAJOR, BASE + 2048 * stage + 512 * i))
        for i, column in enumerate((0, 4, 16, 20))
    ]


def test_steps_along_a_swizzled_row() -> None:
    (plan,) = copies("bf16_tile.mlir", "steps")
    issues = plan.issues(saddr=BASE)
    assert issues == [(8 * k, at(ROWS_128B, BASE + 32 * k)) for k in range(4)]
    assert [descriptor & 0x3FFF for _, descriptor in issues] == [0x40, 0x42, 0x44, 0x46]
    assert {SmemDescriptor.decode(descriptor).sdo for _, descriptor in issues} == {1024}


@pytest.mark.parametrize("half", range(2))
@pytest.mark.parametrize("step", range(4))
def test_part_of_a_tile(half: int, step: int) -> None:
    (plan,) = copies("bf16_tile.mlir", "part")
    # Larger multipliers come first: the half moves by 16 KiB, the step by 32 bytes.
    assert plan.issues([step], [half, step], saddr=BASE) == [
        (8 * step, at(ROWS_128B, BASE + 128 * 128 * half + 32 * step))
    ]


ATOM = "[128, 8] : [1@lane, 1@col]"
RING = Layout.parse("[4, 128, 8] : [4096, 32, 1], swizzle 128B")


@pytest.mark.parametrize("stage", range(4))
def test_run_time_stage_of_a_swizzled_ring(stage: int) -> None:
    part = RING.slice([(1,), 0, 0], [1, 128, 8])
    plan = plan_cp("cta_group::1.128x256b", ATOM, part, align=1024, storage=65536)
    assert plan.issues([], [stage], saddr=BASE) == [(0, at(ROWS_128B, BASE + 16384 * stage))]


@pytest.mark.parametrize("words", [4097, 4098, 4099])
def test_stage_stride_of_no_whole_units(words: int) -> None:
    ring = Layout.parse(f"[4, 128, 8] : [{words}, 32, 1], swizzle 128B")
    part = ring.slice([(1,), 0, 0], [1, 128, 8])
    with pytest.raises(LayoutError) as caught:
        plan_cp("cta_group::1.128x256b", ATOM, part, align=1024, storage=70000)
    assert caught.value.rule == "C12"
    assert str(caught.value).startswith(
        f"expected src origin to be 16-byte aligned, but got byte {4 * words} for stage 1"
    )


def test_scatter_of_four_rows() -> None:
    dst, src = (
        "[16, 4, 8] : [1@lane, 32@lane, 1@col]",
        "[16, 4, 8] : [32, 8, 1], swizzle 32B",
    )
    plan = plan_cp("cta_group::1.4x256b", dst, src, align=256, storage=2048)
    assert plan.issues(saddr=BASE) == [
        (i << 16, at(0xC000400000010000, BASE + 128 * i)) for i in range(16)
    ]
    with pytest.raises(LayoutError) as caught:
        plan_cp("cta_group::1.4x256b", "[4, 8] : [32@lane, 1@col]", "[4, 8] : [8, 1], swizzle 32B",
                align=256, storage=128)  # fmt: skip
    assert caught.value.rule == "C14"
    assert str(caught.value) == (
        "expected src storage of at least 256 bytes for the eight-row block, but got 128"
    )


@pytest.mark.parametrize("column", [0, 4, 252, 508])
def test_sub_allocated_columns(column: int) -> None:
    # The base of a view is any multiple of 4; what the type says counts from there.
    plan = plan_cp(
        "cta_group::1.128x128b", "[128, 4] : [1@lane, 1@col]", "[128, 4] : [4, 1]", columns=4
    )
    assert plan.issues(taddr=column) == [(column, K_MAJOR)]


def test_replicas_are_sets() -> None:
    rows = "[32, 4] : [1@lane, 1@col], replica "
    spellings = [
        rows + "[4 : 32@lane]",
        rows + "[(2, 2) : (64@lane, 32@lane)]",
        rows + "[(2, 2) : (32@lane, 64@lane)]",
        rows + "[2 : 32@lane, 2 : 64@lane]",
        rows + "[4 : -32@lane], offset [96@lane]",
        rows + "[(2, 2) : (-64@lane, 32@lane)], offset [64@lane]",
    ]
    issues = [
        plan_cp("cta_group::1.32x128b.warpx4", dst, "[32, 4] : [4, 1]").issues()
        for dst in spellings
    ]
    assert issues == [[(0, K_MAJOR)]] * len(spellings)
    first = Layout.parse(spellings[0])
    assert all(first.equivalent(Layout.parse(other)) for other in spellings)
    for wrong in ("[(2, 2) : (64@lane, 64@lane)]", "[4 : 32@lane, 2 : 4@col]", "[3 : 32@lane]"):
        with pytest.raises(LayoutError) as caught:
            plan_cp("cta_group::1.32x128b.warpx4", rows + wrong, "[32, 4] : [4, 1]")
        assert caught.value.rule == "C5"
