"""`tcgen05 decode`, `encode` and `atoms`: the tables of the ground floor, without MLIR."""

from __future__ import annotations

import re

import click

from mlir_tcgen05._chips import DEFAULT_CHIP

from ._files import STANDARD, Integer, Refusal, refusals, write_output

_INTEGER = Integer()
_JSON = click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
_CHIP = click.option(
    "--chip",
    default=DEFAULT_CHIP,
    show_default=True,
    metavar="CHIP",
    help="Chip whose fields these are; all that have tcgen05.cp have the same.",
)
# What a field has to be: the first number of the sentence that refuses another value.
_REFUSED_FIELD = re.compile(r"expected descriptor field '(\w+)' to be (\d+)")


@click.command("decode")
@click.argument("descriptor", metavar="WORD", type=_INTEGER)
@click.option("--tmem", is_flag=True, help="WORD is an address of tensor memory, of 32 bits.")
@click.option("--fields", is_flag=True, help="Print every bit field, reserved ones too.")
@_CHIP
@_JSON
def decode(descriptor: int, tmem: bool, fields: bool, chip: str, as_json: bool) -> None:
    """Print the fields of a shared-memory descriptor WORD, 0x4000404000010040 say.

    A word that no copy has is refused, with a note for each field that is wrong.
    """
    _check_chip(chip)
    if tmem:
        _decode_tmem(descriptor, chip, as_json)
        return
    with refusals(STANDARD):
        from mlir_tcgen05._errors import Diagnostic
        from mlir_tcgen05._explain_json import fields as fields_of
        from mlir_tcgen05._explain_json import fields_json, walk_json
        from mlir_tcgen05._json import diagnostic_json, document
        from mlir_tcgen05.layout import SmemDescriptor

        problems = _problems(descriptor)
        value = None if problems else SmemDescriptor.decode(descriptor)
    if as_json and 0 <= descriptor < 2**64:
        text = document(
            "decode",
            chip=chip,
            word=f"{descriptor:#018x}",
            legal=value is not None,
            start=value and value.start,
            walk=value and walk_json(value.walk),
            fields=fields_json(descriptor),
            problems=[diagnostic_json(Diagnostic(problem)) for problem in problems],
        )
        write_output(STANDARD, text)
        if problems:
            _refusal(problems).say()
            raise click.exceptions.Exit(1)
        return
    if value is None:
        raise _refusal(problems)
    click.echo(f"start    {value.start:#x}")
    click.echo(f"ldo      {value.ldo} bytes")
    click.echo(f"sdo      {value.sdo} bytes")
    click.echo(f"swizzle  {value.swizzle}")
    if fields:
        _print_table(
            ("bits", "field", "value", "meaning"),
            [
                (f"{lsb}-{lsb + width - 1}" if width > 1 else str(lsb), name, f"{got:#x}", meaning)
                for name, lsb, width, got, meaning in fields_of(descriptor)
            ],
        )


def _problems(word: int) -> list[str]:
    """Why a word is no descriptor, field by field; each sentence is that of the ground floor."""
    from mlir_tcgen05.layout import LayoutError, SmemDescriptor

    places = {name: (lsb, width) for name, lsb, width, _ in SmemDescriptor.fields()}
    out: list[str] = []
    while True:
        try:
            SmemDescriptor.decode(word)
        except LayoutError as error:
            out.append(str(error))
            match = _REFUSED_FIELD.match(out[-1])
            if match is None or len(out) > len(places):
                return out
            # With this field as it should be, the next sentence is about another.
            lsb, width = places[match[1]]
            word = word & ~(((1 << width) - 1) << lsb) | int(match[2]) << lsb
        else:
            return out


def _refusal(problems: list[str]) -> Refusal:
    """What is said of a word that is no descriptor: the first problem, the others as notes."""
    from mlir_tcgen05._errors import Diagnostic

    notes = tuple(map(Diagnostic, problems[1:]))
    return Refusal("\n  note: ".join(problems), Diagnostic(problems[0], notes=notes))


def _decode_tmem(word: int, chip: str, as_json: bool) -> None:
    with refusals(STANDARD):
        from mlir_tcgen05._json import document
        from mlir_tcgen05.layout import TmemAddress

        address = TmemAddress.decode(word)
    if as_json:
        keys = {"word": f"{word:#010x}", "lane": address.lane, "column": address.col}
        write_output(STANDARD, document("decode", chip=chip, **keys))
        return
    click.echo(f"lane    {address.lane}")
    click.echo(f"column  {address.col}")


@click.command("encode")
@click.option("--start", type=_INTEGER, default=0, show_default=True, help="Bytes.")
@click.option("--ldo", type=_INTEGER, default=16, show_default=True, help="Bytes.")
@click.option("--sdo", type=_INTEGER, default=0, show_default=True, help="Bytes.")
@click.option(
    "--swizzle",
    type=click.Choice(["none", "32B", "64B", "128B"]),
    default="none",
    show_default=True,
    help="Swizzle mode.",
)
@click.option("--lane", type=_INTEGER, help="Encode an address of tensor memory instead.")
@click.option("--column", type=_INTEGER, help="Encode an address of tensor memory instead.")
@_CHIP
@_JSON
def encode(
    start: int,
    ldo: int,
    sdo: int,
    swizzle: str,
    lane: int | None,
    column: int | None,
    chip: str,
    as_json: bool,
) -> None:
    """Print the shared-memory descriptor of a start address and strides."""
    _check_chip(chip)
    with refusals(STANDARD):
        from mlir_tcgen05._json import document
        from mlir_tcgen05.layout import SmemDescriptor, TmemAddress

        if lane is not None or column is not None:
            text = f"{TmemAddress.encode(lane or 0, column or 0):#010x}"
        else:
            mode = None if swizzle == "none" else swizzle
            text = f"{SmemDescriptor.encode(start, ldo, sdo, mode):#018x}"
    if as_json:
        write_output(STANDARD, document("encode", chip=chip, word=text))
    else:
        click.echo(text)


@click.command("atoms")
@_CHIP
@_JSON
def atoms(chip: str, as_json: bool) -> None:
    """Print what one instruction copies, for each shape and multicast."""
    _check_chip(chip)
    with refusals(STANDARD):
        from mlir_tcgen05._explain_json import atom_json
        from mlir_tcgen05._json import document
        from mlir_tcgen05.layout import atoms as all_atoms

        found = all_atoms()
    if as_json:
        parts = [atom_json(atom) for atom in found]
        write_output(STANDARD, document("atoms", chip=chip, atoms=parts))
        return
    _print_table(
        ("shape", "multicast", "rows", "words", "replicas"),
        [
            (
                atom.shape,
                atom.multicast or "none",
                str(atom.rows),
                str(atom.words),
                f"{atom.replicas}, {atom.replica_stride} lanes apart" if atom.replicas > 1 else "1",
            )
            for atom in found
        ],
    )


def _check_chip(chip: str) -> None:
    with refusals(STANDARD):
        from mlir_tcgen05._chips import check_chip

        check_chip(chip)


def _print_table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
