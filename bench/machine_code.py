"""Section 5: machine instructions, ours and others', for the same copies behind the same guard.

The figures do not vary: they are counts, read from the disassembly. Every kernel reads the address
of tensor memory from shared memory and has its data in a symbol there. Beside the first two rivals
the address is really loaded. TIRx's kernel has symbols of its own, which nobody writes, so that no
load is left; beside it ours has such symbols too, two instructions fewer (`kernels.internal`). The
rivals:

- PTX by hand: a base descriptor, a 64-bit sum a copy, what the assembler needs least for;
- upstream's `nvvm.tcgen05.cp`, whose descriptor is computed anew for each copy, as its
  documentation has it;
- TIRx's CUDA source through nvcc.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import kernels
import mlir_tcgen05 as t5
from mlir import ir
from mlir_tcgen05 import _compile, _toolchain
from sass import Counts, Program

from . import texts
from .rows import Row, Table
from .sampling import Missing, Worker
from .sampling import run as run_program

SECTION = "5. Machine instructions"
CHIP, MODE = "sm_100a", 128
GUARDS = {"elect": "elect", "tid": "tid == 0", "warp": "warp 0, elect", "block": "tid == 0, block"}
BLOCK = "attributes {known_block_size = array<i32: 128, 1, 1>}"


def _compiled(text: str) -> Counts:
    with t5.Context():
        return _assembled(t5.compile(ir.Module.parse(text), chip=CHIP, check=False))


def _assembled(ptx: str) -> Counts:
    return _disassembled(_compile.assemble(ptx, CHIP))


def _disassembled(cubin: bytes) -> Counts:
    return Counts.of(Program.parse(_compile.disassemble(cubin)).code)


def ours(count: int, guard: str, pred: bool = False, loaded: bool = True) -> Counts:
    """Our op, through our pipeline.

    Args:
        loaded: whether the address of tensor memory is really loaded (`kernels.internal`).
    """
    attributes = BLOCK if guard == "block" else ""
    guard = "tid" if guard == "block" else guard
    text = kernels.copy_kernel(texts.tile(count, MODE), guard, pred, attributes)
    return _compiled(text if loaded else kernels.internal(text))


def upstream(count: int, guard: str) -> Counts:
    """Upstream's op, the descriptor made anew for each copy."""
    copy = texts.tile(count, MODE)
    plan = copy.plan()
    first = plan.issues()[0][1]
    constant = first - (1 << 64) if first >> 63 else first
    lines = [
        "%four = arith.constant 4 : i32",
        "%mask = arith.constant 16383 : i32",
        f"%constant = arith.constant {constant} : i64",
    ]
    for i, (taddr, descriptor) in enumerate(plan.issues()):
        lines += [
            f"%at{i} = arith.constant {taddr} : i32",
            f"%sum{i} = arith.addi %address, %at{i} : i32",
            f"%place{i} = llvm.inttoptr %sum{i} : i32 to !llvm.ptr<6>",
            f"%p{i} = llvm.getelementptr %data[{(descriptor - first) * 16}]"
            " : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8",
            f"%i{i} = llvm.ptrtoint %p{i} : !llvm.ptr<3> to i32",
            f"%h{i} = arith.shrui %i{i}, %four : i32",
            f"%f{i} = arith.andi %h{i}, %mask : i32",
            f"%x{i} = arith.extui %f{i} : i32 to i64",
            f"%d{i} = arith.ori %x{i}, %constant : i64",
            f"nvvm.tcgen05.cp %place{i}, %d{i} {{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}}",
        ]
    attributes = BLOCK if guard == "block" else ""
    guard = "tid" if guard == "block" else guard
    return _compiled(
        kernels.kernel("\n".join(lines), "", copy.storage, guard, attributes=attributes)
    )


_HAND = {
    "elect": "elect.sync _|%p0, -1;\n@!%p0 bra END;",
    "tid": "mov.u32 %r1, %tid.x;\nsetp.ne.b32 %p0, %r1, 0;\n@%p0 bra END;",
    "warp": "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p0, %r1, 31;\n@%p0 bra END;\n"
    "elect.sync _|%p1, -1;\n@!%p1 bra END;",
}
_HAND["block"] = _HAND["tid"]


def by_hand(count: int, guard: str) -> Counts:
    """PTX as a person writes it who knows what it costs."""
    copy = texts.tile(count, MODE)
    issues = copy.plan().issues()
    base = issues[0][1]
    lines = []
    for taddr, descriptor in issues:
        lines.append(f"add.s64 %rd2, %rd1, {descriptor - base};")
        lines.append(f"tcgen05.cp.{copy.opcode} [%r2+{taddr}], %rd2;")
    return _assembled(f"""
.version 8.6
.target sm_100a
.address_size 64
.shared .align 1024 .b8 data[{copy.storage}];
.shared .align 4 .b8 slot[4];
.visible .entry kernel() {".reqntid 128, 1, 1" if guard == "block" else ""} {{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
  ld.shared.b32 %r2, [slot];
  {_HAND[guard]}
  mov.u32 %r3, data;
  shr.u32 %r3, %r3, 4;
  and.b32 %r3, %r3, 16383;
  cvt.u64.u32 %rd1, %r3;
  or.b64 %rd1, %rd1, {base:#x};
  {chr(10).join(lines)}
END:
  ret;
}}
""")


@cache
def nvcc() -> list[str]:
    """The compiler of the wheel `nvidia-cuda-nvcc`, with the headers of `nvidia-cuda-cccl`."""
    path = Path(_toolchain.find("ptxas")).with_name("nvcc")
    if not path.is_file():
        raise Missing("nvcc is not installed")
    spec = find_spec("nvidia")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (headers := Path(place) / "cu13" / "include" / "cccl").is_dir():
            return [str(path), f"-I{headers}"]
    raise Missing("nvidia-cuda-cccl is not installed")


def from_cuda(source: str) -> Counts:
    """CUDA source through nvcc."""
    with tempfile.TemporaryDirectory(prefix="tcgen05-bench-") as directory:
        file, cubin = Path(directory) / "kernel.cu", Path(directory) / "kernel.cubin"
        file.write_text(source)
        run_program([*nvcc(), f"-arch={CHIP}", "-cubin", "-O3", "-std=c++17", file, "-o", cubin])
        return _disassembled(cubin.read_bytes())


def run(table: Table, quick: bool) -> None:
    """Adds the rows."""
    tirx = Worker("tirx")

    def through_nvcc(count: int, guard: str) -> Counts:
        return from_cuda(tirx.ask("source", count=count, mode=MODE, guard=guard))

    rivals: dict[str, Callable[[int, str], Counts]] = {
        "PTX by hand": by_hand,
        "nvvm.tcgen05.cp": upstream,
        "TIRx through nvcc": through_nvcc,
    }
    try:
        for guard in ("elect", "tid") if quick else GUARDS:
            for count in (1, 16) if quick else (1, 16, 64):
                for rival, measure in rivals.items():
                    if measure is through_nvcc and quick and count > 1:
                        continue  # TIRx is slow with many copies
                    table.add(_row(count, guard, rival, measure, measure is not through_nvcc))
    finally:
        tirx.close()


def _row(
    count: int, guard: str, rival: str, measure: Callable[[int, str], Counts], loaded: bool
) -> Row:
    """A row of counts. The symbols of TIRx's kernels are their own, so that nothing is loaded."""
    mine = ours(count, guard, loaded=loaded)
    name = f"{count} cop{'y' if count == 1 else 'ies'}, {GUARDS[guard]}"
    row = Row(SECTION, name, rival, "SASS", mine.total)
    try:
        theirs = measure(count, guard)
    except (Missing, t5.CompileError) as error:
        row.note = re.sub(r"\s+", " ", str(error))[:120]
        return row
    row.theirs, row.ratio = theirs.total, theirs.total / mine.total
    per_copy = f"{mine.total / count:.1f} and {theirs.total / count:.1f} a copy"
    row.note = f"{per_copy}, loops {mine.loops} and {theirs.loops}, " \
               f"spills {mine.spills} and {theirs.spills}"  # fmt: skip
    row.details = {"ours": mine._asdict(), "theirs": theirs._asdict()}
    if rival == "PTX by hand":
        row.goal, row.met = "no more", mine.total <= theirs.total
    return row
