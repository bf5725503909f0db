"""`tcgen05 plot`: pictures of copies, and of the atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ._files import (
    STANDARD,
    Refusal,
    check_output,
    display_name,
    read_source,
    refusals,
    result_json,
    write_output,
)
from ._terminal import colored, styled, with_progress

if TYPE_CHECKING:
    from mlir_tcgen05._explain import Explanation
    from mlir_tcgen05._plot import Picture

_KINDS = ("text", "svg", "png")


@click.command("plot")
@click.argument("file", required=False)
@click.option("--atoms", is_flag=True, help="Draw the six atoms instead: a reference card.")
@click.option(
    "-o",
    "--output",
    default=STANDARD,
    show_default=True,
    metavar="PATH",
    help="File to write; - is standard output.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(_KINDS),
    help="By default as the end of PATH says; text for standard output.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=16,
    show_default=True,
    metavar="N",
    help="Repeats to draw of each copy.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def plot_command(
    file: str | None,
    atoms: bool,
    output: str,
    kind: str | None,
    repeats: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw the copies of FILE, text or bytecode; - reads standard input.

    Shared memory is drawn as lines of 32 banks, tensor memory as lanes by columns; a colour is a
    source row. An illegal copy is drawn as it was written, the point that disagrees in red.
    """
    if atoms == (file is not None):
        raise click.UsageError("expected FILE or --atoms, but got " + ("both" if file else "none"))
    if kind is None:
        kind = "text" if output == STANDARD else _kind_of(output)
    check_output(output, binary=kind == "png" and not as_json)
    if atoms:
        with refusals(STANDARD):
            from mlir_tcgen05._plot import plot_atoms

            data = _atoms_text() if kind == "text" else _data(plot_atoms(), kind)
        _write(output, data, kind, None, [], as_json)
        return
    assert file is not None, "expected a file"
    source, name = read_source(file), display_name(file)
    with refusals(name):
        from mlir_tcgen05 import Context
        from mlir_tcgen05._explain import Explanation
        from mlir_tcgen05._parse import parse_copies
        from mlir_tcgen05._plot import explanations_of, plot

        with Context() as context:
            _, found = parse_copies(context, source)
        explanations = explanations_of([Explanation(one.renamed(name)) for one in found])
        if not explanations:
            raise Refusal(f"expected {name} to hold a tcgen05.cp, but got none")
        if kind == "text":
            color = colored() and output == STANDARD and not as_json
            data = _text(explanations, repeats, color, quiet)
        else:
            data = _data(plot(explanations, repeats=repeats), kind)
    _write(output, data, kind, name, explanations, as_json)


def _write(
    output: str,
    data: str | bytes,
    kind: str,
    source: str | None,
    explanations: list[Explanation],
    as_json: bool,
) -> None:
    if not as_json:
        write_output(output, data)
        return
    from mlir_tcgen05._json import document

    copies = [
        {
            "location": {"file": one.file, "line": one.line, "column": one.column},
            "opcode": one.copy and one.copy.opcode,
            "legal": one.legal,
        }
        for one in explanations
    ]
    result = result_json(output, data, kind)
    write_output(STANDARD, document("plot", source=source, result=result, copies=copies))


def _kind_of(path: str) -> str:
    with refusals(STANDARD):
        from mlir_tcgen05._plot import format_of

        return "text" if path.endswith(".txt") else format_of(path)


def _data(picture: Picture, kind: str) -> str | bytes:
    return picture.svg + "\n" if kind == "svg" else picture.png()


def _text(explanations: list[Explanation], repeats: int, color: bool, quiet: bool) -> str:
    from mlir_tcgen05._plot_text import text_lines

    blocks = [
        "\n".join(styled(kind, line, color) for kind, line in text_lines(explanation, repeats))
        for explanation in with_progress(explanations, "drawing", quiet)
    ]
    return "\n\n".join(blocks) + "\n"


def _atoms_text() -> str:
    from mlir_tcgen05._explain_text import lane_rule
    from mlir_tcgen05.layout import atoms

    rows = [
        (str(atom), f"{atom.rows} rows x {atom.words} words", lane_rule(atom)) for atom in atoms()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() + "\n"
        for row in rows
    )
