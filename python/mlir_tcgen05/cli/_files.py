"""What the commands have in common: refusals, inputs, outputs."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ._limits import DEEPEST, LARGEST, read_at_most, too_deep
from ._signals import cleaned_up

if TYPE_CHECKING:
    from mlir import ir

    from mlir_tcgen05._errors import Diagnostic
    from mlir_tcgen05._json import ResultJson

_BYTECODE_MAGIC = b"ML\xefR"
STANDARD = "-"
"""The name of standard input and standard output."""


class Integer(click.ParamType[int]):
    """An integer in decimal, or in the base of its prefix: 0x400.

    Args:
        truth: take `true` and `false` too, as 1 and 0.
    """

    name = "integer"

    def __init__(self, *, truth: bool = False) -> None:
        self._words = {"true": 1, "false": 0} if truth else {}

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        if isinstance(value, int):
            return value
        text = str(value)
        try:
            return self._words[text] if text in self._words else int(text, 0)
        except ValueError:
            self.fail(f"expected an integer such as 1024 or 0x400, but got '{text}'", param, ctx)


class Refusal(click.ClickException):
    """An input that is refused: `error: ...` on standard error and exit status 1.

    With `--json`, its diagnostics are a document on standard output as well.
    """

    def __init__(self, message: str, *diagnostics: Diagnostic) -> None:
        super().__init__(message)
        self._diagnostics = diagnostics
        self._command = _json_command(click.get_current_context(silent=True))

    def say(self, file: IO[Any] | None = None) -> None:
        """The text alone, for a command whose document is its own."""
        click.echo(f"error: {self.format_message()}", file=file, err=file is None)

    def show(self, file: IO[Any] | None = None) -> None:
        self.say(file)
        if self._command is not None:
            from mlir_tcgen05._errors import Diagnostic
            from mlir_tcgen05._json import refused

            diagnostics = self._diagnostics or (Diagnostic(self.message),)
            click.echo(refused(self._command, diagnostics), nl=False)


def _json_command(context: click.Context | None) -> str | None:
    """The name of the command that runs, if it was asked for JSON."""
    as_json = False
    while context is not None and context.parent is not None:
        as_json = as_json or bool(context.params.get("as_json"))
        if context.parent.parent is None:
            return context.info_name if as_json else None
        context = context.parent
    return None


@contextmanager
def refusals(source: str) -> Generator[None, None, None]:
    """Turns the errors of the package into refusals that name the source."""
    from mlir_tcgen05._errors import CompileError

    try:
        yield
    except CompileError as error:
        found = error.renamed(source).diagnostics
        raise Refusal("\nerror: ".join(map(str, found)), *found) from None
    except ValueError as error:
        raise Refusal(str(error)) from None
    except ImportError as error:
        raise Refusal(f"expected all of mlir-tcgen05 to be installed, but got: {error}") from None


def display_name(path: str) -> str:
    """The name of an input in messages."""
    return "<stdin>" if path == STANDARD else path


def read_source(path: str) -> str | bytes:
    """Reads MLIR from a file or standard input: text, or bytecode as bytes.

    Raises:
        Refusal: it cannot be read, or is neither.
    """
    name = display_name(path)
    try:
        if path == STANDARD:
            data = read_at_most(sys.stdin.buffer, 0)
        else:
            with open(path, "rb") as file:
                data = read_at_most(file, os.fstat(file.fileno()).st_size)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise Refusal(f"expected {name} to be readable, but got: {_reason(error)}") from None
    if data is None:
        raise Refusal(f"expected {name} to hold at most {LARGEST >> 20} MiB, but got more")
    if data.startswith(_BYTECODE_MAGIC):
        return data
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Refusal(
            f"expected {name} to be UTF-8 text or MLIR bytecode, "
            f"but got byte 0x{data[error.start]:02x} at position {error.start}"
        ) from None
    if place := too_deep(text):
        raise Refusal(
            f"{name}:{place[0]}:{place[1]}: expected at most {DEEPEST} brackets to be open, "
            f"but got {DEEPEST + 1}"
        )
    return text


def parse_module(source: str | bytes, context: ir.Context) -> ir.Module:
    """Parses and verifies MLIR, text or bytecode.

    Raises:
        CompileError: it is not MLIR, or not legal.
    """
    from mlir import ir

    from mlir_tcgen05._errors import CompileError
    from mlir_tcgen05._mlir import MLIRError, diagnostics_to
    from mlir_tcgen05._mlir_libs._tcgen05 import parse_module as parse_for_known_chips

    try:
        return ir.Module.parse(source, context)
    except MLIRError as error:
        # A file that names its target may be refused for the chip alone.
        with diagnostics_to(context, lambda _: True):
            module = parse_for_known_chips(context, source)
        if module is not None:
            return module
        from mlir_tcgen05._named import named

        raise named(CompileError.from_mlir(error), source) from None


def check_output(path: str, binary: bool) -> None:
    """Refuses binary output to a terminal, before any work is done.

    Raises:
        Refusal: `path` is standard output, that is a terminal, and the output is binary.
    """
    if path == STANDARD and binary and sys.stdout.isatty():
        raise Refusal(
            "expected binary output to go to a file or a pipe, but got a terminal; use -o"
        )


def write_output(path: str, data: str | bytes) -> None:
    """Writes all of the output or nothing: a file appears complete, or stays as it was.

    Raises:
        Refusal: it cannot be written.
        BrokenPipeError: the reader of standard output is gone.
    """
    content = data.encode() if isinstance(data, str) else data
    try:
        if path == STANDARD:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        else:
            _write_file(Path(path), content)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        name = "<stdout>" if path == STANDARD else path
        raise Refusal(f"expected {name} to be writable, but got: {_reason(error)}") from None


def result_json(path: str, data: str | bytes, kind: str) -> ResultJson:
    """Writes a result unless it goes to standard output, where the document holds it.

    Args:
        path: as of `write_output`.
        data: the result.
        kind: its format.

    Raises:
        Refusal: it cannot be written.
    """
    if path != STANDARD:
        write_output(path, data)
    from base64 import b64encode

    here = path == STANDARD
    return {
        "format": kind,
        "bytes": len(data.encode() if isinstance(data, str) else data),
        "path": None if here else path,
        "text": data if here and isinstance(data, str) else None,
        "base64": b64encode(data).decode() if here and isinstance(data, bytes) else None,
    }


def _write_file(path: Path, content: bytes) -> None:
    path = Path(os.path.realpath(path))  # a link stays a link
    try:
        status = path.stat()
    except FileNotFoundError:
        status = None
    if status and not stat.S_ISREG(status.st_mode):
        path.write_bytes(content)  # a device or a pipe, which must not be replaced by a file
        return
    if status and not os.access(path, os.W_OK):
        raise PermissionError("permission denied")
    with cleaned_up():
        _replace_file(path, content, status)


def _replace_file(path: Path, content: bytes, status: os.stat_result | None) -> None:
    temporary = path.with_name(f".tcgen05-{os.urandom(8).hex()}")
    try:
        # Created as any new file is, with the permissions that the user's mask leaves.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            if status:
                os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _reason(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:]
