# REQUIRES: sources
# RUN: %pytest %s
"""A new user's path: from a clone to the first own copy compiled and drawn, by the tutorial alone.

Nothing of what is under test is on the path: the clone is installed into an environment of its own,
by the commands that the tutorial shows, without a compiler cache. It takes minutes.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from snippets import ROOT, what_runs_here
from tutorial import MINUTES, TUTORIAL, Step, follow

PROMISED = 2 * 60 * MINUTES
"""Seconds of processors. What the tutorial promises is for two of them that do nothing else; what
this machine does beside adds to the time of day, but not to these."""
PATIENCE = 3 * 60 * MINUTES
"""Seconds of the day after which the path counts as having no end."""
KEPT = re.compile(r"HOME|LANG|TERM|TMPDIR|USER|PIP_\w+|SSL_CERT_\w+|\w+_CA_BUNDLE|(?i:\w+_proxy)")
"""Variables that a new user has: those of the machine, and how it reaches the network."""
LEFT_OUT = shutil.ignore_patterns(".*_cache", ".nox", "__pycache__", "*venv", "build")
COMPILES = re.compile(r"tcgen05 compile (\w+)\.mlir .*-o (\S+\.cubin)$")
DRAWS = re.compile(r"tcgen05 plot (\w+)\.mlir -o (\S+\.svg)$")
SVG = "{http://www.w3.org/2000/svg}"


def environment(directory: Path) -> dict[str, str]:
    """Variables without any of this suite's, and a PATH without virtual environments."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = [p for p in places if p and not in_virtual_environment(Path(p))]
    # The interpreter of the suite, by the name that the tutorial has: the machine's may be too old.
    programs = directory / "bin"
    programs.mkdir()
    base = Path(sys.base_exec_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    python = programs / "python3"
    python.write_text(f'#!/bin/sh\nexec "{base}" "$@"\n')
    python.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    return {**kept, "PATH": os.pathsep.join([str(programs), *outside])}


def in_virtual_environment(place: Path) -> bool:
    return any((parent / "pyvenv.cfg").is_file() for parent in (place, *place.parents))


def clone(directory: Path, variables: dict[str, str]) -> Path:
    """The sources as they were committed last, or a copy where this is no repository."""
    target = directory / "sources"
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        shutil.copytree(ROOT, target, ignore=LEFT_OUT)
        return target
    # Another user's repository is no obstacle; what git starts reads this file too.
    settings = directory / "gitconfig"
    settings.write_text("[safe]\n\tdirectory = *\n")
    subprocess.run(
        ["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(target)],
        check=True,
        env={**variables, "GIT_CONFIG_GLOBAL": str(settings)},
        timeout=300,
    )
    return target


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A directory that is gone afterwards: an installation has gigabytes."""
    yield tmp_path
    shutil.rmtree(tmp_path)


def processors() -> float:
    """Seconds of processors that what has been started, and has ended, took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first(steps: list[Step], pattern: re.Pattern[str]) -> tuple[int, re.Match[str]]:
    """The first command of a kind."""
    for number, step in enumerate(steps):
        if match := pattern.match(step.command):
            return number, match
    raise AssertionError(f"expected a command like {pattern.pattern} in the tutorial, but got none")


def test_from_a_clone_to_a_copy(scratch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variables = environment(scratch)
    began, spent = time.monotonic(), processors()
    sources = clone(scratch, variables)
    cloned = time.monotonic() - began
    page = sources / TUTORIAL.relative_to(ROOT)
    steps: list[Step] = []
    for step in follow(page, sources, variables, timeout=PATIENCE):
        steps.append(step)
        with capsys.disabled():
            print(f"\n{step}", end="", flush=True)
        # What pip prints is its own matter; all else is what the page shows.
        installs = not what_runs_here(step.command)
        assert step.status == 0 if installs else step.as_expected, f"{step}\n{step.got}"

    compiled, cubin = first(steps, COMPILES)
    drawn, picture = first(steps, DRAWS)
    until = steps[: max(compiled, drawn) + 1]
    installing = sum(step.seconds for step in until if not what_runs_here(step.command))
    took = cloned + sum(step.seconds for step in until)
    spent = processors() - spent
    with capsys.disabled():
        print(
            "",
            f"{cloned:6.1f} s  to clone",
            f"{installing:6.1f} s  to install",
            f"{steps[compiled].seconds:6.1f} s  to compile",
            f"{steps[drawn].seconds:6.1f} s  to draw",
            f"{took:6.1f} s  from nothing to a copy compiled and drawn",
            f"{cloned + sum(step.seconds for step in steps):6.1f} s  to the end of the tutorial",
            f"{spent:6.1f} s  of processors, of which there are {os.cpu_count()}",
            sep="\n",
        )
    assert spent < PROMISED

    copies = sources.parent / "copies"
    assert (copies / cubin[2]).read_bytes().startswith(b"\x7fELF")
    # Both are of the reader's own copy, whose PTX the tutorial has printed.
    opcodes = {opcode_of(copies / f"{match[1]}.mlir") for match in (cubin, picture)}
    (opcode,) = opcodes
    assert any(step.got.startswith(f"tcgen05.cp.{opcode} ") for step in until)
    root = ElementTree.parse(copies / picture[2]).getroot()
    assert root.tag == f"{SVG}svg"
    labels = {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}
    assert {f"tcgen05.cp.{opcode}", "shared memory", "tensor memory", "0", "31"} <= labels


def opcode_of(module: Path) -> str:
    (opcode,) = re.findall(r'^ *tcgen05\.cp "([^"]+)"', module.read_text(), re.MULTILINE)
    return opcode


def test_nothing_of_this_suite_is_there(scratch: Path) -> None:
    """Neither its variables nor its environment's programs."""
    variables = environment(scratch)
    assert not [n for n in variables if re.match("PYTHON|VIRTUAL_ENV|TCGEN05|CMAKE|CCACHE", n)]
    for name in ("tcgen05", "pip", "lit", "cmake", "python3"):
        found = shutil.which(name, path=variables["PATH"])
        assert found is None or not in_virtual_environment(Path(found).parent), found
    asked = "import sys; print(sys.prefix == sys.base_prefix, sys.version_info[:2])"
    answer = subprocess.run(
        ["python3", "-c", asked], env=variables, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == f"True {sys.version_info[:2]}"
