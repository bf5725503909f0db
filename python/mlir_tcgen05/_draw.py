"""The drawing of copies as SVG."""

from __future__ import annotations

import colorsys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import drawsvg as _untyped

from ._cells import LINE_BYTES, Cell, Cells, cells, segments
from ._explain import Explanation, Mark

drawsvg: Any = _untyped
"""drawsvg, whose functions have no types."""
Element = Any
"""A part of a drawing."""
FONT = "Roboto, Helvetica, Arial, sans-serif"
RED = "#d4001a"
INK = "#222222"
FAINT = "#888888"
_WORD = 9  # pixels of a word or a column
_MARGIN = 24
_LABELS = 50  # for the numbers of lines and lanes
_BREAK = 14  # where lines, lanes or columns are left out
_SLOTS = 160  # most lines of shared memory below each other
_BETWEEN = 56
_WARP = 32  # lanes
_NARROW = 160  # pixels of columns up to which warps are put side by side
_ALL_LABELS = 2200  # cells up to which every one has its label


@dataclass
class Scale:
    """Where the numbers of one direction lie: those that are drawn, and breaks between."""

    ranges: list[tuple[int, int]]
    pixels: float

    def __post_init__(self) -> None:
        self.starts: list[float] = []
        at = 0.0
        for first, last in self.ranges:
            self.starts.append(at)
            at += (last - first + 1) * self.pixels + _BREAK
        self.length = max(0.0, at - _BREAK)

    def at(self, value: int) -> float:
        """The position of a number, which has to be drawn."""
        for (first, last), start in zip(self.ranges, self.starts, strict=True):
            if first <= value <= last:
                return start + (value - first) * self.pixels
        raise ValueError(f"expected {value} to be drawn")


def draw(explanations: Sequence[Explanation], repeats: int) -> tuple[str, float, float]:
    """The SVG of copies below each other, its width and its height."""
    parts = [_copy(explanation, repeats) for explanation in explanations]
    width = max(w for _, w, _ in parts) + 2 * _MARGIN
    height = sum(h for _, _, h in parts) + _MARGIN * (len(parts) + 1)
    drawing = canvas(width, height)
    y = _MARGIN
    for group, _, part_height in parts:
        group.args["transform"] = f"translate({_MARGIN},{y:g})"
        drawing.append(group)
        y += part_height + _MARGIN
    return drawing.as_svg(), width, height


def canvas(width: float, height: float) -> Element:
    """An empty white drawing with the pattern of replicas."""
    drawing = drawsvg.Drawing(width, height)
    drawing.append(drawsvg.Rectangle(0, 0, width, height, fill="white"))
    return drawing


def hatch() -> Element:
    """The pattern that lies over copies of a row."""
    pattern = drawsvg.Pattern(5, 5, patternUnits="userSpaceOnUse", id="replica")
    pattern.append(drawsvg.Line(0, 5, 5, 0, stroke="white", stroke_width=1.4, stroke_opacity=0.8))
    return pattern


def label(
    text: str, size: float, x: float, y: float, anchor: str = "start", **more: object
) -> Element:
    """A line of text; `y` is its base line."""
    if anchor != "start":
        more["text_anchor"] = anchor
    return drawsvg.Text(text, size, x, y, **more)


def color(row: int, rows: int, half: int = 0) -> str:
    """The colour of a source row; blocks of eight alternate, the second four words are lighter."""
    light = (0.66 if row // 8 % 2 else 0.74) + 0.08 * half
    red, green, blue = colorsys.hls_to_rgb(0.86 * row / max(1, rows), light, 0.72)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def _copy(explanation: Explanation, repeats: int) -> tuple[Element, float, float]:
    """One copy: its title, both memories and the legend."""
    copy = explanation.copy
    assert copy is not None, "expected a whole copy"
    shown = cells(copy, repeats)
    group = drawsvg.Group(class_="copy", fill=INK, font_family=FONT)
    y = _title(group, explanation, shown)
    top = y + 54
    source, width, source_height = _source(explanation, shown)
    source.args["transform"] = f"translate(0,{top:g})"
    group.append(label("shared memory", 14, _LABELS, y + 8, font_weight="bold"))
    group.append(
        label(
            "lines of 128 bytes, numbered by their first; 32 banks of 4",
            11,
            _LABELS,
            y + 22,
            fill=FAINT,
        )
    )
    group.append(source)
    left = width + _BETWEEN
    target, target_width, target_height = _target(explanation, shown)
    target.args["transform"] = f"translate({left:g},{top:g})"
    group.append(label("tensor memory", 14, left + _LABELS, y + 8, font_weight="bold"))
    group.append(
        label("lanes by 32-bit columns, from the view", 11, left + _LABELS, y + 22, fill=FAINT)
    )
    group.append(target)
    bottom = top + max(source_height, target_height) + 22
    legend_width = _legend(group, explanation, shown, bottom)
    return group, max(left + target_width, legend_width, 560), bottom + 16


def _title(group: Element, explanation: Explanation, shown: Cells) -> float:
    """The title; returns where what follows may begin."""
    copy, failure = explanation.copy, explanation.failure
    assert copy is not None, "expected a whole copy"
    where = f"   {explanation.location}" if explanation.location else ""
    group.append(label(f"tcgen05.cp.{copy.opcode}", 18, 0, 16, font_weight="bold"))
    y = 36.0
    if failure is None:
        plan = explanation.plan
        count = shown.repeats
        some = f", {shown.drawn} drawn" if shown.drawn < count else ""
        text = f"{count} instruction{'s' * (count > 1)}{some}; {plan and plan.walk}{where}"
        group.append(label(text, 12, 0, y, fill=FAINT))
    else:
        for line in _wrapped(f"{failure.rule or ''} {failure.message}".strip() + where, 92):
            group.append(label(line, 13, 0, y, fill=RED, class_="failure"))
            y += 17
        y -= 17
    return y + 26


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += " " * bool(lines[-1]) + word
    return lines


def _height(count: int) -> float:
    """Pixels of a line or a lane: what few there are may be tall."""
    return 18 if count <= 24 else 13 if count <= 72 else 9


def _source(explanation: Explanation, shown: Cells) -> tuple[Element, float, float]:
    """Shared memory, in stacks beside each other where it is long."""
    marks = [mark for mark in explanation.marks if mark.operand == "src"]
    lines = {cell.major for cell in shown.src} | {mark.byte // LINE_BYTES for mark in marks}
    ranges = segments(lines)
    height = _height(sum(last - first + 1 for first, last in ranges))
    stacks = _stacks(ranges)
    group = drawsvg.Group(class_="shared")
    stack_width = LINE_BYTES // 4 * _WORD + _LABELS
    deepest = 0.0
    for index, stack in enumerate(stacks):
        scale = Scale(stack, height)
        left = index * (stack_width + 14) + _LABELS
        inside = [cell for cell in shown.src if _in(stack, cell.major)]
        for bank in range(0, 32, 4):
            group.append(label(str(bank), 8, left + bank * _WORD, -4, fill=FAINT))
        _frame(group, scale, left, LINE_BYTES // 4 * _WORD)
        for first, last in stack:
            for line in range(first, last + 1):
                y = scale.at(line) + height / 2 + 3
                if height >= 13 or line in (first, last) or (line - first) % 4 == 0:
                    number = str(line * LINE_BYTES)
                    group.append(label(number, 8.5, left - 5, y, "end", fill=FAINT))
        _draw_cells(group, inside, shown, lambda c, x=left: x + c.minor / 4 * _WORD, scale, 4)
        for mark in marks:
            if _in(stack, mark.byte // LINE_BYTES):
                x = left + mark.byte % LINE_BYTES / 4 * _WORD
                _mark(group, mark, x, scale.at(mark.byte // LINE_BYTES), height)
        deepest = max(deepest, scale.length)
    return group, len(stacks) * (stack_width + 14) - 14, deepest


def _stacks(ranges: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Ranges of lines, cut into stacks of about one length."""
    slots = sum(last - first + 2 for first, last in ranges)
    share = -(-slots // -(-slots // _SLOTS))
    stacks: list[list[tuple[int, int]]] = [[]]
    room = share
    for first, last in ranges:
        while first <= last:
            if room < 1:
                stacks.append([])
                room = share
            end = min(last, first + room - 1)
            stacks[-1].append((first, end))
            room -= end - first + 2
            first = end + 1
    return stacks


def _in(ranges: list[tuple[int, int]], value: int) -> bool:
    return any(first <= value <= last for first, last in ranges)


def _target(explanation: Explanation, shown: Cells) -> tuple[Element, float, float]:
    """Tensor memory; where it is narrow, the lanes of each warp side by side."""
    marks = [mark for mark in explanation.marks if mark.operand == "dst"]
    lanes = {cell.major for cell in shown.dst} | {mark.lane for mark in marks}
    columns = {cell.minor // 4 for cell in shown.dst} | {mark.column // 4 for mark in marks}
    blocks = Scale(segments(columns), 4 * _WORD)
    narrow = len(lanes) > _WARP and blocks.length <= _NARROW
    parts: defaultdict[int, set[int]] = defaultdict(set)
    for lane in lanes:
        parts[lane // _WARP if narrow else 0].add(lane)
    ranges = [segments(part, 3) for _, part in sorted(parts.items())]
    height = _height(max(sum(b - a + 1 for a, b in part) for part in ranges))
    group = drawsvg.Group(class_="tensor")
    left = deepest = 0.0
    for part in ranges:
        vertical = Scale(part, height)
        start = left + _LABELS

        def x_of(column: int, start: float = start) -> float:
            return start + blocks.at(column // 4) + column % 4 * _WORD

        for first, last in blocks.ranges:
            _frame(group, vertical, x_of(4 * first), (last - first + 1) * 4 * _WORD)
            for block in range(first, last + 1):
                group.append(label(str(4 * block), 8, x_of(4 * block), -4, fill=FAINT))
        for first, last in part:
            for lane in range(first, last + 1):
                if height >= 13 or lane in (first, last) or lane % 8 == 0:
                    y = vertical.at(lane) + height / 2 + 3
                    group.append(label(str(lane), 8.5, start - 5, y, "end", fill=FAINT))
        inside = [cell for cell in shown.dst if _in(part, cell.major)]
        _draw_cells(group, inside, shown, lambda cell, x=x_of: x(cell.minor), vertical, 1)
        if shown.drawn > 1:
            _repeat_numbers(group, inside, x_of)
        for mark in marks:
            if _in(part, mark.lane):
                _mark(group, mark, x_of(mark.column), vertical.at(mark.lane), height)
        left = start + blocks.length + 4
        deepest = max(deepest, vertical.length)
    return group, max(left, _LABELS + 200), deepest


def _repeat_numbers(group: Element, drawn: Iterable[Cell], x_of: Callable[[int], float]) -> None:
    """The number of each repeat above its columns."""
    spans: dict[int, tuple[int, int]] = {}
    for cell in drawn:
        low, high = spans.get(cell.repeat, (cell.minor, cell.minor))
        spans[cell.repeat] = min(low, cell.minor), max(high, cell.minor + cell.extent - 1)
    together: dict[tuple[int, int], list[int]] = defaultdict(list)
    for repeat, span in spans.items():
        together[span].append(repeat)
    for (low, high), repeats in together.items():
        middle = (x_of(low) + x_of(high) + _WORD) / 2
        text = str(repeats[0]) if len(repeats) == 1 else f"{repeats[0]}-{repeats[-1]}"
        group.append(
            label(f"#{text}", 9, middle, -13, "middle", font_weight="bold", class_="repeat")
        )


def _frame(group: Element, scale: Scale, x: float, width: float) -> None:
    """The empty memory under the cells, and the breaks where some is left out."""
    for index, ((first, last), y) in enumerate(zip(scale.ranges, scale.starts, strict=True)):
        height = (last - first + 1) * scale.pixels
        group.append(
            drawsvg.Rectangle(
                x, y, width, height, fill="#f3f3f3", stroke="#cccccc", stroke_width=0.5
            )
        )
        if index:
            y -= _BREAK / 2
            group.append(drawsvg.Line(x, y, x + width, y, stroke="#bbbbbb", stroke_dasharray="1 4"))


def _draw_cells(
    group: Element,
    drawn: Sequence[Cell],
    shown: Cells,
    x_of: Callable[[Cell], float],
    scale: Scale,
    unit: int,
) -> None:
    """The cells of one memory: one path for what has one colour.

    Where cells lie on each other the first repeat's own row is on top, and a plus says so.
    """
    ordered = sorted(drawn, key=lambda cell: (cell.replica, cell.repeat))
    paths: dict[tuple[int, int, int, int], list[Cell]] = defaultdict(list)
    for cell in ordered:
        paths[cell.replica, cell.repeat, cell.row, int(cell.later)].append(cell)
    height = scale.pixels
    for (replica, repeat, row, half), members in reversed(paths.items()):
        outline = "".join(
            f"M{x_of(c):g} {scale.at(c.major):g}h{c.extent / unit * _WORD:g}v{height:g}"
            f"h{-c.extent / unit * _WORD:g}z"
            for c in members
        )
        path = drawsvg.Path(
            d=outline,
            fill=color(row, shown.rows, half),
            stroke="white",
            stroke_width=0.5,
            class_="cell",
            data_row=row,
            data_repeat=repeat,
            data_replica=replica,
        )
        group.append(path)
        if replica:
            group.append(drawsvg.Path(d=outline, fill=HATCH))
    sparse = len(ordered) > _ALL_LABELS
    at: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for cell in ordered:
        at[cell.major, cell.minor].append(cell)
    for cell, *others in at.values():
        if sparse and cell.row % 4:
            continue
        text = f"{cell.repeat}:{cell.row}" if shown.drawn > 1 else str(cell.row)
        text += "+" * bool(others)
        width = cell.extent / unit * _WORD
        size = min(height - 1.5, 9, width / (0.56 * len(text)))
        if size >= 4.5:
            x, y = x_of(cell) + width / 2, scale.at(cell.major) + height / 2 + size * 0.36
            group.append(label(text, round(size, 1), round(x, 1), round(y, 1), "middle"))


HATCH = hatch()


def _mark(group: Element, mark: Mark, x: float, y: float, height: float) -> None:
    """A word that the failure speaks of."""
    dashes = {"stroke_dasharray": "3 2"} if mark.role == "expected" else {}
    group.append(
        drawsvg.Rectangle(
            x - 1,
            y - 1,
            _WORD + 2,
            height + 2,
            fill=RED if mark.role == "got" else "none",
            fill_opacity=0.35,
            stroke=RED,
            stroke_width=2,
            class_=f"mark {mark.role}",
            **dashes,
        )
    )


def _legend(group: Element, explanation: Explanation, shown: Cells, y: float) -> float:
    """What colours, numbers and frames mean; returns its width."""
    step = max(1, shown.rows // 8)
    rows = list(range(0, shown.rows, step))
    x = _LABELS
    group.append(label("source row", 10, x, y + 10, fill=FAINT))
    x += 62
    for row in rows:
        group.append(drawsvg.Rectangle(x, y, 26, 13, fill=color(row, shown.rows)))
        group.append(label(str(row), 9, x + 13, y + 10, "middle"))
        x += 28
    x += 14
    if any(cell.replica for cell in shown.dst):
        group.append(drawsvg.Rectangle(x, y, 26, 13, fill=color(0, shown.rows)))
        group.append(drawsvg.Rectangle(x, y, 26, 13, fill=HATCH))
        group.append(label("copy of a row (replica)", 10, x + 31, y + 10, fill=FAINT))
        x += 150
    if shown.drawn > 1:
        group.append(label("1:33 is repeat 1, row 33", 10, x, y + 10, fill=FAINT))
        x += 128
    places = [[(c.major, c.minor) for c in side] for side in (shown.src, shown.dst)]
    if any(len(set(side)) < len(side) for side in places):
        group.append(label("+ and others", 10, x, y + 10, fill=FAINT))
        x += 76
    for role, text in (("got", "where it is"), ("expected", "where it has to be")):
        if any(mark.role == role for mark in explanation.marks):
            dashes = {"stroke_dasharray": "3 2"} if role == "expected" else {}
            fill = RED if role == "got" else "none"
            group.append(
                drawsvg.Rectangle(
                    x, y, 13, 13, fill=fill, fill_opacity=0.35, stroke=RED, stroke_width=2, **dashes
                )
            )
            group.append(label(text, 10, x + 19, y + 10, fill=FAINT))
            x += 100 if role == "got" else 130
    return x
