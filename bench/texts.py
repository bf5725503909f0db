"""The modules that are measured, as text: ours, and what a person would write by hand upstream.

The copies are those of the tests (`kernels.copies`): 128x128b tiles one behind the other in both
memories, plain or in 128-byte swizzle. The 128 of one op are tiles of 32x128b.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import kernels
from kernels import Atom, Copy

GROUP = 64
"""Copies of one op: what a tile of 128 rows and 256 words is."""


def atom_of(count: int) -> Atom:
    """The instruction of an op of so many copies: what fits into 2^18 bytes of shared memory.

    128 tiles of 128x128b would end there, which no descriptor reaches; 128 tiles of 32x128b fill
    the 512 columns of tensor memory all the same.
    """
    return kernels.atom("128x128b" if count < 128 else "32x128b.warpx4")


def tile(count: int, mode: int) -> Copy:
    """One op that copies `count` tiles, in a swizzle of `mode` bytes."""
    return kernels.copies(atom_of(count), mode, count)


def function_of(copy: Copy, arguments: str, body: str) -> str:
    """A function whose module has the aliases `!t` and `!s`."""
    return f"{kernels.types_of(copy)}\nfunc.func @f({arguments}) {{\n{body}\nreturn\n}}\n"


def function(copy: Copy) -> str:
    """A function of two views and the copy."""
    return function_of(
        copy,
        "%address: i32, %data: !llvm.ptr<3>",
        f'{kernels.VIEWS}\ntcgen05.cp "{copy.opcode}" %t, %s : !t, !s',
    )


def ours(count: int, group: int, functions: int = 1) -> str:
    """Copies in 128-byte swizzle, `group` to an op, spread evenly over functions."""
    copy = tile(group, 128)
    ops = count // group // functions
    body = "\n".join(
        f"%t{i} = tcgen05.tmem_view %a{i % 8} : !t\n"
        f"%s{i} = tcgen05.smem_view %p{i % 8} : !llvm.ptr<3> -> !s\n"
        f'tcgen05.cp "{copy.opcode}" %t{i}, %s{i} : !t, !s'
        for i in range(ops)
    )
    arguments = ", ".join(f"%a{i}: i32, %p{i}: !llvm.ptr<3>" for i in range(8))
    texts = [f"func.func @f{i}({arguments}) {{\n{body}\nreturn\n}}" for i in range(functions)]
    return "\n".join([kernels.types_of(copy), *texts, ""])


def upstream(count: int, group: int = GROUP) -> str:
    """The same copies, as a person writes them without the dialect.

    A base descriptor for each group, as the cheapest machine code wants it; then for each copy two
    sums and the instruction.
    """
    copy = tile(group, 128)
    plan = copy.plan()
    issues = plan.issues()
    base = issues[0][1]
    arguments = ", ".join(f"%a{i}: i32, %p{i}: !llvm.ptr<3>" for i in range(8))

    def lines() -> Iterator[str]:
        for i in range(count // group):
            # The constant as MLIR reads it: signed.
            constant = base - (1 << 64) if base >> 63 else base
            yield f"%w{i} = llvm.ptrtoint %p{i % 8} : !llvm.ptr<3> to i32"
            yield f"%n{i} = arith.constant 4 : i32"
            yield f"%h{i} = arith.shrui %w{i}, %n{i} : i32"
            yield f"%m{i} = arith.constant 16383 : i32"
            yield f"%f{i} = arith.andi %h{i}, %m{i} : i32"
            yield f"%x{i} = arith.extui %f{i} : i32 to i64"
            yield f"%k{i} = arith.constant {constant} : i64"
            yield f"%b{i} = arith.ori %x{i}, %k{i} : i64"
            for j, (taddr, descriptor) in enumerate(issues):
                name = f"{i}_{j}"
                yield f"%c{name} = arith.constant {taddr} : i32"
                yield f"%t{name} = arith.addi %a{i % 8}, %c{name} : i32"
                yield f"%e{name} = arith.constant {descriptor - base} : i64"
                yield f"%d{name} = arith.addi %b{i}, %e{name} : i64"
                yield (
                    f'nvvm.inline_ptx "tcgen05.cp.{copy.opcode} [$0], $1;" '
                    f"ro(%t{name}, %d{name} : i32, i64)"
                )

    body = "\n".join(lines())
    return f"func.func @f({arguments}) {{\n{body}\nreturn\n}}\n"


if __name__ == "__main__":
    whose, copies, each, path = sys.argv[1:]
    Path(path).write_text({"ours": ours, "upstream": upstream}[whose](int(copies), int(each)))
