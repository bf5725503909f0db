# RUN: %pytest %s
"""What copies cost, and what they hand to the hardware, read from machine code.

The bounds are those that the assembler allows: two instructions a copy and eleven around them,
and two more where the TMEM address is really loaded (`kernels.internal` says when it is not).
TCGEN05_PTXAS names a ptxas of another version to count with as well.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import kernels
import mlir_tcgen05 as t5
import pytest
from kernels import ATOMS, FORMATS, MODES, Copy, atom, copies, copy_kernel, internal
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05 import _compile, _toolchain
from mlir_tcgen05.layout import plan_cp
from sass import SHARED_WINDOW, Counts, Machine, Program

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
EXAMPLE = ROOT / "examples" / "copy_128x128b.mlir"
HAND = Path(__file__).parent.parent / "data" / "hand_copy_128x128b.ptx"
OTHER_PTXAS = os.environ.get("TCGEN05_PTXAS")

# The least PTX version of each chip.
VERSIONS = {
    "sm_100a": "8.6",
    "sm_100f": "8.8",
    "sm_103a": "8.8",
    "sm_103f": "8.8",
    "sm_110a": "9.0",
    "sm_110f": "9.0",
}


def has_tools() -> bool:
    try:
        return all(_toolchain.find(tool).is_file() for tool in ("ptxas", "nvdisasm"))
    except t5.ToolNotFoundError:
        return False


pytestmark = pytest.mark.skipif(not has_tools(), reason="ptxas or nvdisasm is not installed")


def compile_text(text: str, to: str = "ptx", chip: str = "sm_100a", lowering: str = "") -> str:
    """Compiles a kernel; `lowering` are options of -convert-tcgen05-to-nvvm."""
    with t5.Context():
        module = ir.Module.parse(text)
        if lowering:
            passes = f"builtin.module(convert-tcgen05-to-nvvm{{{lowering}}})"
            PassManager.parse(passes).run(module.operation)
        return t5.compile(module, chip=chip, to=to, check=False)


def blocks(text: str, lowering: str) -> tuple[int, int]:
    """How many loops -convert-tcgen05-to-nvvm makes, and how many copies they hold."""
    with t5.Context():
        module = ir.Module.parse(text)
        passes = f"builtin.module(convert-tcgen05-to-nvvm{{{lowering}}})"
        PassManager.parse(passes).run(module.operation)
        return str(module).count("scf.for"), str(module).count("nvvm.inline_ptx")


def assemble(ptx: str, chip: str = "sm_100a") -> Program:
    return Program.parse(_compile.disassemble(_compile.assemble(ptx, chip)))


def program(text: str, lowering: str = "") -> Program:
    return assemble(compile_text(text, lowering=lowering))


# The table.


class Row(NamedTuple):
    """A kernel with the most instructions that it may take."""

    name: str
    bound: int
    text: Callable[[], str]
    copies: int
    loop: bool = False
    """Whether the bound is for the loop alone."""


BLOCK = "attributes {known_block_size = array<i32: 128, 1, 1>}"
PLAIN, SMALL = atom("128x128b"), atom("32x128b.warpx4")


def row(
    name: str, bound: int, copy: Copy, guard: str = "elect", pred: bool = False, block: str = ""
) -> Row:
    count = copy.shape[0] if len(copy.shape) > 2 else 1
    return Row(name, bound, lambda: internal(copy_kernel(copy, guard, pred, block)), count)


# LDS and R2UR, where an address of tensor memory comes from shared memory.
LOAD = 2


def loaded(name: str, bound: int, copy: Copy, guard: str = "elect", pred: bool = False) -> Row:
    return Row(
        f"{name}, address loaded", bound + LOAD, lambda: copy_kernel(copy, guard, pred),
        copy.shape[0] if len(copy.shape) > 2 else 1,
    )  # fmt: skip


ROWS = [
    *(row(f"{n} copies", 2 * n + 11, copies(PLAIN, 128, n)) for n in (1, 2, 16, 32, 48, 64)),
    *(row(f"128 copies, swizzle {m}", 268, copies(SMALL, m, 128)) for m in (0, 128)),
    *(row(f"{n} copies, pred", 2 * n + 15, copies(PLAIN, 128, n), pred=True) for n in (16, 64)),
    row("16 copies, tid == 0", 45, copies(PLAIN, 128, 16), "tid", block=BLOCK),
    row("16 copies, laneid == 0", 44, copies(PLAIN, 128, 16), "lane"),
    row("16 copies, warp 0, elect", 46, copies(PLAIN, 128, 16), "warp"),
    row("16 copies, warp 0, elect, known block", 46, copies(PLAIN, 128, 16), "warp", block=BLOCK),
    *(loaded(f"{n} copies", 2 * n + 11, copies(PLAIN, 128, n)) for n in (1, 2, 16, 32, 48, 64)),
    loaded("16 copies, pred", 2 * 16 + 15, copies(PLAIN, 128, 16), pred=True),
    loaded("16 copies, warp 0, elect", 46, copies(PLAIN, 128, 16), "warp"),
    Row(
        "4 sources to 4 places", 16 + 4 + 11, lambda: internal(kernels.shared_sources_kernel()), 16
    ),
    Row("ring of stages, in the loop", 2 * 16 + 6, kernels.ring_kernel, 16, loop=True),
    *(
        row(
            f"16 copies, {a.name}{f}, group {g}",
            2 * 16 + 11,
            copies(a, 128, 16, group=g, decompress=f),
        )
        for a in ATOMS
        for f in FORMATS
        for g in (1, 2)
    ),
    *(
        row(f"16 copies, {a.name}, swizzle {m}", 2 * 16 + 11, copies(a, m, 16))
        for a in ATOMS
        for m in (0, 32, 64)
    ),
]


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Callable[[str, int, Counts], None]]:
    """Takes rows, and prints them when the module's tests are over."""
    lines = [f"{'kernel':52}{'most':>6}{'SASS':>6}{'R2UR':>6}{'loops':>6}{'spills':>7}{'UR':>4}"]

    def add(name: str, bound: int, got: Counts) -> None:
        lines.append(
            f"{name:52}{bound:6}{got.total:6}{got.r2ur:6}{got.loops:6}{got.spills:7}{got.uniform:4}"
        )

    yield add
    reporter = request.config.pluginmanager.getplugin("terminalreporter")
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        for line in ["", *lines]:
            reporter.write_line(line)


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_count(case: Row, table: Callable[[str, int, Counts], None]) -> None:
    code = program(case.text())
    got = Counts.of(code.loop() if case.loop else code.code)
    table(case.name, case.bound, got)
    assert got.copies == case.copies
    assert got.total <= case.bound
    whole = Counts.of(code.code)
    assert (whole.loops, whole.spills) == (0, 0)


@pytest.mark.parametrize("case", ROWS if OTHER_PTXAS else [], ids=lambda case: case.name)
def test_count_with_other_ptxas(
    case: Row,
    table: Callable[[str, int, Counts], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ptx, find = compile_text(case.text()), _toolchain.find
    monkeypatch.setattr(
        _toolchain, "find", lambda tool: Path(OTHER_PTXAS or "") if tool == "ptxas" else find(tool)
    )
    code = assemble(ptx)
    got = Counts.of(code.loop() if case.loop else code.code)
    table(f"{case.name} (other ptxas)", case.bound + 2, got)
    assert got.copies == case.copies
    assert got.total <= case.bound + 2
    whole = Counts.of(code.code)
    assert (whole.loops, whole.spills) == (0, 0)


def test_example_against_hand_written_ptx(table: Callable[[str, int, Counts], None]) -> None:
    hand, ours = assemble(HAND.read_text()), program(EXAMPLE.read_text())
    bound, got = Counts.of(hand.code), Counts.of(ours.code)
    table("the example against PTX by hand", bound.total, got)
    assert bound.copies == got.copies == 1
    assert got.total <= bound.total
    assert (got.loops, got.spills) == (0, 0)


def test_election_loops_are_seen() -> None:
    """Nobody is elected, so that ptxas loops over the active threads: the count must say so."""
    ptx = compile_text(copy_kernel(copies(PLAIN, 128, 16)))
    ptx = re.sub(r"elect\.sync\s+(%r\d+)\|(%p\d+), -1;", r"mov.u32 \1, %tid.x;", ptx)
    ptx = re.sub(r"not\.pred\s+(%p\d+), %p\d+;", r"setp.ne.b32 \1, %r1, 0;", ptx)
    assert Counts.of(assemble(ptx).code).loops == 16


# What the hardware is given.


def expected(copy: Copy, tmem: int) -> list[tuple[int, int]]:
    return copy.plan().issues(taddr=tmem, saddr=SHARED_WINDOW)


def issued(code: Program, tmem: int, rank: int = 0) -> list[tuple[int, int]]:
    return [(i.taddr, i.descriptor) for i in Machine(tmem, rank).run(code)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", ATOMS, ids=lambda a: a.name)
def test_operands_are_those_of_the_plan(shape: kernels.Atom, mode: int) -> None:
    copy = copies(shape, mode, 16)
    code = program(copy_kernel(copy))
    for tmem in (0, 64, 256):
        # The address of a block's own shared memory holds its rank; the descriptor does not.
        for rank in (0, 1, 15):
            assert issued(code, tmem, rank) == expected(copy, tmem)


@pytest.mark.parametrize(
    "copy",
    [
        # Leading offsets: 2048, 4096 and 262128 bytes, the last with bits where a rank has them.
        Copy(
            "cta_group::1.128x256b",
            (128, 8),
            "[128, 8] : [1@lane, 1@col]",
            f"[(16, 8), (2, 4)] : [(32, 4), ({ldo // 4}, 1)]",
            1 << 17,
        )
        for ldo in (240, 256, 1024, 65536)
    ],
    ids=lambda copy: copy.src,
)
def test_leading_offsets(copy: Copy) -> None:
    code = program(copy_kernel(copy))
    for rank in (0, 1, 15):
        assert issued(code, 0, rank) == expected(copy, 0)


def test_shared_sources() -> None:
    copy = copies(PLAIN, 128, 4)
    want = [issue for i in range(4) for issue in expected(copy, 16 * i)]
    assert issued(program(kernels.shared_sources_kernel()), 0) == want


@pytest.mark.parametrize("counter", ["i32", "index"])
def test_stages_of_a_ring(counter: str) -> None:
    stage = copies(PLAIN, 128, 16)
    code = program(kernels.ring_kernel(counter))
    for times in (0, 1, 6):
        want = [
            issue
            for i in range(times)
            for issue in stage.plan().issues(
                taddr=8, saddr=SHARED_WINDOW + i % kernels.RING_STAGES * stage.storage
            )
        ]
        machine = Machine(8, 1, {0: times})
        assert [(i.taddr, i.descriptor) for i in machine.run(code)] == want


@pytest.mark.parametrize("given", [0, 1])
def test_pred_decides(given: int) -> None:
    copy = copies(PLAIN, 128, 16)
    machine = Machine(8, 0, {0: given})
    got = machine.run(program(copy_kernel(copy, pred=True)))
    assert [(i.taddr, i.descriptor) for i in got] == expected(copy, 8) * given


@pytest.mark.parametrize("decompress", FORMATS)
@pytest.mark.parametrize("shape", ATOMS, ids=lambda a: a.name)
def test_opcodes_and_emit_modes(shape: kernels.Atom, decompress: str) -> None:
    """Both ways of emitting give the same copies, and their opcode is the one that PTX names."""
    copy = copies(shape, 128, 16, decompress=decompress)
    text = copy_kernel(copy)
    first, second = (
        Machine(32).run(program(text, f"emit={emit}")) for emit in ("inline-ptx", "nvvm-op")
    )
    assert first == second
    assert [(i.taddr, i.descriptor) for i in first] == expected(copy, 32)
    hand = f""".version 8.6
.target sm_100a
.visible .entry kernel(.param .u32 t, .param .u64 d) {{
  .reg .b32 %t; .reg .b64 %d;
  ld.param.u32 %t, [t]; ld.param.u64 %d, [d];
  tcgen05.cp.{copy.opcode} [%t], %d;
  ret;
}}"""
    names = {i.opcode for i in assemble(hand).code if i.opcode.startswith("UTCCP")}
    assert {n.removeprefix("UTCCP.T.S").removeprefix(".") for n in names} == {
        i.opcode for i in first
    }


# Many copies.


@pytest.mark.parametrize(("limit", "unrolled"), [(0, 512), (512, 512), (511, 64), (128, 64)])
def test_limit_of_unrolling(limit: int, unrolled: int) -> None:
    copy = kernels.overlapping_sources(8)
    text, options = copy_kernel(copy), f"unroll-limit={limit}"
    assert blocks(text, options) == (int(unrolled < 512), unrolled)
    code = program(text, options)
    counts = Counts.of(code.code)
    assert (counts.copies, counts.loops, counts.spills) == (unrolled, 0, 0)
    assert counts.total <= 2 * unrolled + 11 + LOAD + 8 * (unrolled < 512)
    assert issued(code, 0) == expected(copy, 0)


def test_default_limit() -> None:
    # As many as 512 columns hold stay unrolled, more do not.
    assert blocks(copy_kernel(copies(SMALL, 128, 128)), "") == (0, 128)
    copy = kernels.overlapping_sources(8)
    code = program(copy_kernel(copy))
    assert Counts.of(code.code).copies == 64
    assert issued(code, 0) == expected(copy, 0)


def test_pred_in_a_loop_of_blocks() -> None:
    copy = kernels.overlapping_sources(4)
    code = program(copy_kernel(copy, pred=True), "unroll-limit=64")
    assert Counts.of(code.code).copies == 64
    for given in (0, 1):
        got = Machine(0, 0, {0: given}).run(code)
        assert [(i.taddr, i.descriptor) for i in got] == expected(copy, 0) * given


@pytest.mark.parametrize(("sources", "loops"), [(4, 0), (32, 0), (64, 1)])
def test_sources_used_again_do_not_spill(sources: int, loops: int) -> None:
    copy = kernels.repeated_sources(sources, 2)
    text = copy_kernel(copy)
    assert blocks(text, "") == (loops, sources * 2 >> loops)
    code = program(text)
    counts = Counts.of(code.code)
    assert (counts.spills, counts.loops) == (0, 0)
    assert issued(code, 0) == expected(copy, 0)


@pytest.mark.parametrize(
    ("limit", "want"),
    [
        (26, (0, 26)),
        (25, (1, 13)),  # two rows of 13
        (12, (0, 26)),  # 13 is prime: only single copies would be alike
    ],
)
def test_repeats_that_do_not_advance_evenly_unroll(limit: int, want: tuple[int, int]) -> None:
    copy = Copy(
        "cta_group::1.32x128b.warpx4",
        (2, 13, 32, 4),
        "[2, 13, 32, 4] : [64@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane]",
        "[2, 13, 32, 4] : [2048, 128, 4, 1]",
        1 << 14,
    )
    text, options = copy_kernel(copy), f"unroll-limit={limit}"
    assert blocks(text, options) == want
    assert issued(program(text, options), 0) == expected(copy, 0)


@pytest.mark.parametrize("emit", ["inline-ptx", "nvvm-op"])
def test_emit_modes_agree_in_loops(emit: str) -> None:
    copy = kernels.overlapping_sources(4)
    assert issued(program(copy_kernel(copy), f"emit={emit} unroll-limit=64"), 0) == expected(
        copy, 0
    )


def test_negative_limit_is_refused() -> None:
    with pytest.raises(ir.MLIRError) as caught:
        compile_text(copy_kernel(copies(PLAIN, 128, 16)), lowering="unroll-limit=-1")
    assert "expected unroll-limit to be at least 0, but got -1" in str(caught.value)


# Chips.


@pytest.mark.parametrize("chip", VERSIONS)
def test_example_assembles(chip: str) -> None:
    ptx = compile_text(EXAMPLE.read_text(), chip=chip)
    assert re.search(r"^\.version (.*)$", ptx, re.MULTILINE)[1] == VERSIONS[chip]
    assert re.search(r"^\.target (\w+)", ptx, re.MULTILINE)[1] == chip
    code = assemble(ptx, chip)
    (copy,) = [i for i in code.code if i.opcode.startswith("UTCCP")]
    assert copy.opcode == "UTCCP.T.S.128dp128bit"


@pytest.mark.parametrize("chip", VERSIONS)
def test_operands_on_all_chips(chip: str) -> None:
    copy = copies(PLAIN, 128, 16)
    code = assemble(compile_text(copy_kernel(copy), chip=chip), chip)
    for rank in (0, 1, 15):
        assert issued(code, 8, rank) == expected(copy, 8)


@pytest.mark.parametrize(("chip", "version"), [("sm_101a", "8.6"), ("sm_101f", "8.8")])
def test_example_as_far_as_ptx(chip: str, version: str) -> None:
    ptx = compile_text(EXAMPLE.read_text(), chip=chip)
    assert re.search(r"^\.version (.*)$", ptx, re.MULTILINE)[1] == version
    assert re.search(r"^\.target (\w+)", ptx, re.MULTILINE)[1] == chip
    assert ptx.count("tcgen05.cp.cta_group::1.128x128b ") == 1
    with pytest.raises(t5.CompileError, match="ptxas"):
        compile_text(EXAMPLE.read_text(), to="sass", chip=chip)


def test_plans_of_the_table_are_legal() -> None:
    """The bounds mean something only if every copy is one that the rules allow."""
    for shape in ATOMS:
        for mode in MODES:
            copy = copies(shape, mode, 16)
            plan = plan_cp(copy.opcode, copy.dst, copy.src, align=1024, storage=copy.storage)
            assert len(plan.repeats) == 16
            assert 16 << plan.walk.swizzle.mode == (mode or 16)
