"""`python -m bench`: measures, prints the table, writes JSON."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

from .rows import Table, machine

SECTIONS = {
    "one": "one_kernel",
    "upstream": "upstream",
    "threads": "threads",
    "python": "python_costs",
    "machine": "machine_code",
    "end": "end_to_end",
}


def arguments(argv: list[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures, side by side.")
    parser.add_argument("sections", nargs="*", metavar="SECTION",
                        help=f"of {', '.join(SECTIONS)}; without any, all")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="small sizes, under three minutes")
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu",
                        help="which time rows are made of (default: the processor's)")  # fmt: skip
    parser.add_argument("--largest", type=int, default=1_024_000, metavar="N",
                        help="copies at most in section upstream (default: a million)")  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all rows, with samples")
    parser.add_argument("--strict", action="store_true", help="status 1 if a goal is missed")
    options = parser.parse_args(argv)
    if unknown := [s for s in options.sections if s not in SECTIONS]:
        parser.error(f"expected sections to be of {', '.join(SECTIONS)}, but got {unknown[0]}")
    return options


def measure(
    sections: list[str], quick: bool, clock: str = "cpu", largest: int = 1_024_000
) -> Table:
    """Runs sections and returns the table, which has been printed."""
    table = Table(clock)
    for name in sections or SECTIONS:
        module: Any = importlib.import_module(f"bench.{SECTIONS[name]}")
        more = {"largest": largest} if name == "upstream" else {}
        module.run(table, quick, **more)
        table.finish()
    return table


def main(argv: list[str] | None = None) -> int:
    """Runs the command line; returns its status."""
    options = arguments(argv)
    here = machine()
    print(f"{here['processor'] or 'unknown processor'}, {here['cores']} cores, load "
          f"{here['load']:.1f}, clock: {options.clock}")  # fmt: skip
    for name, version in here["versions"].items():
        print(f"  {name} {version}")
    table = measure(options.sections, options.quick, options.clock, options.largest)
    with_goal = [row for row in table.rows if row.met is not None]
    print(f"\n{len(table.rows)} rows, {len(with_goal)} with a goal, {len(table.missed())} missed")
    if options.json:
        table.write(options.json, vars(options) | {"json": None})
    return int(options.strict and bool(table.missed()))


if __name__ == "__main__":
    sys.exit(main())
