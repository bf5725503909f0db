"""What only a terminal gets: colours and progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

import click

Item = TypeVar("Item")

_STYLES: dict[str, dict[str, str | bool]] = {
    "title": {"bold": True},
    "legal": {"fg": "green"},
    "illegal": {"fg": "red", "bold": True},
    "change": {"fg": "cyan"},
    "note": {"dim": True},
}


def colored() -> bool:
    """True if standard output is a terminal whose user wants colours."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def styled(kind: str, text: str, color: bool) -> str:
    """A line in the style of its kind; as it is without colour."""
    style = _STYLES.get(kind) if color else None
    return click.style(text, **style) if style else text  # type: ignore[arg-type]


def with_progress(items: Sequence[Item], label: str, quiet: bool) -> Iterator[Item]:
    """The items, with a bar on standard error while they are worked on, if that is a terminal."""
    if quiet or len(items) < 2 or not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=label, file=sys.stderr) as bar:
        yield from bar
