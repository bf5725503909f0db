#!/usr/bin/env python3
"""Runs the fuzzers, resumably: `run.py STATE --minutes 20`.

STATE is a directory outside of the sources. It keeps the programs, the inputs found so far and the
number of executions, so that a run that was stopped goes on where it ended. Everything of this
project is compiled with AddressSanitizer and UndefinedBehaviorSanitizer, and an input that takes
longer than a second is an error as a crash is. Exit status 1 if one was found: the input is in
STATE/TARGET/findings.

The ground floor needs nothing but clang++ with libFuzzer. Text and bytecode go through MLIR, whose
programs CMake builds: `cmake --preset fuzz && cmake --build --preset fuzz`, then
`run.py STATE --mlir BUILD`, in an environment that can import the package (PYTHONPATH, for the
generator of modules). MLIR itself is not instrumented; a crash with none of this project's
functions on the stack is kept in STATE/TARGET/upstream, counted, and does not end the run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SANITIZE = "-fsanitize=address,undefined"
FLAGS = ["-std=c++17", "-O2", "-g", "-fno-sanitize-recover=all", f"-I{ROOT / 'include'}"]


class Target(NamedTuple):
    """A fuzzer and its goal."""

    share: float
    """Of the executions: a plan costs what ten texts cost."""
    length: int
    """Most bytes of an input."""
    generated: int = 0
    """Modules that the generator gives it to begin with."""


GROUND = {
    "layout": Target(0.3, 256),
    "opcode": Target(0.3, 256),
    "descriptor": Target(0.3, 256),
    "slice": Target(0.05, 256),
    "plan": Target(0.05, 256),
}
MLIR = {"text": Target(0.7, 1024, 400), "bytecode": Target(0.3, 2048, 200)}


def compiler() -> str:
    """Returns a clang++ with libFuzzer, or ends with a sentence."""
    for name in [os.environ.get("CXX", "clang++"), *(f"clang++-{n}" for n in range(24, 13, -1))]:
        path = shutil.which(name)
        if path and "clang" in subprocess.getoutput(f"{path} --version"):
            return path
    sys.exit("expected clang++ with libFuzzer, but got none; set CXX")


def build(state: Path) -> None:
    """Compiles the ground floor once and links each of its targets to it."""
    cxx = compiler()
    objects = []
    headers = max(p.stat().st_mtime for p in (ROOT / "include/tcgen05/Layout").rglob("*.h"))
    headers = max(headers, (HERE / "Bytes.h").stat().st_mtime)
    changed = False
    for source in sorted((ROOT / "lib/Layout").rglob("*.cpp")):
        path = source.relative_to(ROOT / "lib/Layout")
        target = state / ("-".join(path.with_suffix("").parts) + ".o")
        objects.append(str(target))
        if target.exists() and target.stat().st_mtime > max(headers, source.stat().st_mtime):
            continue
        command = [cxx, *FLAGS, SANITIZE + ",fuzzer-no-link", "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        changed = True
    for name in GROUND:
        source = HERE / f"Fuzz{name.capitalize()}.cpp"
        program = state / name / "fuzz"
        program.parent.mkdir(parents=True, exist_ok=True)
        fresh = program.exists() and program.stat().st_mtime > max(headers, source.stat().st_mtime)
        if changed or not fresh:
            command = [cxx, *FLAGS, SANITIZE + ",fuzzer", str(source), *objects, "-o", str(program)]
            subprocess.run(command, check=True)


def last_line(text: str) -> str:
    """What a failed program said last: of a traceback, the error."""
    return (text.strip().splitlines() or ["nothing"])[-1]


def groups(text: str) -> list[str]:
    """What stands at the left margin, each with the lines that belong to it."""
    return re.findall(r"^[^\s}^].*\n(?:(?:[ }^].*)?\n)*", text, flags=re.MULTILINE)


def pieces(text: str, most: int) -> list[str]:
    """A module, or if it is long each function with all that it names."""
    if len(text) <= most:
        return [text]
    # Aliases, globals and functions by their names, for each gpu.module and outside of them.
    scopes: dict[str, dict[str, str]] = {"": {}}
    for group in groups(text):
        if not group.startswith("gpu.module"):
            scopes[""][re.search(r"[#!@][\w.$-]+|$", group)[0]] = group
            continue
        head, inner = group.split("\n", 1)
        inner = re.sub(r"^  ", "", inner.rstrip().removesuffix("}"), flags=re.MULTILINE)
        named = (re.search(r"@[\w.$-]+", part) for part in groups(inner))
        scopes[head] = {
            name[0]: part for name, part in zip(named, groups(inner), strict=True) if name
        }
    result = []
    for head, symbols in scopes.items():
        for first in symbols:
            if not first.startswith("@"):
                continue
            names, todo = {first}, [symbols[first]]
            while todo:
                for name in re.findall(r"[#!@][\w.$-]+", todo.pop()):
                    if name not in names:
                        names.add(name)
                        todo += [scope[name] for scope in (symbols, scopes[""]) if name in scope]
            inside = "".join(part for name, part in symbols.items() if name in names)
            if head:
                outside = "".join(part for name, part in scopes[""].items() if name in names)
                inside = f"{outside}{head}\n{inside}}}\n"
            result.append(inside)
    # What an enclosing module at the same margin leaves behind is no module.
    return [p for p in result if len(p) <= most and p.count("{") == p.count("}")]


def seed(program: Path, home: Path, target: Target) -> None:
    """Gives a target the modules of the suite and generated ones, as far as they differ for it."""
    corpus = home / "corpus"
    if corpus.exists() or not target.generated:
        return
    seeds, partial = home / "seeds", home / "corpus.part"
    for directory in (seeds, partial):
        shutil.rmtree(directory, ignore_errors=True)
    partial.mkdir()
    generator = ROOT / "test/generate/modules.py"
    command = [sys.executable, str(generator), str(target.generated), str(seeds)]
    made = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    if made.returncode != 0:
        sys.exit(f"error: expected seeds from {generator.name}, but got: {last_line(made.stderr)}")
    for path in sorted(p for d in ("test", "examples") for p in (ROOT / d).rglob("*.mlir")):
        for i, text in enumerate(path.read_text().split("// -----\n")):
            text = re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE)
            for k, piece in enumerate(pieces(text, target.length)):
                if "tcgen05" in piece:
                    (seeds / f"{path.parent.name}-{path.stem}-{i}-{k}.mlir").write_text(piece)
    command = [str(program), "-merge=1", "-detect_leaks=0", f"-max_len={target.length}"]
    subprocess.run([*command, str(partial), str(seeds)], check=True, capture_output=True)
    partial.rename(corpus)


class Outcome(NamedTuple):
    """What a turn of a target came to."""

    executions: int
    stages: dict[str, int]
    finding: str | None
    """`ours` or `upstream`."""


def run(program: Path, home: Path, target: Target, executions: int, seconds: int) -> Outcome:
    """Runs a target until the time or the executions are used up, or something is found."""
    for directory in ("corpus", "new"):
        (home / directory).mkdir(exist_ok=True)
    command = [
        str(program),
        f"-runs={executions}",
        f"-max_total_time={max(1, seconds)}",
        "-timeout=300",  # the programs themselves look at the processor's time
        "-rss_limit_mb=4096",
        f"-max_len={target.length}",
        "-detect_leaks=0" if target.generated else "-detect_leaks=1",
        "-print_final_stats=1",
        "-verbosity=0",
        f"-artifact_prefix={home / 'new'}/",
    ]
    name = home.name
    if target.generated:  # few changes at a time: most of two modules in one is no module
        command += ["-mutate_depth=2"]
    if (HERE / f"{name}.dict").exists():
        command.append(f"-dict={HERE / f'{name}.dict'}")
    command.append(str(home / "corpus"))
    if (HERE / "corpus" / name).exists():
        command.append(str(HERE / "corpus" / name))
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=home)
    report = done.stderr
    count = re.search(r"number_of_executed_units: *(\d+)", report)
    # A crash prints no statistics; the last count that it did print stands for them.
    progress = [int(n) for n in re.findall(r"^#(\d+)", report, re.MULTILINE)]
    total = int(count[1]) if count else max(progress, default=0)
    stages = {name: int(n) for name, n in re.findall(r"^stage::(\w+): (\d+)", report, re.MULTILINE)}
    if done.returncode == 0:
        return Outcome(total, stages, None)
    # Whose fault it is: `broken` is a promise of ours, else the functions on the stack decide.
    stack = re.findall(r"^ *#\d+ .*? in (.*)", report, re.MULTILINE)
    above = [frame for frame in stack if "fuzz::" not in frame and "LLVMFuzzer" not in frame]
    ours = "broken: " in report or not above or any("tcgen05::" in frame for frame in above)
    kind = "ours" if ours else "upstream"
    place = home / ("findings" if ours else "upstream")
    place.mkdir(exist_ok=True)
    for path in sorted((home / "new").iterdir()):
        path.replace(place / path.name)
        (place / f"{path.name}.log").write_text(report[-20000:])
    return Outcome(total, stages, kind)


def main() -> int:
    """Runs all targets in turn until the time or the executions are used up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state", type=Path, help="where programs, inputs and counts are kept")
    parser.add_argument("--minutes", type=float, default=2, help="time in all (default 2)")
    parser.add_argument("--mlir", type=Path, metavar="BUILD", help="run the programs of this build")
    parser.add_argument(
        "--executions", type=int, help="goal, earlier runs included (default 95 or 5 million)"
    )
    options = parser.parse_args()
    state = options.state.resolve()
    if state == ROOT or ROOT in state.parents:
        parser.error(f"expected STATE to lie outside of the sources, but got {state}")
    state.mkdir(parents=True, exist_ok=True)
    targets = MLIR if options.mlir else GROUND
    programs = {name: state / name / "fuzz" for name in targets}
    if options.mlir:
        programs = {name: options.mlir / f"test/fuzz/tcgen05-fuzz-{name}" for name in targets}
        for program in programs.values():
            if not program.is_file():
                parser.error(f"expected BUILD to hold {program.name}, but got no {program}")
    else:
        build(state)
    for name, target in targets.items():
        (state / name).mkdir(exist_ok=True)
        seed(programs[name].resolve(), state / name, target)

    book = state / "executions.json"
    counts = {name: 0 for name in targets} | (json.loads(book.read_text()) if book.exists() else {})
    goal = options.executions or (5_000_000 if options.mlir else 95_000_000)
    goals = {name: int(goal * target.share) for name, target in targets.items()}
    clean = True
    waiting = [name for name in targets if counts[name] < goals[name]]
    end = time.monotonic() + 60 * options.minutes
    # Short turns: a run that is stopped loses little.
    while waiting and clean and (left := int(end - time.monotonic())) > 0:
        turn = max(1, min(240 if options.mlir else 60, left // len(waiting)))
        for name in list(waiting):
            program = programs[name].resolve()
            done = time.monotonic() + turn
            # A fault of upstream's ends the program, not the turn.
            while clean and (seconds := int(done - time.monotonic())) > 0:
                rest = goals[name] - counts[name]
                outcome = run(program, state / name, targets[name], rest, seconds)
                clean = outcome.finding != "ours"
                counts[name] += outcome.executions
                for key, value in outcome.stages.items():
                    counts[f"{name}, {key}"] = counts.get(f"{name}, {key}", 0) + value
                if outcome.finding == "upstream":
                    counts[f"{name}, upstream"] = counts.get(f"{name}, upstream", 0) + 1
                partial = book.with_suffix(".part")
                partial.write_text(json.dumps(counts))
                partial.replace(book)
                if counts[name] >= goals[name]:
                    waiting.remove(name)
                    break
    for name, count in counts.items():
        print(f"{name:<20} {count:>12,}" + (f" of {goals[name]:,}" if name in goals else ""))
    total = sum(counts[name] for name in targets)
    print(f"{total:,} executions, {'nothing found' if clean else 'see findings'}")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
