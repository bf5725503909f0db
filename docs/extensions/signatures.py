"""Makes signatures and docstrings of the package readable for autodoc.

- The modules in C++ write full names for type checkers: `mlir_tcgen05._mlir_libs._layout.Layout`
  is `Layout` to a reader, who imports it from `mlir_tcgen05.layout`.
- What a docstring indents outside of its sections is a picture or a program, and stays as it is.
- The docstring of an attribute is a sentence, which may have a colon.
- A name in an annotation leads to the class of that name, wherever it is documented.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

PRIVATE = re.compile(r"\b(?:mlir_tcgen05\.)?_mlir_libs\._\w+\.|\bmlir\._mlir_libs\._mlir\.")
SECTION = re.compile(r"(Args|Arguments|Attributes|Raises|Returns|Yields|Example|Examples|Note):$")
FIELDS = ("attribute", "data", "property")
BEFORE_NAPOLEON, AFTER_NAPOLEON = 400, 600


def shorten(text: str | None) -> str | None:
    return None if text is None else PRIVATE.sub("", text)


def shorten_signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str, result: str
) -> tuple[str | None, str | None]:
    return shorten(signature), shorten(result)


def prepare_docstring(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    lines[:] = literal_blocks([PRIVATE.sub("", line) for line in lines])
    if what in FIELDS and not callable(obj):
        app.env.temp_data[f"docstring of {name}"] = list(lines)


def restore_docstring(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    lines[:] = app.env.temp_data.pop(f"docstring of {name}", lines)


def literal_blocks(lines: list[str]) -> list[str]:
    """Marks what is indented outside of sections as literal."""
    out: list[str] = []
    in_section = in_block = False
    for line in lines:
        if line.strip() and not line.startswith(" "):
            in_section, in_block = bool(SECTION.match(line)), False
        elif line.startswith("  ") and not in_section and not in_block:
            in_block = True
            out += [*([""] if out and out[-1].strip() else []), "::", ""]
        if line.strip() and not line.startswith(" ") and out and out[-1].startswith("  "):
            out.append("")
        out.append(line)
    return out


def resolve_by_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """The one class whose last name is that of the target."""
    if node.get("refdomain") != "py":
        return None
    last = node["reftarget"].rpartition(".")[2]
    found = [
        (entry.docname, entry.node_id)
        for name, entry in env.domains["py"].data["objects"].items()
        if name.rpartition(".")[2] == last and entry.objtype in ("class", "exception")
    ]
    if len(found) != 1:
        return None
    (page, anchor) = found[0]
    return make_refnode(app.builder, node["refdoc"], page, anchor, content, last)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect("autodoc-process-docstring", prepare_docstring, priority=BEFORE_NAPOLEON)
    app.connect("autodoc-process-docstring", restore_docstring, priority=AFTER_NAPOLEON)
    app.connect("missing-reference", resolve_by_name)
    return {"parallel_read_safe": True}
