"""The text view of a picture, for a terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ._cells import LINE_BYTES, Cell, Cells, cells
from ._explain import Explanation
from ._explain_text import Lines, span

_LINES = 32
"""Lines of shared memory that the text shows."""
_CHUNK = 16


def text_lines(explanation: Explanation, repeats: int) -> Lines:
    """A copy line by line, each with its kind as in `Explanation.lines`.

    Raises:
        ValueError: as of `plot`.
    """
    copy = explanation.copy
    assert copy is not None, "expected a whole copy"
    shown = cells(copy, repeats)
    where = f"{explanation.location}: " if explanation.location else ""
    lines: Lines = [("title", f"{where}tcgen05.cp {copy.opcode}")]
    if explanation.failure:
        rule = f"rule {explanation.failure.rule}: " if explanation.failure.rule else ""
        lines.append(("illegal", f"  {rule}{explanation.failure.message}"))
    what = "repeat:row" if shown.drawn > 1 else "row"
    lines.append(("note", f"  shared memory, 16 bytes a cell: {what}; > starts a fault"))
    lines += _source(explanation, shown)
    lines.append(("note", "  tensor memory, from the view"))
    lines += [("plain", f"  {line}") for line in _target(shown)]
    if shown.drawn < shown.repeats:
        lines.append(("note", f"  ... {shown.repeats - shown.drawn} more repeats"))
    for mark in explanation.marks:
        if mark.operand == "dst":
            place = f"lane {mark.lane}, column {mark.column}"
        else:
            place = f"byte {mark.byte}"
        lines.append(("illegal", f"  {mark.role}: {place}"))
    return lines


def _source(explanation: Explanation, shown: Cells) -> Iterator[tuple[str, str]]:
    names: dict[tuple[int, int], list[str]] = defaultdict(list)
    for cell in shown.src:
        name = f"{cell.repeat}:{cell.row}" if shown.drawn > 1 else str(cell.row)
        chunk = names[cell.major, cell.minor // _CHUNK]
        if name not in chunk:
            chunk.append(name)
    bad = {
        (mark.byte // LINE_BYTES, mark.byte % LINE_BYTES // _CHUNK)
        for mark in explanation.marks
        if mark.operand == "src"
    }
    used = sorted({line for line, _ in names} | {line for line, _ in bad})
    width = max((len(_chunk(name)) for name in names.values()), default=1) + 2
    for line in used[:_LINES]:
        row = "".join(
            f"{'>' * ((line, chunk) in bad) + _chunk(names.get((line, chunk), ['.'])):>{width}}"
            for chunk in range(LINE_BYTES // _CHUNK)
        )
        kind = "illegal" if any(at == line for at, _ in bad) else "plain"
        yield kind, f"  {line * LINE_BYTES:>7} {row}"
    if len(used) > _LINES:
        yield "note", f"  ... {len(used) - _LINES} more lines"


def _chunk(names: list[str]) -> str:
    return names[0] + "+" * (len(names) > 1)


def _target(shown: Cells) -> Iterator[str]:
    """For each repeat and replica: rows, and the lanes that they are in."""
    parts: dict[tuple[int, int], dict[int, list[Cell]]] = defaultdict(dict)
    for cell in shown.dst:
        parts[cell.repeat, cell.replica].setdefault(cell.row, []).append(cell)
    rows = [("repeat", "copy", "rows", "lanes", "columns")]
    for (repeat, replica), by_row in sorted(parts.items()):
        for first, last, step in _runs(by_row):
            lanes = by_row[first][0].major, by_row[last][0].major
            run = by_row[first]
            columns = min(c.minor for c in run), max(c.minor + c.extent - 1 for c in run)
            every = f" step {step}" if step != 1 and first != last else ""
            rows.append(
                (str(repeat), str(replica), span((first, last)), span(lanes) + every, span(columns))
            )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip()


def _runs(by_row: dict[int, list[Cell]]) -> Iterator[tuple[int, int, int]]:
    """Rows whose lanes follow each other by one step, and the step."""
    order = sorted(by_row)
    lanes = {row: by_row[row][0].major for row in order}
    columns = {row: by_row[row][0].minor for row in order}
    start = 0
    while start < len(order):
        end, step = start, 1
        while end + 1 < len(order):
            a, b = order[end], order[end + 1]
            distance = lanes[b] - lanes[a]
            if columns[a] != columns[b] or (end > start and distance != step):
                break
            step, end = distance, end + 1
        yield order[start], order[end], step
        start = end + 1
