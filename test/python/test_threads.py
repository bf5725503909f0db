# RUN: %pytest %s -s
"""Many threads: contexts of their own, one context for all, and MLIR's own threads.

The answers of a run with threads must be those of the same work done in order. Python's lock lets
one thread at a time into most calls, and MLIR's thread pool works below it; where threads truly run
side by side, in C++, is `test/sanitize/Threads.cpp`.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier
from typing import TypeVar

import kernels
import mlir_tcgen05 as t5
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05._tools import tool_environment, tool_path
from mlir_tcgen05.layout import Layout, plan_cp

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
THREADS = 8
T = TypeVar("T")


def at_once(work: Callable[[int], T]) -> list[T]:
    """Results of the work of each thread, all of which start together."""
    start = Barrier(THREADS)

    def run(i: int) -> T:
        start.wait(60)
        return work(i)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def kernel(i: int) -> str:
    """A kernel that differs from that of every other thread."""
    atom = kernels.ATOMS[i % len(kernels.ATOMS)]
    return kernels.copy_kernel(kernels.copies(atom, 128, 4 * (1 + i // 4)))


def compiled(i: int) -> tuple[str, str]:
    with t5.Context():
        module = ir.Module.parse(kernel(i))
        ptx = t5.compile(module, to="ptx", check=False)
        return ptx, str(module)


def test_a_context_for_each_thread() -> None:
    expected = [compiled(i) for i in range(THREADS)]
    assert len({ptx for ptx, _ in expected}) == THREADS
    assert at_once(compiled) == expected


def lowered(context: ir.Context, text: str) -> str:
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        PassManager.parse("builtin.module(convert-tcgen05-to-nvvm,canonicalize,cse)").run(
            module.operation
        )
        return str(module)


def test_one_context_for_all_threads() -> None:
    with t5.Context() as alone:
        alone.enable_multithreading(False)
    expected = [lowered(alone, kernel(i)) for i in range(THREADS)]
    with t5.Context() as shared:
        shared.enable_multithreading(True)

    def work(i: int) -> list[str]:
        # Each thread makes types that the others have, and some that nobody has.
        return [lowered(shared, kernel((i + n) % THREADS)) for n in range(THREADS)]

    for i, texts in enumerate(at_once(work)):
        assert texts == [expected[(i + n) % THREADS] for n in range(THREADS)]


def test_the_ground_floor_in_all_threads() -> None:
    """Plans need no context, and have no state."""

    def work(i: int) -> list[str]:
        rng = Random(i % 2)
        out = []
        for _ in range(200):
            stride = 8 * 4 * rng.randrange(1, 16)
            src = Layout.parse(f"[4, (16, 8), 4] : [{32 * stride}, ({stride}, 4), 1]")
            dst = Layout.parse("[4, 128, 4] : [4@col, 1@lane, 1@col]")
            plan = plan_cp("cta_group::1.128x128b", dst, src)
            out.append(f"{plan.walk} {plan.issues(saddr=1024)}")
        return out

    answers = at_once(work)
    assert answers == [work(0), work(1)] * (THREADS // 2)


FUNCTIONS = 200


def many_functions(wrong: bool) -> str:
    """A module of many functions, whose copies the verifier looks at in parallel.

    Row groups lie another number of bytes apart in each. If `wrong`, every third copy reads rows
    that are no row of a walk.
    """
    out = []
    for i in range(FUNCTIONS):
        row = 5 if wrong and i % 3 == 0 else 4
        dst = f"[128, 4] : [1@lane, 1@col], offset [{4 * (i % 100)}@col]"
        src = f"[(16, 8), 4] : [({40 + 4 * i}, {row}), 1]"
        types = f"!tcgen05.tmem<128x4xi32, #tcgen05.layout<{dst}>>"
        types += f", !tcgen05.smem<128x4xi32, #tcgen05.layout<{src}>>"
        t, _, s = types.partition(", !")
        out.append(
            f"func.func @f{i}(%t: {t}, %s: !{s}) {{\n"
            f'  tcgen05.cp "cta_group::1.128x128b" %t, %s : {types}\n  return\n}}'
        )
    return "\n".join(out)


def tool(text: str, *options: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [str(tool_path("tcgen05-opt")), *options],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        env=tool_environment(),
    )
    return done.returncode, done.stdout, done.stderr


def test_the_thread_pool_of_the_tool() -> None:
    """With MLIR's threads and without: the same module, and the same errors in the same order."""
    right = many_functions(wrong=False)
    passes = ["--tcgen05-check-protocol", "--convert-tcgen05-to-nvvm", "--canonicalize", "--cse"]
    alone = tool(right, *passes, "--mlir-disable-threading")
    assert alone[0] == 0
    for _ in range(3):
        assert tool(right, *passes) == alone
    wrong = many_functions(wrong=True)
    alone = tool(wrong, "--mlir-disable-threading")
    errors = re.findall(r"error: 'tcgen05.cp' op", alone[2])
    print(f"{len(errors)} errors in {FUNCTIONS} functions")
    assert alone[0] == 1
    assert len(errors) == len(range(0, FUNCTIONS, 3))
    for _ in range(3):
        assert tool(wrong) == alone
