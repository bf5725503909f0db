"""What the threads of a CTA share: memory, and the barriers at which they wait."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from mlir_tcgen05 import reference

Wait = Callable[[], bool]
"""Asked until it says True: what a thread waits for."""


class Barrier:
    """An mbarrier: arrivals and bytes that one phase still lacks, and how many phases are over."""

    def __init__(self, count: int) -> None:
        self.count = self.lacking = count
        self.bytes = self.over = 0

    def arrive(self, arrivals: int = 0, expected: int = 0) -> None:
        self.lacking -= arrivals
        self.bytes += expected
        assert self.lacking >= 0
        if self.lacking == 0 and self.bytes == 0:
            self.over, self.lacking = self.over + 1, self.count

    def passed(self, parity: int) -> bool:
        """True if the phase of that parity is over; before the first one, the odd one is."""
        return self.over % 2 != parity


class Meeting:
    """A barrier of a number of threads."""

    def __init__(self, threads: int) -> None:
        self.threads, self.here, self.rounds = threads, 0, 0

    def join(self) -> Wait:
        mine = self.rounds
        self.here += 1
        if self.here == self.threads:
            self.here, self.rounds = 0, mine + 1
        return lambda: self.rounds > mine


class Block:
    """What the threads of one CTA share."""

    def __init__(self, rank: int, threads: int) -> None:
        self.rank = rank
        self.memory = np.full(1 << 16, 0xEE, np.uint8)
        self.tmem = reference.Tmem()
        self.barriers: dict[int, Barrier] = {}
        self.meeting = Meeting(threads)
        self.columns = 0
