"""`tcgen05 trace`: what a function issues, run on this machine's CPU."""

from __future__ import annotations

import click

from ._files import (
    STANDARD,
    Integer,
    display_name,
    parse_module,
    read_source,
    refusals,
    write_output,
)


class _Index(click.ParamType[tuple[int, int, int]]):
    """`x`, `x,y` or `x,y,z`."""

    name = "x[,y[,z]]"

    def __init__(self, default: int) -> None:
        self._default = default

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int, int]:
        parts = str(value).split(",")
        if len(parts) > 3 or not all(part.strip().isdecimal() for part in parts):
            self.fail(f"expected up to three integers such as 5 or 5,0,1, but got '{value}'")
        x, y, z = ([int(part) for part in parts] + [self._default] * 2)[:3]
        return x, y, z


@click.command("trace")
@click.argument("file")
@click.option("--entry", required=True, metavar="NAME", help="Function to run.")
@click.option(
    "--arg",
    "arguments",
    multiple=True,
    type=Integer(truth=True),
    help="Argument; once for each, in order.",
)
@click.option("--thread", type=_Index(0), help="Index of the thread in its block; 0 by default.")
@click.option("--block", type=_Index(0), help="Index of the block; 0 by default.")
@click.option("--block-size", type=_Index(1), help="Threads of a block; what FILE says by default.")
@click.option("--rank", type=click.IntRange(0), default=0, help="Rank of the block in its cluster.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
def trace_command(
    file: str,
    entry: str,
    arguments: tuple[int, ...],
    thread: tuple[int, int, int] | None,
    block: tuple[int, int, int] | None,
    block_size: tuple[int, int, int] | None,
    rank: int,
    as_json: bool,
) -> None:
    """Print the copies that a function of FILE issues, in order; - reads standard input.

    Pointers and workgroup memrefs are given as shared addresses.
    """
    source = read_source(file)
    with refusals(display_name(file)):
        from mlir_tcgen05 import Context, Thread, trace

        zero = (0, 0, 0)
        who = Thread(thread or zero, block or zero, rank, block_size, cluster_size=rank + 1)
        with Context() as context:
            issues = trace(parse_module(source, context), entry, *arguments, thread=who)
    if as_json:
        from mlir_tcgen05._json import document

        parts = [
            {"opcode": i.opcode, "taddr": f"{i.taddr:#010x}", "descriptor": f"{i.descriptor:#018x}"}
            for i in issues
        ]
        text = document("trace", source=display_name(file), entry=entry, issues=parts)
        write_output(STANDARD, text)
    else:
        lines = [
            f"{i.opcode}  taddr {i.taddr:#010x}  descriptor {i.descriptor:#018x}\n" for i in issues
        ]
        write_output(STANDARD, "".join(lines))
