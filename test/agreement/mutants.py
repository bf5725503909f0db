"""Does the agreement program notice small faults in the ground floor?

    python test/agreement/mutants.py --build DIR [--copies N] [--limit N] [--write]

Builds the program once with all faults in it (mutate.py), then runs it once for each. A mutant is
killed if the program reports a disagreement, crashes, or takes far longer than it should; one that
survives a short run gets a longer one. Results are appended to DIR/results.jsonl, so that a run
which was cut goes on where it stopped; what was killed stays killed while its line is unchanged,
survivors are tried again. `--write` rewrites MUTANTS.md. equivalent.txt says of survivors why no
test can tell them from the original. Exit status 1 if fewer than 95 % are killed, a survivor is
not explained, or one that is explained was killed. Needs the extra `dev`.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from explained import explanations, fingerprint, places
from mutate import Mutant, mutate_tree
from program import FLAGS, ROOT, TESTS

LEAST = 95.0
UNEXPLAINED = "not explained"
MEMORY = 4 << 30
# Copies, seed and seconds of processor time. Most mutants fall within a tenth of a second.
SHORT = (1000, 1, 4)
# Behind the end of a function or of a set a program may do anything: here it stops.
TRAPS = ["-fsanitize=return,bounds-strict", "-fsanitize-undefined-trap-on-error"]


def syntax_errors(scratch: pathlib.Path, compiler: str) -> set[int]:
    """The numbers of mutants that do not compile."""

    def check(source: pathlib.Path) -> set[int]:
        command = [compiler, *FLAGS, "-fsyntax-only", "-fmax-errors=0", "-w"]
        command += ["-include", str(scratch / "mutant.h"), f"-I{scratch / 'include'}", str(source)]
        messages = subprocess.run(command, capture_output=True, text=True).stderr
        numbers = set()
        for path, line, column in re.findall(r"^(\S+?):(\d+):(\d+): error", messages, re.M):
            if path == str(scratch / "mutant.h"):
                continue  # the line that uses the macro follows
            text = pathlib.Path(path).read_text().splitlines()[int(line) - 1]
            before = re.findall(r"MUTANT\((\d+)\)", text[: int(column)])
            found = before[-1:] or re.findall(r"MUTANT\((\d+)\)", text)[:1]
            if not found:
                raise SystemExit(f"expected the mutated sources to compile, but got\n{messages}")
            numbers.add(int(found[0]))
        return numbers

    with ThreadPoolExecutor(2) as pool:
        return set().union(*pool.map(check, sorted((scratch / "lib").rglob("*.cpp"))))


def prepare(scratch: pathlib.Path, compiler: str) -> list[Mutant]:
    """Write the mutated sources, without the mutants that do not compile."""
    cache = scratch / "dropped.json"
    dropped: dict[str, set[str]] = {}
    if cache.exists():
        dropped = {path: set(keys) for path, keys in json.loads(cache.read_text()).items()}
    while True:
        mutants = mutate_tree(ROOT, scratch, dropped)
        numbers = syntax_errors(scratch, compiler)
        if not numbers:
            cache.write_text(json.dumps({path: sorted(keys) for path, keys in dropped.items()}))
            return mutants
        for number in numbers:
            mutant = mutants[number - 1]
            dropped.setdefault(mutant.path, set()).add(mutant.key)


def build(scratch: pathlib.Path, compiler: str) -> pathlib.Path:
    """Compile what has changed; the path of the program."""
    sources = [*(scratch / "lib").rglob("*.cpp"), *TESTS.glob("*.cpp"), scratch / "mutant.cpp"]
    headers = [*scratch.rglob("*.h"), *TESTS.glob("*.h")]
    newest = max(header.stat().st_mtime for header in headers)

    def compile_one(source: pathlib.Path) -> str:
        target = scratch / f"{source.stem}.o"
        if target.exists() and target.stat().st_mtime > max(newest, source.stat().st_mtime):
            return str(target)
        command = [
            compiler,
            *FLAGS,
            *TRAPS,
            "-O1",
            "-D_GLIBCXX_ASSERTIONS",
            "-w",
            f"-I{scratch / 'include'}",
        ]
        command += ["-include", str(scratch / "mutant.h"), "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        return str(target)

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compile_one, sorted(sources)))
    program = scratch / "agreement"
    subprocess.run([compiler, *objects, "-o", str(program)], check=True)
    return program


def limit(seconds: int) -> None:
    """A mutant may loop for ever or eat all memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def killed_by(program: pathlib.Path, number: int, copies: int) -> str | None:
    """How the mutant was noticed, or None."""
    for count, seed, seconds in (SHORT, (copies, 2, 10 + copies // 1000)):
        run = subprocess.run(
            [program, str(count), str(seed), "first"],
            capture_output=True,
            env={**os.environ, "TCGEN05_MUTANT": str(number)},
            preexec_fn=functools.partial(limit, seconds),
        )
        if run.returncode > 0:
            return "disagreement"
        if run.returncode < 0:
            return "time" if run.returncode in (-9, -24) else "crash"
    return None


# File, place and change, by which equivalent.txt names a mutant.
Key = tuple[str, str, str]


def keys_of(mutants: list[Mutant]) -> dict[Mutant, Key]:
    """Names that hold while the line of the mutant does: its file, its text, the change, and which
    of them it is where a line has several."""
    lines = {path: places(path) for path in {mutant.path for mutant in mutants}}
    seen: Counter[Key] = Counter()
    keys = {}
    for mutant in mutants:
        change = f"{mutant.before} -> {mutant.after}"
        key = (mutant.path, lines[mutant.path][mutant.line - 1], change)
        seen[key] += 1
        keys[mutant] = (*key[:2], f"{change} #{seen[key]}") if seen[key] > 1 else key
    return keys


def summary(
    mutants: list[Mutant], keys: dict[Mutant, Key], results: dict[Mutant, str | None], copies: int
) -> str:
    """The text of MUTANTS.md."""
    ways = Counter(result for result in results.values() if result)
    survivors = [mutant for mutant, result in results.items() if result is None]
    reasons = explanations()
    done = len(results)
    lines = [
        "# Mutants of the ground floor",
        "",
        "Written by `mutants.py`. Small faults (another operator, a constant one off, a statement",
        "left out, a condition turned round) in `lib/Layout` and `include/tcgen05/Layout`, and",
        f"whether the agreement program notices them in {copies} copies. Constant expressions are",
        "not mutated, nor functions that only a `static_assert` calls, nor calls of `reserve`,",
        "which change no value. Not counted are faults that do not compile, the same fault in",
        "another spelling (`x < 6` and `x <= 5`), and `<=` in `x < 0 ? -x : x`.",
        "",
        f"{done} of {len(mutants)} mutants run: {done - len(survivors)} killed"
        f" ({100 * (done - len(survivors)) / max(done, 1):.1f} %), {ways['disagreement']} by a"
        f" disagreement, {ways['crash']} by a crash, {ways['time']} by the time they took.",
        "",
        f"Fingerprint of the sources: {fingerprint()}.",
        "",
        "| file | mutants | killed | survivors |",
        "|---|---|---|---|",
    ]
    for path in sorted({mutant.path for mutant in results}):
        of = [result for mutant, result in results.items() if mutant.path == path]
        alive = of.count(None)
        lines.append(f"| {path} | {len(of)} | {len(of) - alive} | {alive} |")
    lines += ["", "Survivors, and why they mean the same:", ""]
    last = ("", "")
    for mutant in sorted(survivors, key=lambda m: m.number):
        path, place, _ = keys[mutant]
        reason = reasons.get(keys[mutant], UNEXPLAINED)
        if lines[-1] == "" or path != last[0]:
            lines += [] if lines[-1] == "" else [""]
            lines += [f"### {path}", ""]
        if (path, place) != last:
            lines.append(f"- `{place}`")
        last = (path, place)
        lines.append(f"  - `{mutant.before}` as `{mutant.after}`: {reason}")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="mutants of the ground floor")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--copies", type=int, default=40000, help="of the longer run")
    parser.add_argument("--limit", type=int, help="run this many mutants, drawn by chance")
    parser.add_argument("--report", action="store_true", help="what is known, and run nothing")
    parser.add_argument("--compiler", default="g++", help="a g++")
    parser.add_argument("--write", action="store_true", help="rewrite MUTANTS.md")
    options = parser.parse_args()
    scratch = options.build.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    mutants = prepare(scratch, options.compiler)

    keys = keys_of(mutants)
    log = scratch / "results.jsonl"
    known: dict[Key, str | None] = {}
    if log.exists():
        for line in log.read_text().splitlines():
            (path, place, change), result = json.loads(line)
            known[path, place, change] = result
    order = list(mutants)
    random.Random(1).shuffle(order)
    order = order[: options.limit]
    results: dict[Mutant, str | None] = {}
    if options.report:
        results = {mutant: known[keys[mutant]] for mutant in order if keys[mutant] in known}
        order = []
    else:
        program = build(scratch, options.compiler)
        if killed := killed_by(program, 0, options.copies):
            raise SystemExit(f"expected the unchanged program to pass, but got a {killed}")

    def run_one(mutant: Mutant) -> None:
        key = keys[mutant]
        if not known.get(key):
            known[key] = killed_by(program, mutant.number, options.copies)
            with log.open("a") as out:
                out.write(json.dumps([key, known[key]]) + "\n")
            if known[key] is None:
                print(f"{mutant.line} {mutant.key}", flush=True)
        results[mutant] = known[key]

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run_one, order))
    text = summary(mutants, keys, results, options.copies)
    print(text)
    if options.write:
        (TESTS / "MUTANTS.md").write_text(text)
    alive = [mutant for mutant, result in results.items() if result is None]
    reasons = explanations()
    explained = all(keys[mutant] in reasons for mutant in alive)
    for mutant, result in results.items():
        if result and keys[mutant] in reasons:
            print(f"expected to survive, but got killed: {mutant.line} {mutant.key}")
            explained = False
    if strangers := set(reasons) - set(keys.values()):
        print("\n".join(["explained, but no mutant:", *map(str, sorted(strangers))]))
        explained = False
    return 0 if explained and 100 * len(alive) <= (100 - LEAST) * len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
