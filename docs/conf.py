"""Builds the site: `sphinx-build -W -n docs OUT`, or `nox -s docs`.

The package is imported, so it has to be installed, or a build's `python_packages` on PYTHONPATH.
What the definitions, the docstrings, the command line and the examples say is taken from there.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "extensions"))

PYPROJECT = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")

project = "mlir-tcgen05"
author = "the mlir-tcgen05 authors"
project_copyright = "the mlir-tcgen05 authors; Apache License v2.0 with LLVM Exceptions"
version = release = re.findall(r'^version = "(.*)"$', PYPROJECT, re.MULTILINE)[0]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "examples",
    "mlir_lexer",
    "outside",
    "signatures",
    "tablegen",
]
exclude_patterns = ["extensions"]
html_theme = "furo"
html_title = f"mlir-tcgen05 {release}"
html_copy_source = False
html_show_sphinx = False
templates_path: list[str] = []

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
suppress_warnings = ["epub.unknown_project_files"]

# Fences without a language hold grammars and options.
highlight_language = "none"
# Docstrings put code between single backticks.
default_role = "code"
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

# Types of MLIR, NumPy and Python have their documentation elsewhere; no site is asked for it. Then
# private names of what a caller passes by its value, and fields that share one line of a docstring.
nitpick_ignore_regex = [
    (r"py:.*", r"(mlir|ir|np|numpy|npt|nanobind|collections|typing|click|os|pathlib)\..*"),
    (r"py:.*", r"(.*\.)?(Bytes|CpOp|CopyJson|Found|Image|MLIRError|RegionLike|Stages|Words)"),
    (r"py:class", r"[a-z_]+"),
]
