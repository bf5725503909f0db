# RUN: %pytest %s
"""THIRD_PARTY_NOTICES.md names all that pyproject.toml asks for, by extra, and nothing else."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
OWN = "mlir-tcgen05"


def lists(section: str) -> dict[str, set[str]]:
    """The lists of names in a table of pyproject.toml; an extra of our own is no package."""
    text = (ROOT / "pyproject.toml").read_text()
    body = re.search(rf"^\[{re.escape(section)}\]\n(.*?)(?=^\[[a-z]|\Z)", text, re.M | re.S)
    assert body, section
    found = re.findall(r"^([\w-]+) = \[(.*?)\]$", body[1], re.M | re.S)
    assert found, section
    return {name: set(re.findall(r'"([\w.-]+)[^"]*"', text)) - {OWN} for name, text in found}


def rows(title: str) -> list[list[str]]:
    """The cells of the table below a title of the notices."""
    text = (ROOT / "THIRD_PARTY_NOTICES.md").read_text()
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## )", text, re.M | re.S)
    assert section, title
    table = re.findall(r"^\| (.*) \|$", section[1], re.M)
    assert len(table) > 1, title
    cells = [[cell.strip() for cell in row.split(" | ")] for row in table]
    assert len({len(row) for row in cells}) == 1, title
    return cells[1:]


def named(cell: str) -> set[str]:
    """The packages of a cell."""
    names = re.findall(r"`([\w.-]+)`", cell)
    assert names, cell
    return set(names)


def packages(title: str) -> set[str]:
    """Those of a table whose first column has them."""
    return set().union(*(named(row[0]) for row in rows(title)))


def by_extra() -> dict[str, set[str]]:
    """Those of the optional table."""
    found: dict[str, set[str]] = defaultdict(set)
    for extra, cell, *_ in rows("Optional"):
        (name,) = named(extra)
        assert not found[name] & named(cell), f"{name}: {cell} twice"
        found[name] |= named(cell)
    return found


def test_extras() -> None:
    assert set(by_extra()) == set(lists("project.optional-dependencies"))


@pytest.mark.parametrize("extra", lists("project.optional-dependencies"))
def test_packages_of_an_extra(extra: str) -> None:
    assert by_extra()[extra] == lists("project.optional-dependencies")[extra]


def test_what_is_needed() -> None:
    at_run_time = lists("project")["dependencies"]
    assert packages("Needed at run time") == at_run_time
    assert packages("Needed to build") == lists("build-system")["requires"] - at_run_time


def test_licences() -> None:
    """Each package has one, and the same wherever it is named."""
    licences: dict[str, set[str]] = defaultdict(set)
    for title, column in {"Needed at run time": 0, "Needed to build": 0, "Optional": 1}.items():
        for row in rows(title):
            assert row[-1], row
            for name in named(row[column]):
                licences[name].add(row[-1])
    assert {name: found for name, found in licences.items() if len(found) > 1} == {}
