# REQUIRES: build-tree
# RUN: %pytest %s
"""find_package(Tcgen05): what a C++ project outside this one gets, and when it is refused."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ["TCGEN05_SOURCE_ROOT"])
BUILD = Path(os.environ["TCGEN05_BUILD_DIR"])
PROJECT = ROOT / "test" / "embedding"
COPY = """
!tmem = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!smem = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @copy(%t: !tmem, %s: !smem) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
"""


def cache() -> dict[str, str]:
    """The variables of the build tree, and where its cmake lies."""
    lines = (BUILD / "CMakeCache.txt").read_text().splitlines()
    pairs = (re.match(r"([\w-]+):\w+=(.*)", line) for line in lines)
    return {pair[1]: pair[2] for pair in pairs if pair}


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=540, check=False
    )


def configure(build: Path, prefix: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Configures the project of the test against an installation of this one."""
    variables = cache()
    if sanitizers := variables.get("TCGEN05_SANITIZE"):  # archives with them link to no other
        options += (f"-DCMAKE_CXX_FLAGS=-fsanitize={sanitizers} -fno-sanitize=vptr",)
    return run(
        variables["CMAKE_COMMAND"], "-S", PROJECT, "-B", build, "-G", variables["CMAKE_GENERATOR"],
        f"-DCMAKE_MAKE_PROGRAM={variables['CMAKE_MAKE_PROGRAM']}",
        f"-DCMAKE_CXX_COMPILER={variables['CMAKE_CXX_COMPILER']}",
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={shutil.which('ccache') or ''}",
        f"-DTcgen05_DIR={prefix / 'lib' / 'cmake' / 'Tcgen05'}", *options,
    )  # fmt: skip


def llvm() -> list[str]:
    variables = cache()
    return [f"-D{name}={variables[name]}" for name in ("LLVM_DIR", "MLIR_DIR")]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation of the component `development` alone."""
    prefix = tmp_path_factory.mktemp("prefix")
    arguments = ("--component", "development", "--prefix", prefix)
    process = run(cache()["CMAKE_COMMAND"], "--install", BUILD, *arguments)
    assert process.returncode == 0, process.stderr
    return prefix


def test_nothing_but_headers_archives_and_configuration(prefix: Path) -> None:
    files = [path.relative_to(prefix) for path in prefix.rglob("*") if path.is_file()]
    assert {file.suffix for file in files} == {".h", ".td", ".inc", ".a", ".cmake"}
    assert sum(file.suffix == ".a" for file in files) == 2
    configuration = [path for path in prefix.rglob("*.cmake")]
    for path in configuration:
        assert str(BUILD) not in path.read_text(), path
        assert str(ROOT) not in path.read_text(), path


def test_project_with_the_dialect(prefix: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    process = configure(build, prefix, *llvm())
    assert process.returncode == 0, process.stderr
    process = run(cache()["CMAKE_COMMAND"], "--build", build)
    assert process.returncode == 0, process.stdout + process.stderr

    assert run(build / "layout-only").stdout.splitlines() == [
        "0x0000400800010040",  # a golden value of the specification
        "expected descriptor field 'start' to be a multiple of 16 bytes below 262144, but got 1032",
    ]
    source = tmp_path / "copy.mlir"
    source.write_text(COPY)
    process = run(build / "embed", source)
    assert process.returncode == 0, process.stderr
    assert process.stdout.count("tcgen05.cp.cta_group::1.128x128b") == 1
    assert "tcgen05.smem_view" not in process.stdout
    source.write_text(COPY.replace(": [4, 1]", ": [5, 1]"))
    process = run(build / "embed", source)
    assert process.returncode == 1
    assert "expected src row 1, word 0 at byte 16, but got 20" in process.stderr


def test_project_with_layouts_alone_needs_no_llvm(prefix: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    nowhere = ["-DLLVM_DIR=/nonexistent", "-DMLIR_DIR=/nonexistent"]
    process = configure(build, prefix, *nowhere, "-DEMBEDDING_COMPONENTS=Layout")
    assert process.returncode == 0, process.stderr
    process = run(cache()["CMAKE_COMMAND"], "--build", build)
    assert process.returncode == 0, process.stdout + process.stderr
    assert run(build / "layout-only").stdout.startswith("0x0000400800010040\n")
    assert not (build / "embed").exists()


def test_unknown_component_is_refused(prefix: Path, tmp_path: Path) -> None:
    process = configure(tmp_path / "build", prefix, "-DEMBEDDING_COMPONENTS=Conversion")
    assert process.returncode != 0
    text = " ".join(process.stderr.split())
    assert "expected Tcgen05's components to be Layout or Dialect, but got Conversion" in text


@pytest.mark.parametrize(
    ("version", "assertions", "sentence"),
    [
        ("21.1.0", "ON", "expected LLVM 22.1, with which this Tcgen05 was built, but got 21.1.0"),
        ("22.2.0", "ON", "expected LLVM 22.1, with which this Tcgen05 was built, but got 22.2.0"),
        ("22.1.9", "OFF", "expected LLVM with assertions ON, as this Tcgen05 was built, but got"),
    ],
)
def test_another_llvm_is_refused(
    prefix: Path, tmp_path: Path, version: str, assertions: str, sentence: str
) -> None:
    mlir = tmp_path / "mlir"
    mlir.mkdir()
    (mlir / "MLIRConfig.cmake").write_text(
        f"set(LLVM_PACKAGE_VERSION {version})\nset(LLVM_ENABLE_ASSERTIONS {assertions})\n"
        f"set(LLVM_DIR {mlir})\n"
    )
    process = configure(tmp_path / "build", prefix, f"-DMLIR_DIR={mlir}")
    assert process.returncode != 0
    assert sentence in " ".join(process.stderr.split())
