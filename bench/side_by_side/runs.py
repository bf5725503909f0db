"""Starts the programs, and finds in what they print who said what."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import NamedTuple

from .. import ROOT
from ..sampling import search_path
from ..versions import CUTE, GLUON, MISSING, TIRX, versions

LEGAL, PADDED = 4, 8
"""Words from one row to the next."""
SECONDS = 300
"""What a program may take; the slowest takes a few."""


class Contender(NamedTuple):
    """A compiler, and one way to use it."""

    name: str
    program: str
    """The module of this package."""
    way: str
    what: str
    """The way, in words."""
    distribution: str = ""
    """What has to be installed; nothing for us."""
    wraps: bool = False
    """It breaks its sentences into lines."""
    whole: bool = False
    """All of its output is about the copy."""

    @property
    def title(self) -> str:
        """The name with the way."""
        return f"{self.name}, {self.what}"

    def missing(self) -> str | None:
        """The sentence that says that it is not here; None if it is."""
        if not self.distribution or versions([self.distribution])[self.distribution] != MISSING:
            return None
        return f"{self.distribution} is {MISSING}"

    def command(self, pitch: int) -> list[str]:
        """What a person would type."""
        return ["python", "-m", f"bench.side_by_side.{self.program}", self.way, str(pitch)]


CONTENDERS = (
    Contender("this project", "ours", "compile", "tcgen05 compile"),
    Contender("this project", "ours", "explain", "tcgen05 explain", whole=True),
    Contender("TIRx", "tirx", "tile", "a tile call", TIRX),
    Contender("Gluon", "gluon", "slice", "four columns of a tile of eight", GLUON),
    Contender("Gluon", "gluon", "padded", "PaddedSharedLayout (legal: without the copy)", GLUON),
    Contender("CuTe DSL", "cutedsl", "plain", "as it is", CUTE, wraps=True),
    Contender("CuTe DSL", "cutedsl", "lines", "--generate-line-info", CUTE, wraps=True),
)


@dataclass(frozen=True)
class Outcome:
    """What became of a program."""

    status: str
    """`status 0`, `status 1`, `ended by SIGABRT`, `no end within 300 s`."""
    copies: tuple[str, ...]
    """The instructions `tcgen05.cp` of what it made."""
    lines: tuple[str, ...]
    """Its errors and notes, complete; none where it succeeded."""

    def find(self, part: str) -> str:
        """The first words that are such a part of the sentences; empty where none are."""
        text = "\n".join(self.lines)
        found = (re.search(pattern, text) for pattern in PARTS[part])
        return next((" ".join(match[0].split()) for match in found if match), "")


# What is looked for in the sentences of all contenders alike, the first of several that is there.
PARTS = {
    # A name or an address under which one can read why.
    "rule": (r"\bC\d+\b", r"\bhttps?://\S+"),
    # Where in the program the copy is.
    "place": (r"[\w./-]+\.\w+:\d+:\d+",),
    # The first element that is not where an instruction reads it.
    "first point": (r"\brow[ =]\d+, \w+[ =]\d+",),
    "remedy": (
        r"\bchange .+->.+",
        r"\b(?:use|try) .+",
        r"\b(?:hint|suggestion): .+",
        r"\bthese .+ are a .+",
    ),
}

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_HEAD = re.compile(r"\s*(?:\S+: )*(?:error|note|LLVM ERROR|[\w.]*Error): ?")
# What stands between the sentences: IR, tracebacks, a word about leaks at the end.
_OTHER = re.compile(r"module|#\w+|nanobind:|\{-#|Traceback|  File ")


def sentences(text: str, wraps: bool = False) -> list[str]:
    """The errors and notes of an output, with the lines that belong to them.

    Args:
        text: the output.
        wraps: lines that are indented further than the sentence continue it.
    """
    kept: list[str] = []
    inside = False
    for line in text.splitlines():
        if _HEAD.match(line):
            inside = True
        elif _OTHER.match(line):
            inside = False
        if not inside or not line.strip():
            continue
        if wraps and line.startswith(" " * 8) and _HEAD.match(kept[-1]):
            kept[-1] += f" {line.strip()}"
        else:
            kept.append(line.rstrip())
    return kept


def run(contender: Contender, pitch: int) -> Outcome:
    """Runs a program in a process of its own, in an empty directory."""
    command = [sys.executable, *contender.command(pitch)[1:]]
    with tempfile.TemporaryDirectory(prefix="tcgen05-side-") as directory:
        environment = {
            **os.environ,
            "PYTHONPATH": search_path(),
            "TRITON_CACHE_DIR": directory,
            "NO_COLOR": "1",
        }
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                errors="replace", cwd=directory, env=environment, timeout=SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Outcome(f"no end within {SECONDS} s", (), ())
    out, err = (
        _COLOUR.sub("", text).replace(f"{ROOT}{os.sep}", "") for text in (done.stdout, done.stderr)
    )
    if done.returncode == 0:
        copies = re.findall(r"\btcgen05\.cp\.cta_group.*?(?=;)", out)
        return Outcome("status 0", tuple(" ".join(c.split()) for c in copies), ())
    status = f"status {done.returncode}"
    if done.returncode < 0:
        status = f"ended by {signal.Signals(-done.returncode).name}"
    lines = out.splitlines() if contender.whole else sentences(err, contender.wraps)
    return Outcome(status, (), tuple(lines))
