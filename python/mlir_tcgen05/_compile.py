"""From a module to LLVM IR, PTX, a cubin or its disassembly.

The pass pipeline `tcgen05-compile` does the work up to PTX, in C++. Only ptxas and the
disassemblers are started from here: where they lie, how long they may take and what their failure
looks like is one matter for all callers.
"""

from __future__ import annotations

import re
import secrets
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, cast, overload

from mlir import ir
from mlir.dialects import gpu
from mlir.passmanager import PassManager

from . import _toolchain
from ._check import warnings_shown
from ._chips import DEFAULT_CHIP
from ._errors import CompileError
from ._mlir import MLIRError, run_passes
from ._register import register
from ._stages import Stages

TEXT_FORMATS = ("llvm", "ptx", "sass")
FORMATS = ("llvm", "ptx", "cubin", "sass")
"""What `compile` can return, in the order in which one is made from the other."""


@overload
def compile(  # noqa: A001
    module: ir.Module | ir.Operation,
    chip: str = ...,
    to: Literal["llvm", "ptx", "sass"] = ...,
    *,
    features: str = ...,
    check: bool = ...,
    timeout: float = ...,
    stages: Stages | None = ...,
) -> str: ...
@overload
def compile(  # noqa: A001
    module: ir.Module | ir.Operation,
    chip: str = ...,
    *,
    to: Literal["cubin"],
    features: str = ...,
    check: bool = ...,
    timeout: float = ...,
    stages: Stages | None = ...,
) -> bytes: ...
@overload
def compile(  # noqa: A001
    module: ir.Module | ir.Operation,
    chip: str,
    to: Literal["cubin"],
    *,
    features: str = ...,
    check: bool = ...,
    timeout: float = ...,
    stages: Stages | None = ...,
) -> bytes: ...
@overload
def compile(  # noqa: A001
    module: ir.Module | ir.Operation,
    chip: str = ...,
    to: str = ...,
    *,
    features: str = ...,
    check: bool = ...,
    timeout: float = ...,
    stages: Stages | None = ...,
) -> str | bytes: ...
def compile(  # noqa: A001
    module: ir.Module | ir.Operation,
    chip: str = DEFAULT_CHIP,
    to: str = "ptx",
    *,
    features: str = "",
    check: bool = True,
    timeout: float = _toolchain.DEFAULT_TIMEOUT,
    stages: Stages | None = None,
) -> str | bytes:
    """Compiles the one `gpu.module` of a module for a chip.

    Args:
        module: holds exactly one `gpu.module`. It stays as it is.
        chip: a chip that has tcgen05.cp, `sm_100a` say.
        to: `llvm` (optimised LLVM IR), `ptx`, `cubin`, or `sass` (the cubin's disassembly).
        features: LLVM features such as `+ptx90`; without them the least PTX version of the chip.
        check: look at the protocol around the copies first (`mlir_tcgen05.check`): its errors end
            the compilation, its warnings go to standard error.
        timeout: seconds that each program outside MLIR may take.
        stages: takes the time of each stage and, if it has a directory, what each left behind.

    Returns:
        Text for `llvm`, `ptx` and `sass`; bytes for `cubin`.

    Raises:
        CompileError: the module is not legal, or does not compile for the chip.
        ToolNotFoundError: `cubin` needs ptxas, `sass` nvdisasm as well; a CompileError that says
            what to install.
        ValueError: `chip` or `features` is malformed, `to` none of the formats, or `timeout` not
            positive.
        TypeError: `module` is not a module, or `stages` no `Stages`.
    """
    if to not in FORMATS:
        raise ValueError(f"expected to to be one of {', '.join(FORMATS)}, but got {to!r}")
    if not isinstance(chip, str) or not re.fullmatch(r"\w+", chip, re.ASCII):
        raise ValueError(f"expected chip to be a name such as {DEFAULT_CHIP}, but got {chip!r}")
    if not isinstance(features, str) or not re.fullmatch(r"([+-]\w+(,[+-]\w+)*)?", features):
        raise ValueError(f"expected features to be a list such as +ptx90, but got {features!r}")
    if not isinstance(timeout, (int, float)) or not timeout > 0:
        what = "a positive number of seconds"
        raise ValueError(f"expected timeout to be {what}, but got {timeout!r}")
    if stages is not None and not isinstance(stages, Stages):
        raise TypeError(f"expected stages to be a Stages, but got {type(stages).__name__}")
    check = bool(check)
    # A missing tool is told before the work, not after it.
    for tool in {"llvm": ["llvm-dis"], "cubin": ["ptxas"], "sass": ["ptxas", "nvdisasm"]}.get(
        to, []
    ):
        _toolchain.find(tool)
    stages = stages or Stages()

    def llvm() -> str:
        with stages.stage("llvm"):
            # What is compiled further is checked on that way.
            bitcode = _serialize(module, chip, "llvm", features, check and to == "llvm", stages)
            text = disassemble_bitcode(bitcode, timeout)
        stages.keep("kernel.ll", text)
        return text

    def sass(cubin: bytes) -> str:
        with stages.stage("nvdisasm"):
            text = disassemble(cubin, timeout)
        stages.keep("kernel.sass", text)
        return text

    if to == "llvm" or stages.dump is not None:
        text = llvm()
        if to == "llvm":
            return text
    with stages.stage("passes"):
        passes = None if stages.dump is None else stages.dump / "passes"
        ptx = _serialize(module, chip, "isa", features, check, stages, passes).rstrip(b"\0")
    ptx = ptx.decode(errors="replace")
    stages.keep("kernel.ptx", ptx)
    if to == "ptx":
        return ptx
    with stages.stage("ptxas"):
        cubin = assemble(ptx, chip, timeout)
    stages.keep("kernel.cubin", cubin)
    if to == "sass":
        return sass(cubin)
    if stages.dump is not None and _toolchain.is_installed("nvdisasm"):
        sass(cubin)
    return cubin


def assemble(ptx: str, chip: str, timeout: float = _toolchain.DEFAULT_TIMEOUT) -> bytes:
    """Returns the cubin that ptxas makes of PTX text.

    Raises:
        CompileError: ptxas is missing, refuses the text, or takes longer than `timeout` seconds.
    """

    def run(ptx_file: Path, cubin_file: Path) -> bytes:
        _toolchain.run("ptxas", ["--gpu-name", chip, ptx_file, "-o", cubin_file], timeout)
        cubin = cubin_file.read_bytes() if cubin_file.is_file() else b""
        if not cubin.startswith(b"\x7fELF"):
            got = f"{len(cubin)} bytes of something else" if cubin else "nothing"
            raise CompileError(f"expected ptxas to write a cubin, but got {got}")
        return cubin

    return _with_files(ptx.encode(), "kernel.ptx", "kernel.cubin", run)


def disassemble(cubin: bytes, timeout: float = _toolchain.DEFAULT_TIMEOUT) -> str:
    """Returns the machine code of a cubin as nvdisasm prints it.

    Raises:
        CompileError: nvdisasm is missing, refuses the cubin, or takes longer than `timeout`
            seconds.
    """

    def run(cubin_file: Path, _: Path) -> bytes:
        return _toolchain.run("nvdisasm", ["--print-code", cubin_file], timeout).stdout

    return _with_files(cubin, "kernel.cubin", "unused", run).decode(errors="replace")


def disassemble_bitcode(bitcode: bytes, timeout: float = _toolchain.DEFAULT_TIMEOUT) -> str:
    """Returns LLVM bitcode as text, by llvm-dis of the LLVM that MLIR was built with."""

    def run(bitcode_file: Path, text_file: Path) -> bytes:
        _toolchain.run("llvm-dis", [bitcode_file, "-o", text_file], timeout)
        return text_file.read_bytes()

    text = _with_files(bitcode, "kernel.bc", "kernel.ll", run).decode(errors="replace")
    # The first line names the temporary file.
    return re.sub(r"\A; ModuleID = .*\n", "", text)


def _serialize(
    module: ir.Module | ir.Operation,
    chip: str,
    format: str,  # noqa: A002
    features: str,
    check: bool,
    stages: Stages,
    dump: Path | None = None,
) -> bytes:
    """Runs the pipeline on a copy of the module and returns the object in its `gpu.binary`.

    The IR after each pass goes into the directory `dump`, if there is one.
    """
    operation = getattr(module, "operation", module)
    if not isinstance(operation, ir.Operation) or operation.name != "builtin.module":
        raise TypeError(f"expected module to be an mlir.ir.Module, but got {type(module).__name__}")
    name = _only_gpu_module(operation)
    context = operation.context
    with context, ir.Location.unknown(context):
        register(context)
        copy = operation.clone(ip=False)  # beside the module, wherever the caller is inserting
        try:
            options = f"chip={chip} format={format} check={str(check).lower()}"
            options += f" features={features}" * bool(features)
            passes = PassManager.parse(f"builtin.module(tcgen05-compile{{{options}}})")
            if dump is not None:
                context.enable_multithreading(False)  # as printing in between asks for
                passes.enable_ir_printing(tree_printing_dir_path=str(dump))
            with warnings_shown(context, stages.source, quiet=stages.quiet, into=stages.findings):
                run_passes(passes, copy)
        except MLIRError as error:
            raise CompileError.from_mlir(error) from None
        except ValueError as error:
            raise CompileError(str(error).strip()) from None
        for op in copy.regions[0].blocks[0]:
            if op.operation.name == "gpu.binary" and _symbol(op.operation) == name:
                objects = ir.ArrayAttr(op.operation.attributes["objects"])
                if len(objects) != 1:
                    raise CompileError(f"expected one object for {chip}, but got {len(objects)}")
                return cast("Any", gpu).ObjectAttr(objects[0]).object
    raise CompileError(f"expected the pipeline to leave a gpu.binary @{name}, but got none")


def _only_gpu_module(operation: ir.Operation) -> str:
    """The name of the only `gpu.module`, which stands directly in the module."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "gpu.module":
            found.append(op)
        return ir.WalkResult.ADVANCE

    operation.walk(visit, ir.WalkOrder.POST_ORDER)
    if len(found) != 1:
        names = ", ".join(f"@{_symbol(op)}" for op in found)
        number = f"{len(found)} ({names})" if found else "none"
        raise CompileError(f"expected the module to hold exactly one gpu.module, but got {number}")
    parent = found[0].parent
    if parent is None or parent.operation != operation:
        inside = parent.operation.name if parent else "nothing"
        raise CompileError(
            f"expected gpu.module @{_symbol(found[0])} to stand directly in the module, "
            f"but got it inside '{inside}'"
        )
    return _symbol(found[0])


def _symbol(operation: ir.Operation) -> str:
    return ir.StringAttr(operation.attributes["sym_name"]).value


def _with_files(data: bytes, source: str, target: str, run: Callable[[Path, Path], bytes]) -> bytes:
    """Calls `run(source file that holds data, target file)` in a directory that is gone after.

    The directory is the user's alone, and is removed whenever a signal comes: its name is known
    before it is made.
    """
    directory = Path(tempfile.gettempdir()) / f"tcgen05-{secrets.token_hex(8)}"
    try:
        with _toolchain.with_temporary_files():
            try:
                directory.mkdir(mode=0o700)
                source_file, target_file = directory / source, directory / target
                source_file.write_bytes(data)
                return run(source_file, target_file)
            finally:
                shutil.rmtree(directory, ignore_errors=True)
    except OSError as error:
        raise CompileError(f"expected room for temporary files, but got: {error}") from None
