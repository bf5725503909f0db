"""Takes links out of the pages that lead to files outside of them.

`[README](../README.md)` is right where the sources are read, and leads nowhere from the site: there
only the words stay.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

LINK = re.compile(r"\[([^\]\n]+)\]\((\.\./[^)#\s]+)(?:#[^)\s]*)?\)")


def unlink(app: Sphinx, docname: str, source: list[str]) -> None:
    pages = Path(app.srcdir)
    directory = (pages / docname).parent

    def words(match: re.Match[str]) -> str:
        target = (directory / match[2]).resolve()
        return match[0] if target.is_relative_to(pages) else match[1]

    source[0] = LINK.sub(words, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", unlink)
    return {"parallel_read_safe": True}
