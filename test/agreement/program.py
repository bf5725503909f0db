"""Compile the agreement program with a C++ compiler alone, without CMake and MLIR."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "test" / "agreement"
FLOOR = ROOT / "lib" / "Layout"
HEADERS = ROOT / "include"
FLAGS = ["-std=c++17", "-fno-exceptions", "-fno-rtti"]


def sources() -> list[pathlib.Path]:
    """The files of the program: those of this directory and those of the ground floor."""
    return sorted([*TESTS.glob("*.cpp"), *FLOOR.rglob("*.cpp")])


def build(
    directory: pathlib.Path, compiler: str, flags: Sequence[str], jobs: int = 2
) -> pathlib.Path:
    """Compile every file with `flags` in `directory`, and return the path of the program."""

    def compile_one(source: pathlib.Path) -> str:
        target = directory / f"{source.stem}.o"
        command = [compiler, *FLAGS, *flags, f"-I{HEADERS}", "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True, cwd=directory)
        return str(target)

    with ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(compile_one, sources()))
    program = directory / "agreement"
    subprocess.run([compiler, *flags, *objects, "-o", str(program)], check=True, cwd=directory)
    return program
