"""Runs the command line with its outputs captured, or as a terminal has them."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path


def tcgen05(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs the command line into pipes."""
    return subprocess.run(
        [sys.executable, "-m", "mlir_tcgen05", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


def on_terminal(
    *arguments: str | Path, stream: str, env: dict[str, str] | None = None
) -> tuple[int, bytes, bytes]:
    """Runs the command line with one of its outputs, `stdout` or `stderr`, as a terminal.

    Returns:
        The exit status, what the terminal got, and what the other output got.
    """
    ours, theirs = pty.openpty()
    other = "stderr" if stream == "stdout" else "stdout"
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, "-m", "mlir_tcgen05", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        env={**environment, "TERM": "xterm", **(env or {})},
        **{stream: theirs, other: subprocess.PIPE},
    )
    os.close(theirs)
    shown = bytearray()

    def read() -> None:
        try:
            while data := os.read(ours, 65536):
                shown.extend(data)
        except OSError:  # the other end is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    _, piped = process.communicate(timeout=120) if other == "stderr" else (None, None)
    if other == "stdout":
        piped, _ = process.communicate(timeout=120)
    reader.join(timeout=60)
    os.close(ours)
    return process.returncode, bytes(shown), piped or b""
