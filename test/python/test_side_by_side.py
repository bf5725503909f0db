# RUN: %pytest %s
"""The illegal copy in several compilers: README quotes the record, and the record is what they say.

Where a rival is installed in the version of the record, its programs run again; elsewhere these
tests are skipped, and say why. Ours run everywhere.
"""

from __future__ import annotations

import re
import sys

import pytest
from snippets import ROOT

sys.path.insert(0, str(ROOT))

from bench.side_by_side import ours
from bench.side_by_side.record import CASES, HEAD, Record, read
from bench.side_by_side.runs import (
    CONTENDERS,
    PADDED,
    PARTS,
    Contender,
    Outcome,
    run,
    sentences,
)
from bench.versions import MISSING, OURS, RIVALS, versions

README = (ROOT / "README.md").read_text()
RECORD = read((ROOT / "bench" / "SIDE_BY_SIDE.txt").read_text())
BY_WAY = {(c.program, c.way): c for c in CONTENDERS}
# README's first column, and whose sentence it quotes; the remedy of ours is that of `explain`.
ROWS = {
    "Gluon (Triton 3.9.0)": ("gluon", "slice"),
    "CuTe DSL 4.8.1": ("cutedsl", "plain"),
    "TIRx 0.1.0a4": ("tirx", "tile"),
    "this": ("ours", "compile"),
}


def table() -> dict[str, list[str]]:
    """The rows of README's table, by their first cell."""
    head = "| | sentence | rule | place | first point | remedy |\n|---|---|---|---|---|---|\n"
    assert README.count(head) == 1
    lines = README.partition(head)[2].partition("\n\n")[0].splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert all(len(row) == 6 for row in cells)
    return {row[0]: row[1:] for row in cells}


def without_places(outcome: Outcome) -> Outcome:
    """Comments of a kernel may move its lines; and MLIR numbers its values as it likes."""
    lines = tuple(
        re.sub(r"(\.\w+):\d+:\d+", r"\1", re.sub(r"%\d+", "%N", line)) for line in outcome.lines
    )
    registers = tuple(re.sub(r"%\w*\d+", "%N", copy) for copy in outcome.copies)
    return Outcome(outcome.status, registers, lines)


def skip_unless_recorded(contender: Contender) -> None:
    """Skips where it is not here in the version of the record."""
    name = contender.distribution
    if name and (here := versions([name])[name]) != (recorded := RECORD.versions[name]):
        pytest.skip(f"the record is of {name} {recorded}, and here it is {here}")


# ---- The record is what they say ----


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda c: c.title)
def test_said_again(contender: Contender, case: str) -> None:
    skip_unless_recorded(contender)
    got = run(contender, CASES[case])
    assert without_places(got) == without_places(RECORD.of(contender, case))


def test_record_is_complete() -> None:
    assert set(RECORD.outcomes) == {(c.title, case) for c in CONTENDERS for case in CASES}
    assert MISSING not in (ROOT / "bench" / "SIDE_BY_SIDE.txt").read_text()
    for name, version in RECORD.versions.items():
        if name != "mlir-tcgen05":
            assert f'"{name}=={version}"' in (ROOT / "pyproject.toml").read_text()
    assert set(RECORD.versions) == {OURS, *RIVALS}


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda c: c.title)
def test_only_the_padding_is_refused(contender: Contender) -> None:
    """A rival's legal program has the copy in what it made; its padded one was refused."""
    legal, padded = (RECORD.of(contender, case) for case in CASES)
    assert (legal.status, legal.lines) == ("status 0", ())
    compiles_copy = (contender.program, contender.way) not in {
        ("ours", "explain"),
        ("gluon", "padded"),
    }
    assert len(legal.copies) == compiles_copy
    assert all(copy.startswith("tcgen05.cp.cta_group::1.128x128b") for copy in legal.copies)
    assert padded.status != "status 0"
    assert padded.lines


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda c: c.title)
def test_parts_are_of_the_sentences(contender: Contender) -> None:
    found = RECORD.parts[contender.title, "padded"]
    assert found == {part: RECORD.of(contender, "padded").find(part) for part in PARTS}


@pytest.mark.parametrize(
    ("program", "way", "line"),
    [
        ("gluon", "slice", "tcgen05_copy(data, tmem)"),
        ("cutedsl", "lines", "source = tcgen05.get_s2t_smem_desc_tensor("),
    ],
)
def test_places_are_those_of_the_programs(program: str, way: str, line: str) -> None:
    """Whoever edits a rival's program has to record a run."""
    place = RECORD.parts[BY_WAY[program, way].title, "padded"]["place"]
    file, number, _ = place.split(":")
    assert file == f"bench/side_by_side/{program}.py"
    assert (ROOT / file).read_text().splitlines()[int(number) - 1].lstrip().startswith(line)


# ---- README quotes the record ----


def test_readme_has_all_rows() -> None:
    assert set(table()) == set(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_readme_quotes(row: str) -> None:
    """The sentence, cut at its ends only; whether there is a rule, a place, a point, a remedy."""
    contender = BY_WAY[ROWS[row]]
    sentence, *cells = table()[row]
    said = RECORD.of(contender, "padded").lines
    assert re.fullmatch(r"`.+`", sentence)
    quoted = sentence.strip("`").removeprefix("...").removesuffix("...").strip()
    assert len(quoted) > 40
    assert any(quoted in line for line in said)
    if not sentence.strip("`").endswith("..."):
        assert any(line.endswith(quoted) for line in said)
    found = dict(RECORD.parts[contender.title, "padded"])
    if row == "this":
        found["remedy"] = RECORD.parts[BY_WAY["ours", "explain"].title, "padded"]["remedy"]
    expected = [f"`{words}`" if words else "" for words in found.values()]
    expected[1] = "line, column" if found["place"] else ""
    if row.startswith("CuTe"):
        option = BY_WAY["cutedsl", "lines"]
        assert RECORD.parts[option.title, "padded"]["place"]
        expected[1] = f"with `{option.what}`"
    assert cells == expected


def test_readme_says_who_crashed() -> None:
    (quoted, signal), crashed = (
        re.findall(r"ends by (\w+):\s`(.+?); \.\.\.`", README)[0][::-1],
        RECORD.of(BY_WAY["gluon", "padded"], "padded"),
    )
    assert crashed.status == f"ended by {signal}"
    assert any(line.startswith(quoted) for line in crashed.lines)


def test_readme_names_the_recorded_versions() -> None:
    for row, (program, way) in ROWS.items():
        if program != "ours":
            version = RECORD.versions[BY_WAY[program, way].distribution]
            assert version in re.findall(r"\d[\w.]+", row)


def test_readme_shows_the_same_copy() -> None:
    """Its text has the layouts of the programs, and its run the sentence of the record."""
    assert "#tcgen05.layout<[128, 4] : [8, 1]>" in README
    assert "#smem_layout = #tcgen05.layout<[128, 4] : [8, 1]>" in ours.kernel(PADDED)
    (first, *_) = RECORD.of(BY_WAY["ours", "compile"], "padded").lines
    sentence = first.partition(": 'tcgen05.cp' op ")[2]
    assert f"error: padded.mlir:5:3: 'tcgen05.cp' op {sentence}\n" in README


# ---- The tools of this test ----


def test_sentences() -> None:
    text = """warning: of no interest
file.py:3:5: error: first
    line = of(source)
#loc = loc(x)
module {
\x20
Traceback (most recent call last):
  File "x.py", line 3
some.where.BadError: second
  error: third is so long that it goes
         on, and
         on
  --> file.py:3:5
         | not the sentence
nanobind: leaked 4 instances!
 - leaked
LLVM ERROR: fourth"""
    assert sentences(text, wraps=True) == [
        "file.py:3:5: error: first",
        "    line = of(source)",
        "some.where.BadError: second",
        "  error: third is so long that it goes on, and on",
        "  --> file.py:3:5",
        "         | not the sentence",
        "LLVM ERROR: fourth",
    ]


def test_record_of_another_form() -> None:
    with pytest.raises(ValueError, match="today's head"):
        read("something else\n\nx\n")
    with pytest.raises(ValueError, match="expected a line of a record"):
        read(f"{HEAD}\n\nwhat is this\n")
    assert read(f"{HEAD}\n\ntriton {MISSING}\n") == Record()
