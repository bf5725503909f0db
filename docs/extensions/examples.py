"""Makes the pages on the examples out of the examples.

A line `% example: NAME` is replaced by a page: what the opening comment of `examples/NAME.mlir`
says, a picture of its copies, how to compile it, both sources, and where to read on. A line
`% examples` is replaced by the table of `examples/README.md`, whose names lead to these pages, and
their table of contents. A new example needs a row there and a page with that one line.
"""

from __future__ import annotations

import ast
import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

if TYPE_CHECKING:
    from mlir_tcgen05._explain import Explanation

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TABLE = EXAMPLES / "README.md"
INDEX_LINE = re.compile(r"^% examples$", re.MULTILINE)
PAGE_LINE = re.compile(r"^% example: (\w+)$", re.MULTILINE)
ROW = re.compile(r"^\| \[(\w+)\]\(\1\.mlir\) \|.*\|$", re.MULTILINE)
BEGINNING = r"^(Who needs it|To change):"
"""What begins a line of the opening comment, and a paragraph of the page."""
COMMAND = re.compile(r"^ +((?:python .*)?\btcgen05 compile .*)$", re.MULTILINE)
SHARED = "kernel"
"""The module that the programs share: a page without a picture."""
OTHERS = (SHARED, "lit")
"""Pages that the table has no row for."""


@dataclass(frozen=True)
class Example:
    """What a page is made of."""

    name: str

    @property
    def module(self) -> Path:
        return EXAMPLES / f"{self.name}.mlir"

    @property
    def program(self) -> Path:
        return EXAMPLES / f"{self.name}.py"

    @cached_property
    def docstring(self) -> str:
        found = ast.get_docstring(ast.parse(self.program.read_text(encoding="utf-8")))
        return found or self.name

    @cached_property
    def header(self) -> str:
        """The opening comment of the module, or else the docstring of the program."""
        if not self.module.is_file():
            return self.docstring
        comment = re.match(r"(?://.*\n)+", self.module.read_text(encoding="utf-8"))
        if not comment:
            raise ExtensionError(f"expected {self.module.name} to open with a comment")
        return re.sub(r"^// ?", "", comment[0], flags=re.MULTILINE).rstrip()

    @cached_property
    def paragraphs(self) -> list[str]:
        """The title, what the first sentence says after a colon, and the rest, without commands."""
        first = re.match(r"(.+?)(?:\.|:\s+(.+?\.))(?=\s|$)", self.header, re.DOTALL)
        if not first:
            raise ExtensionError(f"expected {self.name} to open with a sentence")
        rest = re.sub(BEGINNING, r"\n\1:", self.header[first.end() :], flags=re.MULTILINE)
        lead = " ".join((first[2] or "").split())
        after = [p.rstrip() for p in re.split(r"\n\n+", rest.strip("\n"))]
        shown = [lead[:1].upper() + lead[1:], *(p for p in after if not COMMAND.search(p))]
        return [" ".join(first[1].split()), *filter(None, shown)]

    @cached_property
    def commands(self) -> list[str]:
        """What compiles it, in the directory of the examples; then what draws its picture."""
        found = COMMAND.findall(f"{self.header}\n{self.docstring}")
        return [*found, f"tcgen05 plot {self.module.name} -o {self.name}.svg"]

    @cached_property
    def explanations(self) -> list[Explanation]:
        """Its copies, placed in the file as it is named in the repository."""
        import mlir_tcgen05 as t5
        from mlir import ir

        with t5.Context():
            found = t5.explain(ir.Module.parse(self.module.read_text(encoding="utf-8")))
            for explanation in found:
                explanation.file = f"examples/{self.module.name}"
                if not explanation.legal:
                    raise ExtensionError(f"expected a legal example, but got: {explanation}")
            return found


def rows() -> dict[str, str]:
    """The rows of the table by the names of the examples, in the order in which to read them."""
    found = {row[1]: row[0] for row in ROW.finditer(TABLE.read_text(encoding="utf-8"))}
    missing = sorted({path.stem for path in EXAMPLES.glob("*.mlir")} ^ set(found))
    if missing:
        raise ExtensionError(
            f"expected each example to have a row in {TABLE.name}, but got: {missing}"
        )
    return found


def index() -> str:
    """The table of the examples and the contents, as Markdown."""
    found = rows()
    table = TABLE.read_text(encoding="utf-8")
    head = re.search(r"^\|.*\|\n\|[-|]+\|$", table, re.MULTILINE)
    if not head:
        raise ExtensionError(f"expected {TABLE.name} to have a table, but got none")
    lines = [row.replace(f"({name}.mlir)", f"(examples/{name}.md)") for name, row in found.items()]
    contents = [f"{name} <examples/{name}>" for name in found]
    contents += [f"examples/{name}" for name in OTHERS]
    return "\n".join([head[0], *lines, "", ":::{toctree}", ":hidden:", "", *contents, ":::", ""])


def page(app: Sphinx, name: str) -> str:
    """The page on one example, as Markdown."""
    example = Example(name)
    for file in filter(Path.is_file, (example.module, example.program)):
        app.env.note_dependency(str(file))
    title, *text = example.paragraphs
    parts = [f"# {title}", *map(paragraph, text)]
    if name == SHARED:
        return "\n\n".join([*parts, included(example.program, "python")]) + "\n"
    commands = "\n".join(f"$ {command}" for command in example.commands)
    parts += [
        picture(app, example),
        "## Compile and draw it",
        f"In the directory `examples`:\n\n```console\n{commands}\n```",
        "## The kernel",
        included(example.module, "mlir"),
        "## The program that builds it",
        included(example.program, "python"),
        "## Read on",
        "\n".join(f"- {line}" for line in further(example)),
    ]
    return "\n\n".join(parts) + "\n"


def paragraph(text: str) -> str:
    """A paragraph as Markdown: what is indented is shown as it is."""
    if text.startswith("    "):
        return f"```text\n{re.sub('^ {4}', '', text, flags=re.MULTILINE)}\n```"
    linked = re.sub(rf"(?<![`\w/])({'|'.join(rows())})(?![`\w.])", r"[\1](\1.md)", text)
    return re.sub(BEGINNING, r"**\1:**", linked)


def included(file: Path, language: str) -> str:
    path = f"/../{file.relative_to(ROOT).as_posix()}"
    return (
        f":::{{literalinclude}} {path}\n:language: {language}\n:caption: examples/{file.name}\n:::"
    )


def drawn(app: Sphinx, example: Example) -> tuple[str, str]:
    """Draws the copies: the picture's place, from the root of the pages, and what it shows."""
    import mlir_tcgen05 as t5

    directory = Path(app.doctreedir) / "pictures"
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / f"{example.name}.svg"
    explanations = example.explanations
    t5.plot(explanations).save(file)
    opcodes = ", ".join(dict.fromkeys(e.copy.opcode for e in explanations if e.copy))
    return f"/{relative(file, Path(app.srcdir))}", f"{example.name}, {opcodes}"


def picture(app: Sphinx, example: Example) -> str:
    place, shown = drawn(app, example)
    return f":::{{image}} {place}\n:alt: {shown}\n:::"


def add_picture(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Ends the description of a layout that has a name by a picture of a copy that uses it."""
    layout = re.fullmatch(r"mlir_tcgen05\.catalog\.((?:smem|tmem)\w*)", name)
    returned = getattr(thing, "__annotations__", {}).get("return", "")
    if not layout or "Layout" not in str(returned):
        return
    used = re.compile(rf"\bcatalog\.{layout[1]}\(")
    users = [user for user in map(Example, rows()) if used.search(user.program.read_text())]
    if not users:
        raise ExtensionError(f"expected an example that uses catalog.{layout[1]}, but got none")
    place, shown = drawn(app, users[0])
    pages = ", ".join(f":doc:`/howto/examples/{user.name}`" for user in users)
    lines += ["", f"In the examples: {pages}.", "", f".. image:: {place}", f"   :alt: {shown}", ""]


def relative(file: Path, directory: Path) -> str:
    """From a directory to a file, which may be outside of it."""
    return Path(os.path.relpath(file, directory)).as_posix()


def further(example: Example) -> list[str]:
    """Links to what this example is an example of."""
    from mlir_tcgen05._rules import rule

    module = re.sub(r"//.*", "", example.module.read_text(encoding="utf-8"))
    program = example.program.read_text(encoding="utf-8")
    names = dict.fromkeys(re.findall(r"(?<![.!#\w])tcgen05\.(\w+)", module))
    lines = ["Operations: " + ", ".join(map(operation, names))]
    names = dict.fromkeys(re.findall(r"\bcatalog\.(\w+)\(", program))
    if names:
        links = ", ".join(f"{{py:func}}`~mlir_tcgen05.catalog.{name}`" for name in names)
        lines.append(f"Layouts by their names: {links}")
    for name in rules_of(example):
        lines.append(f"Rule [{name}](../../rules/{name}.md): {rule(name).statement}")
    if re.search(rf"^import {SHARED}$", program, re.MULTILINE):
        lines.append(f"[What stands around the copies]({SHARED}.md)")
    lines.append("The [tutorial](../../tutorial.md), from nothing to a kernel like this one")
    return lines


def operation(name: str) -> str:
    """A link to an operation, whose heading is its name and its class."""
    anchor = f"tcgen05{name}-tcgen05{name.replace('_', '')}op"
    return f"[tcgen05.{name}](../../reference/dialect.md#{anchor})"


def rules_of(example: Example) -> list[str]:
    """The rules that have something to decide here, beside the walk itself."""
    from mlir_tcgen05.layout import Swizzle

    found = [e for e in example.explanations if e.copy and e.plan]
    names = {
        "C5": any(e.plan.opcode.atom.replicas > 1 for e in found),
        "C9": any(len(e.issues) > 1 for e in found),
        "C10": True,
        "C13": any(e.copy.src.swizzle != Swizzle("none") for e in found),
    }
    return [name for name, decides in names.items() if decides]


def replace_lines(app: Sphinx, docname: str, source: list[str]) -> None:
    if INDEX_LINE.search(source[0]):
        app.env.note_dependency(str(TABLE))
        source[0] = INDEX_LINE.sub(lambda _: index(), source[0])
    source[0] = PAGE_LINE.sub(lambda match: page(app, match[1]), source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", replace_lines)
    app.connect("autodoc-process-docstring", add_picture)
    return {"parallel_read_safe": True}
