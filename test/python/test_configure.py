# REQUIRES: build-tree
# RUN: %pytest %s
"""The configuration of the project itself: which LLVM it takes, and what it says to others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(os.environ["TCGEN05_SOURCE_ROOT"])
BUILD = Path(os.environ["TCGEN05_BUILD_DIR"])


def variable(name: str) -> str:
    """A variable of the build tree's cache."""
    match = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
    assert match, name
    return match[1]


def configure(build: Path, *options: str) -> tuple[int, str]:
    """Exit status of cmake, and its errors on one line."""
    process = subprocess.run(
        [
            variable("CMAKE_COMMAND"), "-S", str(ROOT), "-B", str(build),
            "-G", variable("CMAKE_GENERATOR"),
            f"-DCMAKE_MAKE_PROGRAM={variable('CMAKE_MAKE_PROGRAM')}",
            f"-DPython_EXECUTABLE={sys.executable}", *options,
        ],
        capture_output=True, text=True, timeout=540, check=False,
    )  # fmt: skip
    return process.returncode, " ".join(process.stderr.split())


def doctored(directory: Path, llvm: str, mlir: str) -> list[str]:
    """Configurations that claim these versions and hold nothing else."""
    (directory / "LLVMConfig.cmake").touch()
    (directory / "LLVMConfigVersion.cmake").write_text(f'set(PACKAGE_VERSION "{llvm}")\n')
    (directory / "MLIRConfig.cmake").write_text(f"set(LLVM_VERSION {mlir})\n")
    return [f"-DLLVM_DIR={directory}", f"-DMLIR_DIR={directory}"]


@pytest.mark.parametrize(
    ("llvm", "mlir", "python", "sentence"),
    [
        ("21.1.8", "21.1.8", "ON", r"expected LLVM 22\.1\.8 \(pinned in .*\), but got 21\.1\.8 in"),
        ("22.1.9", "22.1.9", "ON", r"expected LLVM 22\.1\.8 \(pinned in .*\), but got 22\.1\.9 in"),
        ("22.1.8", "21.1.8", "ON", r"expected MLIR 22\.1\.8 \(pinned in .*\), but got 21\.1\.8 in"),
        ("23.1.0", "23.1.0", "OFF", r"expected LLVM 22\.1 \(pinned in .*\), but got 23\.1\.0 in"),
        ("22.10.0", "22.10.0", "OFF", r"expected LLVM 22\.1 \(.*\), but got 22\.10\.0 in"),
    ],
)
def test_another_llvm_is_refused(
    tmp_path: Path, llvm: str, mlir: str, python: str, sentence: str
) -> None:
    options = doctored(tmp_path, llvm, mlir)
    status, errors = configure(tmp_path / "build", *options, f"-DTCGEN05_PYTHON={python}")
    assert status != 0
    assert re.search(sentence, errors), errors
    assert errors.count("CMake Error") == 1


def test_missing_llvm_names_the_wheel(tmp_path: Path) -> None:
    status, errors = configure(tmp_path / "build", f"-DLLVM_DIR={tmp_path}")
    assert status != 0
    assert "from the wheel 'xtc-llvm-dev'" in errors


def test_build_inside_the_sources_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("CMakeLists.txt", "pyproject.toml"):
        (source / name).symlink_to(ROOT / name)
    process = subprocess.run(
        [variable("CMAKE_COMMAND"), "-G", variable("CMAKE_GENERATOR"),
         f"-DCMAKE_MAKE_PROGRAM={variable('CMAKE_MAKE_PROGRAM')}", "."],
        cwd=source, capture_output=True, text=True, timeout=540, check=False,
    )  # fmt: skip
    assert process.returncode != 0
    assert "expected the build directory to lie outside the sources" in " ".join(
        process.stderr.split()
    )
