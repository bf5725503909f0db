# RUN: %pytest %s -s
"""A short run of the fuzzers: what needs no Clang, in half a minute.

The targets of the ground floor are compiled with AddressSanitizer and UndefinedBehaviorSanitizer,
and get their committed inputs and changes of them; random modules and mutants of them go through
the installed tools. TCGEN05_FUZZ=20 does twenty times as much; `.ci/run` does what takes two
minutes. The long run, guided by coverage, is `test/fuzz/run.py`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir_tcgen05._tools import tool_environment, tool_path

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
FUZZ = ROOT / "test/fuzz"
sys.path[:0] = [str(ROOT / "test/generate"), str(FUZZ)]

import modules  # noqa: E402
import run  # noqa: E402

TIMES = int(os.environ.get("TCGEN05_FUZZ", "1"))
TARGETS = {"layout": 20_000, "opcode": 20_000, "descriptor": 20_000, "slice": 8_000, "plan": 8_000}
# Half of the time goes into compiling.
FLAGS = ["-std=c++17", "-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
OPTIONS = ["--split-input-file", "--allow-unregistered-dialect"]
PASSES = {
    "lowered": ["--convert-tcgen05-to-nvvm"],
    "cleaned": ["--canonicalize", "--cse", "--convert-tcgen05-to-nvvm", "--canonicalize"],
    "checked": ["--tcgen05-check-protocol"],
}


def compiler() -> str:
    """The C++ compiler that the tests may use."""
    found = shutil.which(os.environ.get("CXX", "c++")) or shutil.which("g++")
    assert found, "expected a C++ compiler on PATH, but got none"
    return found


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ground floor, its targets and their driver, compiled with sanitizers."""
    place = tmp_path_factory.mktemp("driver")
    cxx = compiler()

    def compile_one(source: Path, *options: str) -> str:
        target = place / ("-".join(source.relative_to(ROOT).parts) + ".o")
        command = [cxx, *FLAGS, f"-I{ROOT / 'include'}", *options, "-c", str(source), "-o", target]
        subprocess.run(command, check=True)
        return str(target)

    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(compile_one, path) for path in sorted((ROOT / "lib/Layout").rglob("*.cpp"))
        ]
        jobs.append(pool.submit(compile_one, FUZZ / "Driver.cpp"))
        for name in TARGETS:
            rename = f"-DLLVMFuzzerTestOneInput=fuzz_{name}"
            jobs.append(pool.submit(compile_one, FUZZ / f"Fuzz{name.capitalize()}.cpp", rename))
        objects = [job.result() for job in jobs]
    program = place / "driver"
    subprocess.run([cxx, *FLAGS, *objects, "-o", str(program)], check=True)
    return program


def drive(driver: Path, name: str, executions: int) -> subprocess.CompletedProcess[str]:
    corpus = FUZZ / "corpus" / name
    files = sorted(str(path) for path in corpus.iterdir()) if corpus.exists() else []
    command = [str(driver), "1", str(executions), name, *files]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", TARGETS)
def test_ground_floor(driver: Path, name: str) -> None:
    executions = TARGETS[name] * TIMES
    done = drive(driver, name, executions)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{name}: {executions} executions\n"


def test_all_targets_run(driver: Path) -> None:
    written = {path.stem.removeprefix("Fuzz").lower() for path in FUZZ.glob("Fuzz*.cpp")}
    assert written - {"text", "bytecode"} == set(TARGETS)
    done = drive(driver, "other", 1)
    assert (done.returncode, done.stderr) == (2, "expected TARGET to be known, but got other\n")


BROKEN = """
#include <cstddef>
#include <cstdint>
static int table[] = {1, 2, 3, 4};
extern "C" {
int fuzz_layout(const uint8_t *data, size_t size) { return data[size]; }
int fuzz_opcode(const uint8_t *data, size_t) { return table[data[0]]; }
int fuzz_descriptor(const uint8_t *data, size_t) { return (1 << 24) * (1000 + data[0]); }
int fuzz_slice(const uint8_t *, size_t) { __builtin_trap(); }
int fuzz_plan(const uint8_t *, size_t) { return 0; }
}
"""


def test_the_driver_sees_faults(tmp_path: Path) -> None:
    """Planted ones: a read behind the input, one behind an array, an overflow, a trap."""
    source, program = tmp_path / "broken.cpp", tmp_path / "broken"
    source.write_text(BROKEN)
    command = [compiler(), *FLAGS, str(FUZZ / "Driver.cpp"), str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    for name, report in (
        ("layout", "heap-buffer-overflow"),
        ("opcode", "out of bounds"),
        ("descriptor", "signed integer overflow"),
        ("slice", "ILL"),
    ):
        done = drive(program, name, 1000)
        assert done.returncode != 0
        assert report in done.stderr, done.stderr
        assert re.search(r"^input: ([0-9a-f]{2})+$", done.stderr, re.MULTILINE), done.stderr
    assert drive(program, "plan", 1000).returncode == 0


def through_tool(texts: list[str], passes: list[str]) -> tuple[int, int]:
    """Sends modules through the tool in one file; returns how many there are and how many errors.

    A refusal is an error with a place; whatever else ends the process fails the test.
    """
    done = subprocess.run(
        [str(tool_path("tcgen05-opt")), *OPTIONS, *passes, "-o", os.devnull],
        input="\n// -----\n".join(texts),
        capture_output=True,
        text=True,
        check=False,
        env=tool_environment(),
        timeout=300,
    )
    assert done.returncode in (0, 1), done.stderr[-4000:]
    errors = re.findall(r"^<stdin>:\d+:\d+: error: (.*)", done.stderr, re.MULTILINE)
    assert (done.returncode == 1) == bool(errors), done.stderr[-4000:]
    for sentence in errors:
        assert sentence.strip(), done.stderr[-4000:]
    return len(texts), len(errors)


def one_by_one(texts: list[str], passes: list[str]) -> None:
    """As `through_tool`; a failure is that of the one module that causes it, which is shown."""
    try:
        through_tool(texts, passes)
    except AssertionError:
        for text in texts:
            try:
                through_tool([text], passes)
            except AssertionError as error:
                raise AssertionError(f"{text}\n{error}") from error
        raise


@pytest.mark.parametrize("passes", PASSES)
def test_random_modules(passes: str) -> None:
    rng = Random(f"modules {passes}")
    texts = [modules.module(rng) for _ in range(400 * TIMES)]
    for i in range(0, len(texts), 400):
        one_by_one(texts[i : i + 400], PASSES[passes])


@pytest.mark.parametrize("passes", PASSES)
def test_mutants(passes: str) -> None:
    rng = Random(f"mutants {passes}")
    texts = [modules.mutant(rng, modules.module(rng)) for _ in range(400 * TIMES)]
    for i in range(0, len(texts), 400):
        one_by_one(texts[i : i + 400], PASSES[passes])


def test_legal_modules_are_accepted() -> None:
    """What the generator calls legal is: else it would only try the parser."""
    rng = Random("legal")
    forms = [form for form in modules.FORMS if form is not modules.slices]
    texts = [rng.choice(forms)(rng, False) for _ in range(300)]
    count, errors = through_tool(texts, PASSES["lowered"])
    print(f"{count} legal modules, {errors} errors")
    assert errors == 0


def test_fuzzers_begin_at_single_functions() -> None:
    """What the suite's long modules are cut into for the fuzzers can be read and verified."""
    cut = [
        piece
        for path in sorted((ROOT / "test").rglob("*.mlir"))
        if not path.stem.endswith("-invalid")
        for text in path.read_text().split("// -----\n")
        for piece in run.pieces(re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE), 1024)
        if len(text) > 1024
    ]
    assert len(cut) >= 200
    assert max(map(len, cut)) <= 1024
    assert any("gpu.module" in piece and ".global" in piece for piece in cut)
    one_by_one(cut, [])
    assert through_tool(cut, []) == (len(cut), 0)


def test_mutants_are_nearly_valid() -> None:
    """Some are legal, and of the refused ones many are refused by a rule, not by the lexer."""
    rng = Random("near")
    verdicts = {"legal": 0, "rule": 0, "parser": 0}
    with t5.Context() as context:
        context.allow_unregistered_dialects = True
        for _ in range(400):
            try:
                ir.Module.parse(modules.mutant(rng, modules.module(rng)))
                verdicts["legal"] += 1
            except ir.MLIRError as error:
                verdicts["rule" if "'tcgen05." in str(error) else "parser"] += 1
    print(verdicts)
    assert verdicts["legal"] >= 40
    assert verdicts["rule"] >= 40
