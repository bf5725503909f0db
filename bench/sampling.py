"""Samples: how long a piece of work takes, for several contenders in turn.

A sample holds the time on the wall and on the processor. On a quiet machine the two agree for work
of one thread; on a busy one only the second means anything, so it is what rows are made of unless
`--clock wall` is given. Work on several threads is compared by the wall.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import ROOT


class Sample(NamedTuple):
    """One measurement."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of processor time, of all threads, children included."""
    peak: int = 0
    """Bytes that were resident at most; 0 where nobody looked, or where it cannot be told."""


class Missing(Exception):  # noqa: N818
    """A contender is not installed, or cannot run here; the message is for the table."""


class BrokenBenchmarkError(Exception):
    """A contender did something else than what was to be measured."""


def timed(work: Callable[[], Any], times: int = 1) -> Sample:
    """The cost of one call, as the mean of `times` calls, of this process and its children."""
    cpu, wall = _cpu(), time.perf_counter()
    for _ in range(times):
        work()
    wall, cpu = time.perf_counter() - wall, _cpu() - cpu
    return Sample(wall / times, cpu / times)


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run(
    command: Sequence[str | Path],
    env: Mapping[str, str] | None = None,
    input: str | None = None,  # noqa: A002
    timeout: float = 600,
) -> tuple[Sample, str, str]:
    """Runs a program to its end: what it cost, its standard output and its standard error.

    Raises:
        BrokenBenchmarkError: it failed.
    """
    arguments = [str(part) for part in command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE if input is not None else subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=dict(env) if env is not None else None,
        )
        if input is not None and process.stdin:
            process.stdin.write(input.encode())
            process.stdin.close()
        # wait4 tells what this one child used; getrusage would add up all of them.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        output, errors = (f.read().decode(errors="replace") for f in (out, err))
    if process.returncode != 0:
        raise BrokenBenchmarkError(
            f"expected {Path(arguments[0]).name} to succeed, but got status "
            f"{process.returncode}:\n{' '.join(arguments)}\n{errors[-2000:]}"
        )
    peak = usage.ru_maxrss * 1024
    return Sample(wall, usage.ru_utime + usage.ru_stime, peak * (peak > _held())), output, errors


def _held() -> int:
    """Bytes that this process ever held. After a fork Linux counts them as the child's peak."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def in_turn(
    contenders: Mapping[str, Callable[[], Sample]], rounds: int
) -> dict[str, list[Sample] | str]:
    """Samples of all contenders, one of each and again: `rounds` of each.

    The order is turned round every other time. A contender that is missing has, instead of
    samples, the sentence that says why.
    """
    results: dict[str, list[Sample] | str] = {}
    names = list(contenders)
    for i in range(rounds):
        for name in names if i % 2 == 0 else reversed(names):
            kept = results.setdefault(name, [])
            if isinstance(kept, str):
                continue
            try:
                kept.append(contenders[name]())
            except Missing as error:
                results[name] = str(error)
    return results


class Worker:
    """A process that holds one contender, and measures when it is told to.

    It is started when it is first asked. Requests and answers are lines of JSON, see
    `bench.workers`.

    Args:
        name: a module of `bench.workers`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._process: subprocess.Popen[str] | None = None
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115
        self._missing: str | None = None

    def ask(self, work: str, **arguments: Any) -> Any:
        """The answer of a function of the worker.

        Raises:
            Missing: the contender is not installed.
            BrokenBenchmarkError: it failed.
        """
        if self._missing is not None:
            raise Missing(self._missing)
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bench.workers", self.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._noise,  # rivals talk a lot
                text=True,
                env={**os.environ, "PYTHONPATH": search_path()},
                cwd=ROOT,
            )
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps({"work": work, **arguments}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self._noise.seek(0)
            said = self._noise.read()[-2000:].decode(errors="replace")
            raise BrokenBenchmarkError(
                f"expected an answer of worker {self.name}, but it ended:\n{said}"
            )
        answer = json.loads(line)
        if "missing" in answer:
            self._missing = answer["missing"]
            raise Missing(answer["missing"])
        if "error" in answer:
            raise BrokenBenchmarkError(f"worker {self.name}: {answer['error']}")
        return answer["result"]

    def sample(self, work: str, **arguments: Any) -> Sample:
        """The same, for functions that return a sample."""
        return Sample(*self.ask(work, **arguments))

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None and self._process.stdin:
            self._process.stdin.close()
            self._process.wait(timeout=60)
            self._process = None
        self._noise.close()


def search_path() -> str:
    """PYTHONPATH for a child: the sources' root for `bench`, then ours."""
    return os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
