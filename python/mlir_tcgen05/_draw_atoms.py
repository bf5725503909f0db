"""The drawing of the six atoms: a reference card."""

from __future__ import annotations

from ._draw import FAINT, FONT, HATCH, INK, Element, canvas, color, drawsvg, label
from ._explain_text import lane_rule, span
from .layout import CpAtom, atoms

_LANE = 2.25  # pixels
_WORD = 11
_TALL = 14  # a row of an atom that has few
_THICK = 6  # its lanes, that they are seen
_PANEL = (350, 400)
_TOP = 64
_ACROSS = 3


def draw_atoms() -> tuple[str, float, float]:
    """The SVG of the card, its width and its height."""
    all_atoms = atoms()
    width = _ACROSS * _PANEL[0] + 20
    height = -(-len(all_atoms) // _ACROSS) * _PANEL[1] + 76
    drawing = canvas(width, height)
    root = drawsvg.Group(fill=INK, font_family=FONT)
    root.append(label("What one tcgen05.cp copies", 20, 24, 36, font_weight="bold"))
    legend = "colour is the source row; hatched lanes are copies of it (replicas)"
    root.append(label(legend, 12, 24, 56, fill=FAINT))
    for index, atom in enumerate(all_atoms):
        panel = drawsvg.Group(
            class_="atom",
            transform=f"translate({24 + index % _ACROSS * _PANEL[0]},"
            f"{76 + index // _ACROSS * _PANEL[1]})",
        )
        _draw_atom(panel, atom)
        root.append(panel)
    drawing.append(root)
    return drawing.as_svg(), width, height


def runs(atom: CpAtom) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Replica, rows and lanes, both ends included, of what lies in lanes beside each other."""
    out: list[tuple[int, tuple[int, int], tuple[int, int]]] = []
    for replica in range(atom.replicas):
        for row in range(atom.rows):
            lane = atom.lane(row) + replica * atom.replica_stride
            if out and out[-1][0] == replica and out[-1][2][1] + 1 == lane:
                _, (first, _), (start, _) = out[-1]
                out[-1] = replica, (first, row), (start, lane)
            else:
                out.append((replica, (row, row), (lane, lane)))
    return out


def _draw_atom(panel: Element, atom: CpAtom) -> None:
    panel.append(label(str(atom), 15, 0, 22, font_weight="bold"))
    rows_words = f"{atom.rows} rows x {atom.words} words; "
    first, *more = lane_rule(atom).split("; ")
    panel.append(label(rows_words + first, 11, 0, 39, fill=FAINT))
    if more:
        panel.append(label("; ".join(more), 11, 0, 53, fill=FAINT))
    width = atom.words * _WORD
    _source(panel, atom, width)
    left = 46 + width + 66
    panel.append(label("lanes", 9, left, _TOP + 6, fill=FAINT))
    top = _TOP + 12
    panel.append(drawsvg.Rectangle(left, top, width, 128 * _LANE, fill="#f3f3f3", stroke="#cccccc"))
    for lane in (0, 32, 64, 96, 127):
        y = top + lane * _LANE + 6
        panel.append(label(str(lane), 9, left - 6, y, "end", fill=FAINT))
    for replica, rows, lanes in runs(atom):
        few = lanes[0] == lanes[1]
        for row in range(rows[0], rows[1] + 1):
            y = top + (lanes[0] + row - rows[0]) * _LANE
            panel.append(_bar(atom, row, left, y, width, _THICK if few else _LANE, replica))
        height = _THICK if few else (lanes[1] - lanes[0] + 1) * _LANE
        y = top + lanes[0] * _LANE
        if replica:
            panel.append(drawsvg.Rectangle(left, y, width, height, fill=HATCH))
        text = f"{'row' if few else 'rows'} {span(rows)}"
        x = left + width + 6
        panel.append(label(text, 9.5, x, y + height / 2 + 3, class_="rows"))


def _source(panel: Element, atom: CpAtom, width: float) -> None:
    """The rows of the source, as many pixels each as their lanes have."""
    few = atom.rows < 32
    height = _TALL if few else _LANE
    panel.append(label(f"source, {atom.words * 4} bytes a row", 9, 0, _TOP + 6, fill=FAINT))
    top = _TOP + 12
    for row in range(atom.rows):
        panel.append(_bar(atom, row, 34, top + row * height, width, height, 0))
        if few or row % 32 == 0 or row == atom.rows - 1:
            y = top + row * height + (10 if few else 6)
            panel.append(label(str(row), 9, 28, y, "end", fill=FAINT))
    y = top + min(atom.rows * height / 2, 60)
    x = 34 + width
    panel.append(drawsvg.Line(x + 12, y, x + 34, y, stroke=FAINT, stroke_width=1.5))
    panel.append(drawsvg.Lines(x + 30, y - 4, x + 38, y, x + 30, y + 4, fill=FAINT, close=True))


def _bar(
    atom: CpAtom, row: int, x: float, y: float, width: float, height: float, replica: int
) -> Element:
    return drawsvg.Rectangle(
        x,
        round(y, 2),
        width,
        height,
        fill=color(row, atom.rows),
        class_="cell",
        data_row=row,
        data_replica=replica,
    )
