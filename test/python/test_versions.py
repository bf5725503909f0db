# RUN: %pytest %s
"""Files that name their chip, and a plugin in the wrong company."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

EXAMPLE = pathlib.Path(os.environ["TCGEN05_SOURCE_ROOT"]) / "examples" / "copy_128x128b.mlir"
# facts: the least PTX version that assembles tcgen05.cp for each chip, by ptxas 13.
CHIPS = {
    "sm_100a": "8.6", "sm_100f": "8.8", "sm_103a": "8.8", "sm_103f": "8.8",
    "sm_110a": "9.0", "sm_110f": "9.0",
}  # fmt: skip


def package(name: str) -> pathlib.Path:
    spec = find_spec(name)
    assert spec is not None
    return pathlib.Path(next(iter(spec.submodule_search_locations or ())))


def named(tmp_path: pathlib.Path, chip: str) -> pathlib.Path:
    """The example in a file that names its target."""
    path = tmp_path / f"{chip}.mlir"
    text, count = re.subn(
        r"gpu.module @kernels", f'gpu.module @kernels [#nvvm.target<chip = "{chip}">]',
        EXAMPLE.read_text(),
    )  # fmt: skip
    assert count == 1
    path.write_text(text)
    return path


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    libraries = f"{package('mlir') / 'lib'}:{package('llvm') / 'lib'}"
    return subprocess.run(
        [str(argument) for argument in arguments], capture_output=True, text=True, timeout=120,
        env={**os.environ, "LD_LIBRARY_PATH": libraries, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("chip", CHIPS)
def test_a_file_may_name_its_chip(tmp_path: pathlib.Path, chip: str) -> None:
    path = named(tmp_path, chip)
    command = [sys.executable, "-m", "mlir_tcgen05", "compile", path, "--chip", chip, "--to", "ptx"]
    from_python = run(*command)
    assert (from_python.returncode, from_python.stderr) == (0, "")
    tool = package("mlir_tcgen05") / "bin" / "tcgen05-opt"
    from_tool = run(tool, path, f"-tcgen05-compile=chip={chip} format=isa")
    assert from_tool.returncode == 0, from_tool.stderr
    for text in (from_python.stdout, from_tool.stdout):
        assert re.search(r"\.version ([0-9.]+)", text).group(1) == CHIPS[chip]  # type: ignore[union-attr]
        assert re.search(r"\.target (sm_[0-9a-z]+)", text).group(1) == chip  # type: ignore[union-attr]


def test_a_version_may_be_asked_for(tmp_path: pathlib.Path) -> None:
    tool = package("mlir_tcgen05") / "bin" / "tcgen05-opt"
    run_ = run(tool, EXAMPLE, "-tcgen05-compile=chip=sm_100a format=isa features=+ptx90")
    assert run_.returncode == 0, run_.stderr
    assert ".version 9.0" in run_.stdout


def test_a_chip_without_the_copy_is_still_refused(tmp_path: pathlib.Path) -> None:
    path = named(tmp_path, "sm_90a")
    result = run(sys.executable, "-m", "mlir_tcgen05", "compile", path, "--to", "ptx")
    assert result.returncode == 1
    assert "is not supported on sm_90a" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_plugin_refuses_another_llvm(tmp_path: pathlib.Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler, "expected a C compiler, which building the project needs too"
    source = tmp_path / "version.c"
    source.write_text(
        "void LLVMGetVersion(unsigned *a, unsigned *b, unsigned *c) { *a = 21; *b = 1; *c = 0; }\n"
    )
    shim = tmp_path / "version.so"
    subprocess.run([compiler, "-shared", "-fPIC", source, "-o", shim], check=True)
    plugin = package("mlir_tcgen05") / "lib" / "Tcgen05Plugin.so"
    mlir_opt = package("mlir") / "bin" / "mlir-opt"
    for kind in ("dialect", "pass"):
        command = (mlir_opt, f"--load-{kind}-plugin={plugin}", "--help")
        assert run(*command).returncode == 0
        # The runtime of a sanitizer, where there is one, has to stay the first.
        preload = " ".join(filter(None, [os.environ.get("LD_PRELOAD"), str(shim)]))
        refused = run(*command, LD_PRELOAD=preload)
        assert refused.returncode == 1
        assert refused.stderr.startswith(
            "error: expected Tcgen05Plugin to be loaded by LLVM 22.1.8, but got LLVM 21.1.0"
        )
