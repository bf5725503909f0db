"""Puts what mlir-tblgen says of the definitions into a page.

A line `% tablegen: -gen-dialect-doc -dialect=tcgen05 IR/Ops.td` is replaced by the Markdown that
these options give for that file of `include/tcgen05`. The program and MLIR's own definitions come
from the wheels that the build takes them from.
"""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

INCLUDE = Path(__file__).resolve().parents[2] / "include"
LINE = re.compile(r"^% tablegen: (.+) (\S+\.td)$", re.MULTILINE)


def mlir_root() -> Path:
    """The directory of the `mlir` package, which holds program and definitions.

    Raises:
        ExtensionError: one of them is missing.
    """
    spec = find_spec("mlir")
    for place in spec.submodule_search_locations or () if spec else ():
        root = Path(place)
        parts = root / "bin" / "mlir-tblgen", root / "include" / "mlir" / "IR" / "OpBase.td"
        if all(part.is_file() for part in parts):
            return root
    raise ExtensionError(
        "expected mlir-tblgen and MLIR's definitions to be installed, but got none; "
        "run: pip install '.[docs]'"
    )


def generate(options: list[str], definition: Path) -> str:
    """The Markdown for a file of definitions.

    Raises:
        ExtensionError: mlir-tblgen refuses the options or the file.
    """
    root = mlir_root()
    result = subprocess.run(
        [
            str(root / "bin" / "mlir-tblgen"),
            *options,
            f"-I{INCLUDE}",
            f"-I{root / 'include'}",
            str(definition),
        ],
        capture_output=True,
        text=True,
    )
    if result.returncode:
        raise ExtensionError(f"expected {definition.name} to have a page, but got: {result.stderr}")
    return tidy(result.stdout)


def tidy(text: str) -> str:
    """Leaves out what is not for readers of a page: the title, the contents, the tool's mark."""
    text = re.sub(r"\A<!--.*?-->\n|^\[TOC\]\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^# .*\n", "", text, count=1, flags=re.MULTILINE)
    # Headings of operands and the like end in a colon.
    return re.sub(r"^(#+ .*):$", r"\1", text, flags=re.MULTILINE)


def replace_lines(app: Sphinx, docname: str, source: list[str]) -> None:
    def generated(match: re.Match[str]) -> str:
        definition = INCLUDE / "tcgen05" / match[2]
        app.env.note_dependency(str(definition))
        return generate(match[1].split(), definition)

    source[0] = LINE.sub(generated, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", replace_lines)
    return {"parallel_read_safe": True}
