"""What came out: rows of a table, and the same as JSON."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .sampling import Sample
from .versions import versions

UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6}


@dataclass
class Row:
    """Our figure, a rival's, and what one is to the other."""

    section: str
    name: str
    rival: str
    """Who, and with what."""
    unit: str
    ours: float | None = None
    """In `unit`, the median; none where we are the one who is missing."""
    theirs: float | None = None
    spread: str = ""
    """Least and greatest of ours, and of theirs."""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None
    """None where there is no goal, or nobody to compare with."""
    note: str = ""
    details: dict[str, Any] = field(default_factory=dict)


def spread_of(values: list[float]) -> str:
    """`12.1-13.0`: the least and the greatest."""
    return f"{short(min(values))}-{short(max(values))}"


def short(value: float) -> str:
    """Three digits, as people read them."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:.{digits}f}"


class Table:
    """Rows as they come in. Prints each at once, since the whole takes minutes.

    Args:
        clock: `cpu` or `wall`: which of a sample's two times rows are made of.
        show: takes lines of the table.
    """

    HEAD = (
        f"{'':46}{'ours':>10} {'theirs':>10} {'unit':6}{'ratio':>9}  {'goal':22}{'':5}spread / note"
    )

    def __init__(self, clock: str = "cpu", show: Callable[[str], None] = print) -> None:
        self.rows: list[Row] = []
        self.clock = clock
        self._show = show
        self._section = ""

    def seconds(self, samples: Iterable[Sample], clock: str = "") -> list[float]:
        """The times of samples by the table's clock, or another."""
        return [getattr(sample, clock or self.clock) for sample in samples]

    def compare(
        self,
        section: str,
        name: str,
        rival: str,
        ours: list[Sample] | list[float] | str,
        theirs: list[Sample] | list[float] | str,
        *,
        unit: str = "ms",
        faster: float | None = None,
        at_most: float | None = None,
        goal: str = "",
        note: str = "",
        clock: str = "",
    ) -> Row:
        """Adds a row of two lists of samples, or of numbers in the row's unit.

        Args:
            faster: the goal, that theirs is at least so many times ours.
            at_most: the goal, that ours is at most so many times theirs.
            goal: its text, if another is to be shown.

        Either list may be a sentence instead, that says why there is none.
        """
        row = Row(section, name, rival, unit, note=note)
        values: list[list[float]] = []
        for samples in (ours, theirs):
            if isinstance(samples, str) or not samples:
                continue
            numbers = [x for x in samples if isinstance(x, (int, float))]
            values.append(
                numbers or [x * UNITS[unit] for x in self.seconds(samples, clock)]  # type: ignore[arg-type]
            )
        missing = [s for s in (ours, theirs) if isinstance(s, str)]
        if not isinstance(ours, str):
            row.ours = statistics.median(values[0])
        if not isinstance(theirs, str):
            row.theirs = statistics.median(values[-1])
        row.spread = " | ".join(spread_of(v) for v in values)
        row.details = {"samples": values}
        row.goal = goal
        if faster is not None:
            row.goal = goal or f"{faster:,.0f} times faster"
        if at_most is not None:
            row.goal = goal or f"at most {at_most:g} times"
        if row.ours and row.theirs is not None:
            row.ratio = row.ours / row.theirs if at_most is not None else row.theirs / row.ours
            if faster is not None:
                row.met = row.ratio >= faster
            if at_most is not None:
                row.met = row.ratio <= at_most
        if missing:
            row.note = "; ".join(filter(None, [*missing, note]))
        return self.add(row)

    def limit(
        self,
        section: str,
        name: str,
        samples: list[Sample] | list[float] | str,
        limit: float,
        *,
        unit: str = "ms",
        least: bool = False,
        note: str = "",
        clock: str = "",
    ) -> Row:
        """Adds a row whose goal is a number in `unit`: at most, or at least if `least`."""
        row = self.compare(section, name, "a fixed goal", samples, [limit], unit=unit, note=note,
                           clock=clock)  # fmt: skip
        row.goal = f"{'at least' if least else 'at most'} {limit:g} {unit}".rstrip()
        if row.ours is not None:
            row.ratio = row.ours / limit
            row.met = row.ours >= limit if least else row.ours <= limit
        return row

    def add(self, row: Row) -> Row:
        """Adds a row. It is printed when the next comes, or by `finish`."""
        self.finish()
        self.rows.append(row)
        return row

    def finish(self) -> None:
        """Prints the last row, if it was not yet."""
        if not self.rows or self.rows[-1].details.get("shown"):
            return
        row = self.rows[-1]
        row.details["shown"] = True
        if row.section != self._section:
            self._section = row.section
            self._show(f"\n{row.section}")
            self._show(self.HEAD)
        ours, theirs = ("-" if x is None else short(x) for x in (row.ours, row.theirs))
        ratio = "-" if row.ratio is None else short(row.ratio)
        met = {True: "met", False: "MISS", None: ""}[row.met]
        name = row.name if row.rival == "a fixed goal" else f"{row.name}, {row.rival}"
        tail = " ".join(filter(None, [row.spread, row.note]))
        self._show(
            f"{name:46}{ours:>10} {theirs:>10} {row.unit:6}{ratio:>9}  {row.goal:22}{met:5}{tail}"
        )

    def missed(self) -> list[Row]:
        """The rows whose goal was not met."""
        return [row for row in self.rows if row.met is False]

    def write(self, path: Path, arguments: dict[str, Any]) -> None:
        """Writes all rows as JSON, with what is to be known of the machine and the run."""
        for row in self.rows:
            row.details.pop("shown", None)
        data = {
            "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "machine": machine(),
            "clock": self.clock,
            "arguments": arguments,
            "rows": [asdict(row) for row in self.rows],
        }
        path.write_text(json.dumps(data, indent=1) + "\n")


def machine() -> dict[str, Any]:
    """Processor, cores, load and versions; no name and no path."""
    model = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        lines = [x for x in cpuinfo.read_text().splitlines() if x.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else ""
    return {
        "processor": model,
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "kernel": platform.release(),
        "versions": versions(),
    }
