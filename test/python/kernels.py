"""Kernels whose machine code is counted: texts of modules, made from a copy and a guard.

Every kernel reads the TMEM address from shared memory, as one behind an allocation does, and its
data is a symbol of shared memory: nothing but the copies is left to count. Both symbols are
defined with contents unknown to the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mlir_tcgen05.layout import CpPlan, plan_cp


class Atom(NamedTuple):
    """One shape of the instruction, as the specification's table has it."""

    name: str
    rows: int
    words: int
    lanes: str
    """Extents and strides of the rows in tensor memory."""
    replica: str = ""


ATOMS = (
    Atom("128x256b", 128, 8, "128 : 1@lane"),
    Atom("128x128b", 128, 4, "128 : 1@lane"),
    Atom("4x256b", 4, 8, "4 : 32@lane"),
    Atom("64x128b.warpx2::02_13", 64, 4, "64 : 1@lane", "2 : 64@lane"),
    Atom("64x128b.warpx2::01_23", 64, 4, "(2, 32) : (64@lane, 1@lane)", "2 : 32@lane"),
    Atom("32x128b.warpx4", 32, 4, "32 : 1@lane", "4 : 32@lane"),
)
MODES = (0, 32, 64, 128)
FORMATS = ("", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32")


@dataclass(frozen=True)
class Copy:
    """One `tcgen05.cp`, as the texts of its types."""

    opcode: str
    shape: tuple[int, ...]
    dst: str
    src: str
    storage: int
    """Bytes of shared memory that the source may use."""
    align: int = 1024

    @property
    def dims(self) -> str:
        """The shape as types spell it, `16x128x4xi32`."""
        return "x".join(map(str, self.shape)) + "xi32"

    def plan(self) -> CpPlan:
        """What the rules make of it."""
        return plan_cp(self.opcode, self.dst, self.src, align=self.align, storage=self.storage)


def atom(name: str) -> Atom:
    """The row of `ATOMS` of that name."""
    return next(row for row in ATOMS if row.name == name)


def copies(row: Atom, mode: int, count: int, group: int = 1, decompress: str = "") -> Copy:
    """A copy of `count` instructions, one behind the other in both memories.

    Args:
        row: which instruction.
        mode: bytes of the swizzle, 0 for none. Tiles share swizzle rows as long as they fit.
        count: instructions; a multiple of the tiles in a swizzle row, or fewer than those.
        group: cta_group.
        decompress: qualifiers for packed sources, with the leading dot.
    """
    pitch = mode // 4 or row.words
    beside = min(count, pitch // row.words)
    tile = max(row.rows, 8) * pitch
    assert count % beside == 0
    if mode or row.words == 4:
        rows, words = (str(row.rows), str(pitch)), (str(row.words), "1")
    else:
        # Without swizzle a block is eight rows of four words: two of them side by side.
        rows = ("(16, 8)", "(64, 4)") if row.rows == 128 else (str(row.rows), "4")
        words = ("(2, 4)", "(32, 1)")
    repeat = [(count // beside, tile), (beside, row.words)]
    dst = [_mode([(count, f"{row.words}@col")]), row.lanes.split(" : "), (str(row.words), "1@col")]
    shape = (count, row.rows, row.words)
    return Copy(
        f"cta_group::{group}.{row.name}{decompress}",
        shape[count == 1 :],
        _layout(dst) + (f", replica [{row.replica}]" if row.replica else ""),
        _layout([_mode(repeat), rows, words]) + (f", swizzle {mode}B" if mode else ""),
        max(count // beside * tile * 4, 1024),
    )


def _mode(modes: Sequence[tuple[int, object]]) -> tuple[str, str] | None:
    """Extents and strides of one dimension, without the modes of extent one."""
    modes = [mode for mode in modes if mode[0] > 1]
    if not modes:
        return None
    texts = [", ".join(str(mode[i]) for mode in modes) for i in (0, 1)]
    return (texts[0], texts[1]) if len(modes) == 1 else (f"({texts[0]})", f"({texts[1]})")


def _layout(dims: Sequence[Sequence[str] | None]) -> str:
    there = [dim for dim in dims if dim]
    extents, strides = (", ".join(dim[i] for dim in there) for i in (0, 1))
    return f"[{extents}] : [{strides}]"


GUARDS = {
    "lane": """
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %zero = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %lane, %zero : i32
    scf.if %is_first {{
      {body}
    }}""",
    "elect": """
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {{
      {body}
    }}""",
    "tid": """
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %tid, %zero : i32
    scf.if %first {{
      {body}
    }}""",
    "warp": """
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %size = arith.constant 32 : i32
    %first = arith.cmpi ult, %tid, %size : i32
    scf.if %first {{
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {{
        {body}
      }}
    }}""",
}


def kernel(
    body: str,
    types: str,
    data_bytes: int,
    guard: str = "elect",
    parameters: str = "",
    attributes: str = "",
) -> str:
    """A module of one kernel that runs `body` behind a guard.

    The body finds `%address` (i32, from shared memory) and `%data` (the shared symbol).
    """
    words = data_bytes // 4
    return f"""
{types}
gpu.module @kernels {{
  llvm.mlir.global external @data() {{addr_space = 3 : i32, alignment = 1024 : i64}}
      : !llvm.array<{words} x i32> {{
    %0 = llvm.mlir.undef : !llvm.array<{words} x i32>
    llvm.return %0 : !llvm.array<{words} x i32>
  }}
  llvm.mlir.global external @slot() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32 {{
    %0 = llvm.mlir.undef : i32
    llvm.return %0 : i32
  }}
  gpu.func @kernel({parameters}) kernel {attributes} {{
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %data = llvm.mlir.addressof @data : !llvm.ptr<3>
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    {GUARDS[guard].format(body=body)}
    gpu.return
  }}
}}
"""


def internal(text: str) -> str:
    """The same kernel with symbols of its own, as modules usually have them.

    Nobody stores to them, so the compiler knows that any TMEM address will do: what is left to
    count are the copies, the election and the base descriptor. In the kernel as it stands the
    address is really loaded, which takes two instructions more (LDS and R2UR).
    """
    external = r"external (@\w+\(\) \{.*?\})\s*: (!llvm\.array<\d+ x i32>|i32) \{.*?\n  \}"
    changed, count = re.subn(external, r"internal \1 : \2", text, flags=re.DOTALL)
    assert count == 2
    return changed


def types_of(copy: Copy) -> str:
    """Aliases `!t` and `!s` of the operands of a copy."""
    return (
        f"#t = #tcgen05.layout<{copy.dst}>\n#s = #tcgen05.layout<{copy.src}>\n"
        f"!t = !tcgen05.tmem<{copy.dims}, #t>\n"
        f"!s = !tcgen05.smem<{copy.dims}, #s, align {copy.align}, storage {copy.storage}>"
    )


VIEWS = """%t = tcgen05.tmem_view %address : !t
      %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !s"""


def copy_kernel(copy: Copy, guard: str = "elect", pred: bool = False, attributes: str = "") -> str:
    """A copy behind a guard, predicated by a parameter of the kernel if `pred`."""
    return kernel(
        f'{VIEWS}\n      tcgen05.cp "{copy.opcode}" %t, %s{", pred %p" if pred else ""} : !t, !s',
        types_of(copy),
        copy.storage,
        guard,
        "%p: i1" if pred else "",
        attributes,
    )


def shared_sources_kernel() -> str:
    """Sixteen copies: each of four sources to four destinations, by four ops on one view."""
    copy = copies(atom("128x128b"), 128, 4)
    body = [VIEWS]
    for i in range(4):
        body.append(f"%o{i} = arith.constant {16 * i} : i32")
        body.append(f"%a{i} = arith.addi %address, %o{i} : i32")
        body.append(f"%t{i} = tcgen05.tmem_view %a{i} : !t")
        body.append(f'tcgen05.cp "{copy.opcode}" %t{i}, %s : !t, !s')
    return kernel("\n      ".join(body), types_of(copy), copy.storage)


def repeated_sources(sources: int, times: int) -> Copy:
    """One op that copies each of `sources` tiles to `times` places, all tiles before the next."""
    return Copy(
        "cta_group::1.4x256b",
        (times, sources, 4, 8),
        f"[{times}, {sources}, 4, 8] : [1@lane, 8@col, 32@lane, 1@col]",
        f"[{times}, {sources}, 4, 8] : [0, 64, 8, 1], swizzle 32B",
        sources * 256,
    )


def overlapping_sources(lanes: int) -> Copy:
    """64 copies to each of `lanes` lanes, every one from a source of its own."""
    return Copy(
        "cta_group::1.4x256b",
        (lanes, 64, 4, 8),
        f"[{lanes}, 64, 4, 8] : [1@lane, 8@col, 32@lane, 1@col]",
        f"[{lanes}, 64, 4, 8] : [256, 4, 8, 1], swizzle 32B",
        lanes * 1024 + 256,
    )


RING_STAGES = 4


def ring_kernel(counter: str = "i32") -> str:
    """A loop of run-time length around 16 copies of stage `i % 4` of a ring in 128B swizzle.

    Args:
        counter: the type of the loop's variable, i32 or index (64 bits on this target).
    """
    stage = copies(atom("128x128b"), 128, 16)
    modes, words = stage.src.removesuffix(", swizzle 128B").split(" : "), stage.storage // 4
    extents, strides = modes[0][1:], f"[{words}, {modes[1][1:]}"
    region = f"align 1024, storage {RING_STAGES * stage.storage}"
    types = f"""
#t = #tcgen05.layout<{stage.dst}>
#ring = #tcgen05.layout<[{RING_STAGES}, {extents} : {strides}, swizzle 128B>
#one = #tcgen05.layout<[1, {extents} : {strides}, offset [?{RING_STAGES}*{words}], swizzle 128B>
!t = !tcgen05.tmem<{stage.dims}, #t>
!ring = !tcgen05.smem<{RING_STAGES}x{stage.dims}, #ring, {region}>
!one = !tcgen05.smem<1x{stage.dims}, #one, {region}>"""
    origin, size = ", 0" * len(stage.shape), ", ".join(map(str, stage.shape))
    cast = {
        "i32": "%stage = arith.index_cast %digit : i32 to index",
        "index": "%stage = arith.addi %digit, %zero : index",
    }[counter]
    times = {
        "i32": "%times = arith.addi %n, %zero : i32",
        "index": "%times = arith.index_cast %n : i32 to index",
    }[counter]
    body = f"""%t = tcgen05.tmem_view %address : !t
      %ring = tcgen05.smem_view %data : !llvm.ptr<3> -> !ring
      %zero = arith.constant 0 : {counter}
      %step = arith.constant 1 : {counter}
      %stages = arith.constant {RING_STAGES} : {counter}
      {times}
      scf.for %i = %zero to %times step %step {": i32" * (counter == "i32")} {{
        %digit = arith.remui %i, %stages : {counter}
        {cast}
        %one = tcgen05.slice %ring[%stage{origin}] [1, {size}] : !ring -> !one
        tcgen05.cp "{stage.opcode}" %t, %one : !t, !one
      }}"""
    return kernel(body, types, RING_STAGES * stage.storage, parameters="%n: i32")
