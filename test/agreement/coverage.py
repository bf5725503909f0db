"""Coverage of the ground floor by the agreement program: lines, functions, branches.

    python test/agreement/coverage.py [--copies N] [--seed N] [--build DIR]

Compiles `lib/Layout` and this directory with g++ and `--coverage`, runs the program, and lets gcovr
(extra `test`) count what was reached in `lib/Layout` and `include/tcgen05/Layout`. Prints a line
for each file; exit status 1 if a line, a function or a branch was not reached, or if the program
found a disagreement. Branches that the compiler adds for exceptions are not counted; nothing else
is left out.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

from program import FLOOR, HEADERS, ROOT, build

# Without optimisation, so that each branch of the text is one of the program.
FLAGS = ["-O0", "--coverage", "-fprofile-abs-path"]


def report(directory: pathlib.Path) -> int:
    """Let gcovr print what was reached; its exit status."""
    command = [sys.executable, "-m", "gcovr", f"--root={ROOT}", f"--object-directory={directory}"]
    for floor in (FLOOR, HEADERS / "tcgen05" / "Layout"):
        command.append(f"--filter={floor}/.*")
    command += ["--exclude-throw-branches", "--exclude-unreachable-branches"]
    command += ["--txt-metric=branch", "--txt=-", "--print-summary"]
    command += [f"--fail-under-{what}=100" for what in ("line", "function", "branch")]
    command.append(str(directory))
    return subprocess.run(command, cwd=directory).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description="line and branch coverage of the ground floor")
    parser.add_argument("--copies", type=int, default=4000, help="how many copies to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--build", type=pathlib.Path, help="where to build (default: a directory that is removed)"
    )
    options = parser.parse_args()
    for tool in ("g++", "gcov"):
        if shutil.which(tool) is None:
            parser.error(f"expected {tool} on PATH, but found none")
    with tempfile.TemporaryDirectory(prefix="tcgen05-coverage-") as scratch:
        directory = (options.build or pathlib.Path(scratch)).resolve()
        directory.mkdir(parents=True, exist_ok=True)
        for stale in directory.glob("*.gc*"):
            stale.unlink()
        program = build(directory, "g++", FLAGS)
        command = [str(program), str(options.copies), str(options.seed)]
        run = subprocess.run(command, cwd=directory, capture_output=True, text=True)
        if run.returncode != 0:
            print(run.stdout + run.stderr)
            return 1
        print(run.stdout.splitlines()[-1], flush=True)
        return 1 if report(directory) else 0


if __name__ == "__main__":
    sys.exit(main())
