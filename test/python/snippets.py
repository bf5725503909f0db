"""Reads and runs what the documentation shows.

A fenced block is one of these:

    ```mlir              a module: parses, verifies, survives a round trip
    ```mlir refused      a module that does not verify; a `text` block after it holds the messages
    ```python            a program; a `text` block after it holds what it prints
    ```console           lines `$ command`, each followed by what it prints
    ```c++, ```text      shown only (but see above)

A block whose first line is a comment with a file name, `// copy.mlir` or `# lit.cfg.py`, is that
file in the directory where the console blocks of its document run. In expected output, a line
`...` stands for any lines.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mlir_tcgen05._tools import tool_environment, tool_path

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
TIMEOUT = 300  # seconds
FILE_NAME = re.compile(r"(?://|#) ([\w.-]+\.\w+)$")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, its language and words after it, what follows it."""

    path: Path
    line: int
    language: str
    words: str
    text: str
    output: str | None

    def __str__(self) -> str:
        inside = self.path.is_relative_to(ROOT)
        return f"{self.path.relative_to(ROOT) if inside else self.path.name}:{self.line}"

    @property
    def file_name(self) -> str | None:
        """The name that the first line gives it."""
        match = FILE_NAME.match(self.text.partition("\n")[0])
        return match[1] if match else None


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a file, indentation taken off.

    Raises:
        ValueError: a block is not closed.
    """
    found: list[Block] = []
    lines = path.read_text().splitlines()
    number = 0
    previous_end = -2
    while number < len(lines):
        fence = re.match(r"( *)```([\w+]*) *(.*)$", lines[number])
        number += 1
        if not fence:
            continue
        start = number
        while number < len(lines) and lines[number].strip() != "```":
            number += 1
        if number == len(lines):
            raise ValueError(f"expected the block at {path}:{start} to be closed, but got the end")
        text = "\n".join(line[len(fence[1]) :].rstrip() for line in lines[start:number])
        number += 1
        block = Block(path, start, fence[2], fence[3].strip(), text, None)
        # Output follows its snippet with nothing but empty lines between.
        between = lines[previous_end : start - 1] if found else ["-"]
        if block.language == "text" and not any(line.strip() for line in between):
            last = found.pop()
            block = Block(last.path, last.line, last.language, last.words, last.text, text)
        found.append(block)
        previous_end = number
    return found


def matches(expected: str, got: str) -> bool:
    """Whether the output is the expected one, but for trailing blanks and lines of `...`."""
    parts = [
        r"(?:.*\n)*?" if line.rstrip() == "..." else re.escape(line.rstrip()) + "\n"
        for line in expected.strip("\n").splitlines()
    ]
    clean = "".join(line.rstrip() + "\n" for line in got.strip("\n").splitlines())
    return re.fullmatch("".join(parts), clean) is not None


def run_opt(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs tcgen05-opt on a module."""
    return subprocess.run(
        [str(tool_path("tcgen05-opt")), "-mlir-print-op-on-diagnostic=false", *options],
        input=text,
        capture_output=True,
        text=True,
        env=tool_environment(),
        timeout=TIMEOUT,
    )


def messages(stderr: str) -> str:
    """The errors and notes of a tool, one a line, without their places."""
    return "\n".join(re.findall(r"^\S+:\d+:\d+: ((?:error|note): .*)$", stderr, re.MULTILINE))


def run_python(text: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program in a directory."""
    return subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        cwd=directory,
        timeout=TIMEOUT,
    )


def workspace(path: Path, directory: Path) -> dict[str, str]:
    """Writes the files that a document names, and returns the environment of its commands.

    The commands that an installation puts on PATH are there, of the package under test.
    """
    for block in blocks(path):
        if block.file_name:
            (directory / block.file_name).write_text(block.text + "\n")
    (directory / "examples").symlink_to(ROOT / "examples")
    programs = directory / "bin"
    programs.mkdir()
    # lit hands PYTHONPATH to no test.
    setting = f"PYTHONPATH={shlex.quote(os.environ.get('PYTHONPATH', ''))}"
    for name, arguments in {
        "filecheck": ["-m", "filecheck"],
        "lit": ["-c", "from lit.main import main; main()"],
        "python": [],
        "tcgen05": ["-m", "mlir_tcgen05"],
        "tcgen05-opt": ["-c", "from mlir_tcgen05._tools import opt; opt()"],
        "tcgen05-reduce": ["-c", "from mlir_tcgen05._tools import reduce; reduce()"],
    }.items():
        script = programs / name
        command = shlex.join([sys.executable, *arguments])
        script.write_text(f'#!/bin/sh\n{setting} exec {command} "$@"\n')
        script.chmod(0o755)
    places = [str(programs), os.environ.get("PATH", os.defpath)]
    return {**os.environ, "PATH": os.pathsep.join(places), "PYTHONDONTWRITEBYTECODE": "1"}


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block with what each prints.

    Raises:
        ValueError: the block does not begin with a command.
    """
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0] + "\n" + line, "")
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
        else:
            raise ValueError(f"expected {block} to begin with '$ ', but got {line!r}")
    return found


def what_runs_here(command: str) -> str:
    """The command without what installs, gets or builds the project, or runs this very suite."""
    parts = [part.strip() for part in command.split("&&")]
    installs = r"(pip|git|cmake|pre-commit|nox|sphinx-build) |python3 -m venv |lit -v test$"
    others = rf"{installs}|[.] |cd |mkdir "
    return " && ".join(part for part in parts if not re.match(others, part))


def run_commands(
    typed: Sequence[str], directory: Path, environment: dict[str, str], timeout: float = TIMEOUT
) -> Iterator[tuple[str, int, float]]:
    """Runs commands in one shell; yields what each prints, its status and its seconds.

    Raises:
        subprocess.TimeoutExpired: they are not done in time; all that they started is ended.
        RuntimeError: one of them ended the shell.
    """
    mark = "--- end of the command, with status"
    script = "\n".join(f"{command}\necho '{mark}' $?" for command in typed)
    expired = threading.Event()
    with subprocess.Popen(
        ["bash", "-c", script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=directory,
        env=environment,
        start_new_session=True,
    ) as shell:

        def end() -> None:
            expired.set()
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, end)
        timer.start()
        try:
            assert shell.stdout is not None
            done, got, began = 0, "", time.monotonic()
            for line in shell.stdout:
                text, found, status = line.partition(mark)
                got += text
                if found:
                    now = time.monotonic()
                    yield got, int(status), now - began
                    done, got, began = done + 1, "", time.monotonic()
        except BaseException:  # the caller's too, who may not come back
            end()
            raise
        finally:
            timer.cancel()
    if expired.is_set():
        raise subprocess.TimeoutExpired(typed[done], timeout, got)
    if done < len(typed):
        raise RuntimeError(f"expected {typed[done]!r} to return, but it ended the shell: {got}")


def run_console(
    block: Block, directory: Path, environment: dict[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Runs the commands of a block in one shell; yields command, expected and actual output."""
    pairs = [pair for pair in commands(block) if what_runs_here(pair[0])]
    ran = run_commands([what_runs_here(c) for c, _ in pairs], directory, environment)
    for (command, expected), (got, _, _) in zip(pairs, ran, strict=True):
        yield command, expected, got
