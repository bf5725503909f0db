"""`tcgen05 decode`, `encode` and `atoms`: the tables of the ground floor, without MLIR."""

from __future__ import annotations

import click

from ._files import STANDARD, refusals


class _Integer(click.ParamType):
    """An integer in decimal, or in the base of its prefix: 0x400."""

    name = "integer"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        if isinstance(value, int):
            return value
        try:
            return int(str(value), 0)
        except ValueError:
            self.fail(f"expected an integer such as 1024 or 0x400, but got '{value}'", param, ctx)


_INTEGER = _Integer()


@click.command("decode")
@click.argument("descriptor", type=_INTEGER)
def decode(descriptor: int) -> None:
    """Print the fields of a shared-memory DESCRIPTOR, 0x4000404000010040 say."""
    with refusals(STANDARD):
        from mlir_tcgen05.layout import SmemDescriptor

        fields = SmemDescriptor.decode(descriptor)
    click.echo(f"start    {fields.start:#x}")
    click.echo(f"ldo      {fields.ldo} bytes")
    click.echo(f"sdo      {fields.sdo} bytes")
    click.echo(f"swizzle  {fields.swizzle}")


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
def encode(start: int, ldo: int, sdo: int, swizzle: str) -> None:
    """Print the shared-memory descriptor of a start address and strides."""
    with refusals(STANDARD):
        from mlir_tcgen05.layout import SmemDescriptor

        word = SmemDescriptor.encode(start, ldo, sdo, None if swizzle == "none" else swizzle)
    click.echo(f"{word:#018x}")


@click.command("atoms")
def atoms() -> None:
    """Print what one instruction copies, for each shape and multicast."""
    from mlir_tcgen05.layout import atoms as all_atoms

    header = ("shape", "multicast", "rows", "words", "replicas")
    rows = [
        (
            atom.shape,
            atom.multicast or "none",
            str(atom.rows),
            str(atom.words),
            f"{atom.replicas}, {atom.replica_stride} lanes apart" if atom.replicas > 1 else "1",
        )
        for atom in all_atoms()
    ]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
