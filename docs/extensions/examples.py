"""Lists the examples on a page, each with what it says of itself.

A line `% examples` is replaced by a section for each program of `examples/`: its docstring, the
module, and the program that builds it. A new example needs no entry.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LINE = re.compile(r"^% examples$", re.MULTILINE)
FIRST = "copy_128x128b"
SHARED = "kernel"


def names() -> list[str]:
    """The examples: the first copy first, the module that they share last."""
    found = sorted(path.stem for path in EXAMPLES.glob("*.py"))
    return sorted(found, key=lambda name: (name != FIRST, name == SHARED))


def section(name: str) -> str:
    """The section on one example, as Markdown."""
    program = EXAMPLES / f"{name}.py"
    docstring = ast.get_docstring(ast.parse(program.read_text(encoding="utf-8"))) or name
    title, _, text = docstring.partition("\n")
    parts = [f"## {title.rstrip('.:')}", prose(text)]
    for file, language in ((EXAMPLES / f"{name}.mlir", "mlir"), (program, "python")):
        if file.is_file():
            parts += [f"`examples/{file.name}`:", included(file, language)]
    return "\n\n".join(parts) + "\n"


def prose(text: str) -> str:
    """A docstring as Markdown: what is indented is shown as it is."""
    paragraphs = [p for p in text.strip("\n").split("\n\n") if p.strip()]
    shown = [f"```text\n{dedent(p)}\n```" if p.startswith("    ") else p for p in paragraphs]
    return "\n\n".join(shown)


def dedent(text: str) -> str:
    return re.sub(r"^ {4}", "", text, flags=re.MULTILINE)


def included(file: Path, language: str) -> str:
    # From the directory of the pages.
    path = f"/../{file.relative_to(ROOT).as_posix()}"
    return f":::{{literalinclude}} {path}\n:language: {language}\n:::"


def replace_line(app: Sphinx, docname: str, source: list[str]) -> None:
    if not LINE.search(source[0]):
        return
    app.env.note_dependency(str(EXAMPLES))
    text = "\n".join(map(section, names()))
    source[0] = LINE.sub(lambda _: text, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", replace_line)
    return {"parallel_read_safe": True}
