"""The test suite: .mlir files and pytest files, started by lit alike.

It runs on what is installed beside the Python of lit (`lit -v test`), or on a build tree
(`lit -v BUILD/test`, whose site file sets the `tcgen05_*` attributes read below). Tools are
named by absolute path, never looked up by name.

Parameters (`--param NAME=VALUE`):
    filecheck: `llvm` (default) or `python`, which runs the .mlir files with PyPI's filecheck.
    timeout: seconds that a test may take, 2100 by default; 0 for no limit.

Features: `build-tree` on a build tree; `installed` on an installed package, and `sources` if all
sources are beside the tests; `sanitize` on a build tree with sanitizers; `python-package` unless
the build is without it; `ptxas`, `nvdisasm` where those are found (where CI is set they have to
be), `clang` where a clang++ is; `llvm-filecheck` unless filecheck is `python`.
"""

from __future__ import annotations

import atexit
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import lit.formats

SOURCE_ROOT = Path(__file__).resolve().parent
PROJECT_ROOT = SOURCE_ROOT.parent

QUERY = """
import importlib.util, json
def places(name):
    spec = importlib.util.find_spec(name)
    return list(spec.submodule_search_locations or ()) if spec else []
print(json.dumps({name: places(name) for name in ("llvm", "mlir", "mlir_tcgen05", "nvidia")}))
"""


def find_packages(python: str, environment: dict[str, str]) -> dict[str, list[Path]]:
    """Returns the directories of the packages that the tests use, as `python` sees them."""
    import json

    answer = subprocess.run(
        [python, "-c", QUERY],
        capture_output=True,
        check=True,
        cwd=SOURCE_ROOT,
        env=environment,
        text=True,
    )
    return {name: [Path(p) for p in places] for name, places in json.loads(answer.stdout).items()}


def find_file(places: list[Path], *candidates: str) -> Path | None:
    """Returns the first existing file of the candidates below one of the places."""
    return next((p / c for p in places for c in candidates if (p / c).is_file()), None)


def need(path: Path | None, what: str, remedy: str) -> Path:
    """Returns the path, or ends lit with a sentence that says what to install."""
    if path is None:
        lit_config.fatal(f"expected {what} to be installed, but got none; {remedy}")
    return path


def exec_root() -> str:
    """Returns where tests write: never the sources, and gone at the end."""
    owner = os.getpid()
    root = tempfile.mkdtemp(prefix="mlir-tcgen05-lit-")

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(root, ignore_errors=True)

    atexit.register(remove)
    return root


config.name = "mlir-tcgen05"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py"]
config.test_source_root = str(SOURCE_ROOT)
config.test_exec_root = getattr(config, "tcgen05_exec_root", None) or exec_root()
# A .py file is a test by its name; helpers and conftest.py are not.
helpers = {p.name for p in SOURCE_ROOT.rglob("*.py") if not p.name.startswith("test_")}
config.excludes = ["Inputs", *sorted(helpers)]

filecheck_kind = lit_config.params.get("filecheck", "llvm")
if filecheck_kind not in ("llvm", "python"):
    lit_config.fatal(f"expected filecheck to be 'llvm' or 'python', but got '{filecheck_kind}'")
if filecheck_kind == "python":
    config.suffixes = [".mlir"]

timeout = lit_config.params.get("timeout", "2100")
if not timeout.isdecimal():
    lit_config.fatal(f"expected timeout to be a number of seconds, but got '{timeout}'")
if lit_config.maxIndividualTestTimeIsSupported[0]:
    config.maxIndividualTestTime = int(timeout)

# The package under test and the Python that runs it.
python = getattr(config, "tcgen05_python", sys.executable)
environment = config.environment
environment["PYTHONDONTWRITEBYTECODE"] = "1"
environment["TCGEN05_SOURCE_ROOT"] = str(PROJECT_ROOT)
environment.pop("PYTHONPATH", None)
if packages_dir := getattr(config, "tcgen05_packages_dir", None):
    environment["PYTHONPATH"] = packages_dir
# pip reaches the network by these.
network = re.compile(r"PIP_\w+|SSL_CERT_\w+|\w+_CA_BUNDLE|(?i:\w+_proxy)")
for name in os.environ:
    if name in ("HOME", "TMPDIR", "TCGEN05_FUZZ") or network.fullmatch(name):
        environment[name] = os.environ[name]
packages = find_packages(python, environment)
# A build without the Python package says where its tools are, and runs the .mlir files alone.
if roots := getattr(config, "tcgen05_roots", None):
    packages |= {name: [Path(root)] for name, root in roots.items()}
    config.suffixes = [".mlir"]
else:
    config.available_features.add("python-package")
if build_dir := getattr(config, "tcgen05_build_dir", None):
    environment["TCGEN05_BUILD_DIR"] = build_dir
    config.available_features.add("build-tree")
else:
    config.available_features.add("installed")
    if (PROJECT_ROOT / "python" / "mlir_tcgen05" / "__init__.py").is_file():
        config.available_features.add("sources")

# A build with sanitizers: programs that are none of ours load its libraries. LLVM's allocators are
# inlined into instrumented and other code alike, so neither may mark memory for the other. Leaks
# are looked for in tcgen05-opt; Python keeps what it has.
sanitize = ""
if preload := getattr(config, "tcgen05_sanitize_preload", None):
    name, _, libraries = preload.partition("=")
    environment[name] = libraries
    asan = "allow_user_poisoning=0:detect_container_overflow=0:detect_odr_violation=0"
    environment["ASAN_OPTIONS"] = f"{asan}:detect_leaks=0"
    environment["LSAN_OPTIONS"] = f"suppressions={SOURCE_ROOT / 'sanitize' / 'leaks.txt'}"
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    sanitize = f"env ASAN_OPTIONS={asan}:detect_leaks=1 "
    config.available_features.add("sanitize")

install = "run: pip install '.[test]'"
opt = need(find_file(packages["mlir_tcgen05"], "bin/tcgen05-opt"), "mlir-tcgen05", install)
lsp = opt.with_name("tcgen05-lsp-server")
reduce = opt.with_name("tcgen05-reduce")
plugin = opt.parent.parent / "lib" / "Tcgen05Plugin.so"
mlir_opt = need(find_file(packages["mlir"], "bin/mlir-opt"), "mlir-opt", install)
mlir_translate = mlir_opt.with_name("mlir-translate")
llvm_bin = need(find_file(packages["llvm"], "bin/FileCheck"), "FileCheck", install).parent


def find_cuda_tool(name: str) -> str | None:
    """Returns a tool of the CUDA wheels, else one on PATH."""
    candidates = [f"{toolkit}/bin/{name}" for toolkit in ("cu13", "cuda_nvcc")]
    found = find_file(packages["nvidia"], *candidates)
    return str(found) if found else shutil.which(name, path=environment.get("PATH"))


cuda_tools = {name: find_cuda_tool(name) for name in ("ptxas", "nvdisasm", "cuobjdump")}
for name, path in cuda_tools.items():
    if path:
        config.available_features.add(name)
    elif os.environ.get("CI"):
        lit_config.fatal(f"expected {name} to be there since CI is set, but got none; {install}")
# gpu-module-to-binary looks for ptxas on PATH.
if cuda_tools["ptxas"]:
    directory = os.path.dirname(cuda_tools["ptxas"])
    environment["PATH"] = os.pathsep.join([directory, environment.get("PATH", "")])

# Debian names clang++ by its version alone where the package of the default version is not there.
names = ["clang++", *(f"clang++-{version}" for version in range(30, 13, -1))]
search = environment.get("PATH")
if clang := next(filter(None, (shutil.which(name, path=search) for name in names)), None):
    environment["TCGEN05_CLANG"] = clang
    config.available_features.add("clang")

quoted_python = shlex.quote(python)
if filecheck_kind == "python":
    filecheck = f"{quoted_python} -m filecheck"
else:
    filecheck = shlex.quote(str(llvm_bin / "FileCheck"))
    config.available_features.add("llvm-filecheck")

config.substitutions += [
    ("%pytest", f"{quoted_python} -m pytest --rootdir={shlex.quote(str(PROJECT_ROOT))}"),
    ("%python", quoted_python),
    ("%plugin", shlex.quote(str(plugin))),
    ("%source_root", shlex.quote(str(PROJECT_ROOT))),
    ("%tcgen05", f"{quoted_python} -m mlir_tcgen05"),
]
config.substitutions += [
    (f"%{name}", shlex.quote(path) if path else f"{name}-is-not-installed")
    for name, path in cuda_tools.items()
]


def add_tool(name: str, command: str) -> None:
    """Replaces the bare word `name`, but no part of a path or of an option."""
    word = rf"(?<![\w./=%-]){re.escape(name)}(?![\w./=-])"
    config.substitutions.append((word, command))


add_tool("FileCheck", filecheck)
add_tool("tcgen05-opt", sanitize + shlex.quote(str(opt)))
add_tool("tcgen05-lsp-server", shlex.quote(str(lsp)))
add_tool("tcgen05-reduce", shlex.quote(str(reduce)))
add_tool("mlir-opt", shlex.quote(str(mlir_opt)))
add_tool("mlir-translate", shlex.quote(str(mlir_translate)))
for name in ("not", "count", "llc", "opt"):
    add_tool(name, shlex.quote(str(llvm_bin / name)))
