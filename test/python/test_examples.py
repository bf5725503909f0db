# RUN: %pytest %s
"""The gallery: each example as text and as Python, compiled, checked, and run against NumPy."""

from __future__ import annotations

import importlib
import os
import re
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import mlir_tcgen05 as t5
import numpy as np
import pytest
from example_cases import CASES, Case, ring_loaded, scaled
from example_machine import Machine, StuckError
from mlir import ir
from mlir_tcgen05.reference import PoisonError
from sass import Counts, Program
from snippets import blocks, matches, run_console, workspace

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
EXAMPLES = ROOT / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.mlir"))
LAUNCHES = [(name, launch) for name in NAMES for launch in CASES.get(name, ())]
ENTRIES = {"copy_128x128b": "copy"}
"""Kernels that have another name than their file."""
every_example = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with t5.Context() as context, ir.Location.unknown():
        yield context


def text(name: str) -> str:
    return (EXAMPLES / f"{name}.mlir").read_text()


def program(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module(name)


def image(case: Case, rank: int) -> t5.reference.Tmem:
    """Tensor memory with the case's words from column 0 on, and poison elsewhere."""
    result = t5.reference.Tmem()
    columns = case.tmem[rank].shape[1]
    result.words[:, :columns] = case.tmem[rank]
    result.written[:, :columns] = True
    return result


def simulated(module: ir.Module, name: str, case: Case) -> list[t5.reference.Tmem]:
    """Runs the kernel's address arithmetic in the thread that issues."""
    pointers = 0x1000, 0x2000
    shared = case.shared[0] if len(case.shared) == 1 else tuple(case.shared)
    thread = t5.Thread(cluster_size=len(case.shared))
    entry = ENTRIES.get(name, name)
    result = t5.simulate(module, entry, *pointers, *case.arguments, shared=shared, thread=thread)
    return list(result) if isinstance(result, tuple) else [result]


def test_every_example_is_here() -> None:
    assert list(CASES) == NAMES
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*NAMES, "kernel"}


@every_example
def test_both_forms_are_one_module(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = ir.Module.parse(text(name))
    built = program(name, monkeypatch).build()
    assert str(ir.Module.parse(str(built))) == str(ir.Module.parse(str(written)))


@every_example
def test_nothing_is_missing_around_the_copies(name: str) -> None:
    assert t5.check(ir.Module.parse(text(name))) == []


@every_example
def test_compiles(name: str) -> None:
    module = ir.Module.parse(text(name))
    assert t5.compile(module, chip="sm_100a", to="cubin")[:4] == b"\x7fELF"


@every_example
def test_costs_what_a_copy_costs(name: str) -> None:
    """Machine code without a loop around a copy, and without spilled registers."""
    code = t5.compile(ir.Module.parse(text(name)), chip="sm_100a", to="sass")
    counts = Counts.of(Program.parse(code).code)
    assert counts.copies >= 1
    assert (counts.loops, counts.spills) == (0, 0)


@pytest.mark.parametrize(("name", "launch"), LAUNCHES)
def test_does_what_it_says(name: str, launch: str) -> None:
    """The copies, as the lowered kernel issues them, and the image that they leave."""
    module, case = ir.Module.parse(text(name)), CASES[name][launch]()
    issued = t5.trace(module, ENTRIES.get(name, name), 0x1000, 0x2000, *case.arguments)
    assert [issue.opcode for issue in issued] == [case.opcode] * case.copies
    assert simulated(module, name, case) == [image(case, i) for i in range(len(case.tmem))]


@pytest.mark.parametrize("rows", [128, 256])
@pytest.mark.parametrize(
    ("name", "block", "k"), [("scales_mxfp8", 32, 512), ("scales_nvfp4", 16, 256)]
)
def test_scales_of_other_heights(
    name: str, block: int, k: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, case = program(name, monkeypatch).build(rows=rows), scaled(block, rows, k)
    assert simulated(module, name, case) == [image(case, 0)]
    assert t5.check(module) == []
    assert t5.compile(module, chip="sm_100a", to="cubin")[:4] == b"\x7fELF"


def run_from_input_to_output(kernel: str, name: str, launch: str) -> None:
    """Runs all threads of a kernel, and compares what they write with the case."""
    case = ring_loaded() if name == "ring_stages" else CASES[name][launch]()
    data = np.ascontiguousarray(case.input).view(np.uint8)
    size = case.output.nbytes
    # Behind a tensor map is a matrix.
    source = data if name == "tile_bf16" else data.ravel()
    buffers = [source, np.zeros(size, np.uint8), *case.arguments]
    machine = Machine(ir.Module.parse(kernel), buffers, ranks=len(case.shared))
    machine.run()
    assert machine.output(1, size).tobytes() == case.output.astype("<u4").tobytes()


@pytest.mark.parametrize(("name", "launch"), LAUNCHES)
def test_runs_from_input_to_output(name: str, launch: str) -> None:
    """What fills shared memory and what reads tensor memory back, too."""
    run_from_input_to_output(text(name), name, launch)


@pytest.mark.parametrize(
    ("name", "removed", "error"),
    [
        ("copy_128x128b", r"    scf\.while [\s\S]*?scf\.yield\n    \}\n", PoisonError),
        ("scales_mxfp8", r".*try_wait\.parity.*\n", PoisonError),
        ("scales_mxfp8", r".*tcgen05\.commit.*\n", StuckError),
        ("ring_stages", r".*commit %stage_empty.*\n", StuckError),
        ("tile_bf16", r".*try_wait\.parity %full.*\n", AssertionError),
    ],
)
def test_the_machine_sees_what_is_missing(name: str, removed: str, error: type) -> None:
    wrong, count = re.subn(removed, "", text(name), count=1)
    assert count == 1
    with pytest.raises(error):
        run_from_input_to_output(wrong, name, "")


def test_another_thread_issues_nothing() -> None:
    """Only warp 0 of the first CTA of a pair copies."""
    module = ir.Module.parse(text("pair_cta_group_2"))
    for thread in (t5.Thread((32, 0, 0)), t5.Thread(rank=1, cluster_size=2)):
        assert t5.trace(module, "pair_cta_group_2", 0, 0, thread=thread) == []


@every_example
def test_the_program_prints_its_module(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert str(ir.Module.parse(printed)) == str(ir.Module.parse(text(name)))


@every_example
def test_says_who_needs_it(name: str) -> None:
    """Both forms say it in the same words, and the table has a row for it."""
    comment = re.match(r"(//.*\n)+", text(name))
    assert comment
    said = " ".join(line[2:].strip() for line in comment[0].splitlines())
    docstring = " ".join((EXAMPLES / f"{name}.py").read_text().split('"""')[1].split())
    for start, end in (("Who needs it:", "To change:"), ("To change:", "  ")):
        part = said[said.index(start) :].split(end)[0].strip()
        assert len(part) > 40
        assert part in docstring


def test_the_table_lists_every_example() -> None:
    rows = re.findall(r"^\| \[(\w+)\]\((\w+)\.mlir\)", (EXAMPLES / "README.md").read_text(), re.M)
    assert sorted(rows) == [(name, name) for name in NAMES]


def test_the_commands_of_the_table(tmp_path: Path) -> None:
    readme = EXAMPLES / "README.md"
    environment = workspace(readme, tmp_path)
    consoles = [block for block in blocks(readme) if block.language == "console"]
    (console,) = consoles
    for command, expected, got in run_console(console, tmp_path, environment):
        assert matches(expected, got), f"{command}\n{got}"


def test_a_lit_test_of_your_own(tmp_path: Path) -> None:
    """The directory, copied to where tests may write, passes; with another column it fails."""
    environment = workspace(ROOT / "examples" / "README.md", tmp_path)
    tests = tmp_path / "tests"
    shutil.copytree(EXAMPLES / "lit", tests)

    def lit() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["lit", "-v", str(tests)], env=environment, capture_output=True, text=True, timeout=120
        )

    passed = lit()
    assert "PASS: my-kernels :: my_copy.mlir (1 of 1)" in passed.stdout, passed.stdout
    assert passed.returncode == 0
    kernel = tests / "my_copy.mlir"
    kernel.write_text(kernel.read_text().replace("[4@col, 1@lane", "[8@col, 1@lane"))
    failed = lit()
    assert "FAIL: my-kernels :: my_copy.mlir (1 of 1)" in failed.stdout
    assert failed.returncode == 1


def test_cases_can_fail() -> None:
    """A word that lies elsewhere in shared memory is seen."""
    case = CASES["scales_mxfp8"][""]()
    module = ir.Module.parse(text("scales_mxfp8"))
    case.shared[0][0x400] ^= 1
    (result,) = simulated(module, "scales_mxfp8", case)
    assert result != image(case, 0)
    differing = np.argwhere(result.words[:, :16] != case.tmem[0])
    assert differing.tolist() == [[0, 0], [32, 0], [64, 0], [96, 0]]
