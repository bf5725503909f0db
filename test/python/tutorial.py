"""Follows a page as a reader does: in one shell, each file where the shell is by then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from snippets import ROOT, TIMEOUT, Block, blocks, commands, matches, run_commands

TUTORIAL = ROOT / "docs" / "tutorial.md"
MINUTES = 10
"""What the tutorial promises, from the clone on."""


@dataclass(frozen=True)
class Step:
    """A command of a page that has run, or a file of it that was written.

    Attributes:
        block: where it stands.
        command: as it stands; `(writes copy.mlir)` for a file.
        expected, got: the output that the page shows, and the one that there was.
        status: of the shell.
        seconds: what it took.
    """

    block: Block
    command: str
    expected: str
    got: str
    status: int
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Whether the output is the one of the page; statuses are not shown there."""
        return matches(self.expected, self.got)

    def __str__(self) -> str:
        return f"{self.seconds:6.1f} s  {self.block}: {self.command}"


def follow(
    page: Path,
    directory: Path,
    environment: dict[str, str],
    typed: Callable[[str], str] = lambda command: command,
    timeout: float = TIMEOUT,
) -> Iterator[Step]:
    """Types what a page shows, block by block.

    Args:
        page: the page.
        directory: where the shell begins.
        environment: all of the variables that it has.
        typed: what is typed for a command, if not the command itself; nothing if that is empty.
        timeout: seconds for all of it.

    Raises:
        subprocess.TimeoutExpired: it takes longer.
    """
    shown: list[tuple[Block, str, str, str]] = []
    for block in blocks(page):
        if block.file_name:
            end = "END OF THE FILE"
            writes = f"cat > {block.file_name} <<'{end}'\n{block.text}\n{end}"
            shown.append((block, f"(writes {block.file_name})", "", writes))
        elif block.language == "console":
            for command, expected in commands(block):
                if typed(command):
                    shown.append((block, command, expected, typed(command)))
    ran = run_commands([types for *_, types in shown], directory, environment, timeout)
    for (block, command, expected, _), (got, status, seconds) in zip(shown, ran, strict=True):
        yield Step(block, command, expected, got, status, seconds)
