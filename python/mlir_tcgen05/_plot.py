"""Pictures of copies: shared memory as its banks and lines, tensor memory as lanes and columns.

    plot(module).save("copy.svg")

A picture is drawn once, as SVG; PNG is rendered from it, and the text is another view of the same
cells. Drawing needs the extra `plot`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ._copy import Copy
from ._errors import ToolNotFoundError
from ._explain import Explanation, explain

if TYPE_CHECKING:
    from mlir import ir

DEFAULT_REPEATS = 16
"""Repeats that a picture shows of each copy."""
_MOST_PIXELS = 8000
_FONT = "Roboto"


class Picture:
    """A picture of one or more copies, or of the atoms; notebooks show it.

    Attributes:
        svg: the drawing.
        width, height: its size in pixels.
    """

    def __init__(self, svg: str, width: float, height: float) -> None:
        self.svg: str = svg
        self.width: float = width
        self.height: float = height

    def _repr_svg_(self) -> str:
        return self.svg

    def png(self, zoom: float = 2.0) -> bytes:
        """The picture as PNG.

        Args:
            zoom: pixels of the image for one of the drawing; less where it would be too large.

        Raises:
            ValueError: `zoom` is not a positive number.
            ToolNotFoundError: the renderer is not installed; the message says what to install.
        """
        if not isinstance(zoom, (int, float)) or not 0 < zoom < float("inf"):
            raise ValueError(f"expected zoom to be a positive number, but got {zoom!r}")
        try:
            import font_roboto  # type: ignore[import-untyped]
            import resvg_py
        except ImportError as error:
            raise missing(error) from None
        # A font of its own: an image does not depend on what the machine has.
        fonts = Path(font_roboto.__path__[0]) / "files"
        zoom = min(zoom, _MOST_PIXELS / max(self.width, self.height))
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=self.svg,
                zoom=zoom,
                skip_system_fonts=True,
                font_files=[str(fonts / f"Roboto-{face}.ttf") for face in ("Regular", "Bold")],
                font_family=_FONT,
                sans_serif_family=_FONT,
            )
        )

    def save(self, path: str | Path) -> None:
        """Writes the picture, as SVG or PNG by the end of the name.

        Raises:
            ValueError: the name ends in neither `.svg` nor `.png`.
            ToolNotFoundError: PNG needs a renderer that is not installed.
        """
        kind = format_of(path)
        Path(path).write_bytes(self.png() if kind == "png" else self.svg.encode())


def plot(
    what: ir.Module | ir.Operation | Copy | Explanation | Sequence[Explanation],
    *,
    repeats: int = DEFAULT_REPEATS,
) -> Picture:
    """Draws copies, one under the other; what is illegal is drawn too, with its fault in red.

    Args:
        what: a module or operation, whose copies are all drawn, or explanations.
        repeats: how many repeats of each copy to draw.

    Raises:
        ValueError: there is no copy, `repeats` is not positive, or a copy is too large to draw.
        TypeError: `what` is none of these, or `repeats` no integer.
        ToolNotFoundError: the extra `plot` is not installed.
    """
    if isinstance(repeats, bool) or not isinstance(repeats, int):
        raise TypeError(f"expected repeats to be an integer, but got {repeats!r}")
    explanations = explanations_of(what)
    if not explanations:
        raise ValueError("expected a tcgen05.cp to draw, but got none")
    try:
        from ._draw import draw
    except ImportError as error:
        raise missing(error) from None
    return Picture(*draw(explanations, repeats))


def plot_atoms() -> Picture:
    """Draws the six atoms as a reference card.

    Raises:
        ToolNotFoundError: the extra `plot` is not installed.
    """
    try:
        from ._draw_atoms import draw_atoms
    except ImportError as error:
        raise missing(error) from None
    return Picture(*draw_atoms())


def explanations_of(
    what: ir.Module | ir.Operation | Copy | Explanation | Sequence[Explanation],
) -> list[Explanation]:
    """The explanations of what can be drawn; operations that are not whole are left out."""
    if isinstance(what, Copy):
        return [Explanation.of(what)]
    if isinstance(what, Explanation):
        return [what]
    if isinstance(what, Sequence) and not isinstance(what, (str, bytes)):
        for one in what:
            if not isinstance(one, Explanation):
                got = type(one).__name__
                raise TypeError(f"expected what to be a module or explanations, but got {got}")
        return [explanation for explanation in what if explanation.copy is not None]
    return [explanation for explanation in explain(what) if explanation.copy is not None]


def format_of(path: str | Path) -> str:
    """`svg` or `png`, by the end of a name.

    Raises:
        ValueError: it ends in neither.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".svg", ".png"):
        raise ValueError(f"expected {path} to end in .svg or .png, but got '{suffix}'")
    return suffix[1:]


def missing(error: ImportError) -> ToolNotFoundError:
    """What to install for pictures."""
    return ToolNotFoundError(
        f"expected {error.name or 'drawsvg'} to be installed, but got none; "
        "install it with: pip install 'mlir-tcgen05[plot]'"
    )
