"""`python -m bench.side_by_side`: prints the record of a run, and writes it if told to."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .record import lines


def main(argv: list[str] | None = None) -> int:
    """Runs the command line; returns its status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.side_by_side",
        description="One illegal copy through several compilers: what each of them says.",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the record there as well")
    options = parser.parse_args(argv)
    kept: list[str] = []
    for line in lines():
        print(line, flush=True)
        kept.append(line)
    if options.out:
        options.out.write_text("\n".join(kept) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
