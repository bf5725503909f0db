# RUN: %pytest %s
"""The reference's walk against words that an H200 read: maps read back through wgmma."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest
from conftest import DATA
from mlir_tcgen05 import reference

CODES = (0, 6, 4, 2)


def records() -> list[dict[str, Any]]:
    with gzip.open(DATA / "walk_hopper.json.gz", "rt") as file:
        return json.load(file)


def blackwell(record: dict[str, Any], code: int | None = None) -> int:
    """The same walk in Blackwell's packing; Hopper's differs."""
    code = CODES[record["mode"]] if code is None else code
    start, lbo, sbo = record["start"] >> 4, record["lbo"] >> 4, record["sbo"] >> 4
    return start | lbo << 16 | sbo << 32 | 1 << 46 | code << 61


def seen(record: dict[str, Any]) -> np.ndarray:
    """Byte addresses; -1 for a word that could not be decoded."""
    rows = record["observed"]
    return np.array([[-1 if w is None else 4 * w for w in row] for row in rows])


def test_every_word() -> None:
    words = 0
    modes = dict.fromkeys(range(4), 0)
    for record in records():
        observed = seen(record)
        walk = reference.walk(blackwell(record), record["rows"], 8)
        known = observed >= 0
        assert np.array_equal(walk[known], observed[known]), record["id"]
        words += int(known.sum())
        modes[record["mode"]] += 1
    print(f"\n{words} words agree; descriptors for each mode: {modes}")
    assert words > 50_000
    assert all(modes.values())


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_another_mode_disagrees(mode: int) -> None:
    """The maps do tell modes apart."""
    of_mode = [r for r in records() if r["mode"] == mode and (seen(r) >= 0).any()]
    for other in {0, 1, 2, 3} - {mode}:
        differ = 0
        for record in of_mode:
            observed = seen(record)
            walk = reference.walk(blackwell(record, CODES[other]), record["rows"], 8)
            known = observed >= 0
            differ += not np.array_equal(walk[known], observed[known])
        assert differ == len(of_mode)
