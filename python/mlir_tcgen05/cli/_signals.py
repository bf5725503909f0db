"""What an interrupt does: the process ends by its signal, at once, and leaves nothing behind.

Python looks at signals between two of its own steps, which is late while MLIR or a solver is at
work. So signals keep the system's meaning here, which needs no Python, except while there is a
temporary file: then they are an exception, which passes every clean-up on its way out.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Interrupted(BaseException):
    """A signal came while there was a temporary file."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _raise(number: int, _: FrameType | None) -> None:
    for other in _SIGNALS:  # a second one would interrupt the clean-up
        signal.signal(other, signal.SIG_IGN)
    raise _Interrupted(number)


@contextmanager
def at_once() -> Generator[None, None, None]:
    """Has signals end the process without Python's help; for the run of a command."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are the main thread's
        return
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # unless it is ignored, as for a job in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    except _Interrupted as error:
        signal.signal(error.number, signal.SIG_DFL)
        os.kill(os.getpid(), error.number)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def cleaned_up() -> Generator[None, None, None]:
    """Has signals raise an exception, which no `except Exception` stops, in the code inside."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in numbers:
            signal.signal(number, _raise)
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
