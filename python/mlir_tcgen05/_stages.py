"""What happens on the way from a module to a cubin: files and times of its stages."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ._errors import CompileError

if TYPE_CHECKING:
    from ._check import Finding


class Stages:
    """Keeps the time of each stage, and what it left behind if there is a directory for that.

    Args:
        dump: directory that receives the IR after each pass (in `passes/`), `kernel.ll`,
            `kernel.ptx`, `kernel.cubin` and `kernel.sass`, as far as the compilation goes; it is
            made if it does not exist.
        source: what warnings call a module that was parsed from text without a name.
        quiet: show no warnings.

    Attributes:
        findings: the warnings, shown or not.
        seconds: the time of each stage.

    Raises:
        CompileError: the directory cannot be made.
    """

    def __init__(
        self, dump: str | Path | None = None, source: str = "-", *, quiet: bool = False
    ) -> None:
        self.source: str = source
        self.quiet: bool = quiet
        self.findings: list[Finding] = []
        self.dump: Path | None = None if dump is None else Path(dump)
        self.seconds: dict[str, float] = {}
        if self.dump is not None:
            try:
                self.dump.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise _unwritable(self.dump, error) from None

    @contextmanager
    def stage(self, name: str) -> Generator[None, None, None]:
        """Adds the time that the code inside takes to that of a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def keep(self, name: str, data: str | bytes) -> None:
        """Writes a file into the directory, if there is one.

        Raises:
            CompileError: it cannot be written.
        """
        if self.dump is None:
            return
        path = self.dump / name
        try:
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        except OSError as error:
            raise _unwritable(path, error) from None

    def report(self) -> str:
        """A table of the stages: milliseconds and share of the whole."""
        total = sum(self.seconds.values())
        rows = [
            f"{name:12} {seconds * 1e3:9.2f} ms {seconds / total:6.1%}"
            for name, seconds in [*self.seconds.items(), ("total", total)]
        ]
        return "\n".join(rows) + "\n"


def _unwritable(path: Path, error: OSError) -> CompileError:
    return CompileError(f"expected {path} to be writable, but got: {error.strerror}")
