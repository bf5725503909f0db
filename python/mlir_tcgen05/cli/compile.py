"""`tcgen05 compile`: from a file to LLVM IR, PTX, a cubin or its disassembly."""

from __future__ import annotations

import click

from ._files import (
    STANDARD,
    check_output,
    display_name,
    parse_module,
    read_source,
    refusals,
    write_output,
)


@click.command("compile")
@click.argument("file")
@click.option(
    "--chip", default="sm_100a", show_default=True, metavar="CHIP", help="Chip to compile for."
)
@click.option(
    "--to",
    default="ptx",
    show_default=True,
    type=click.Choice(["llvm", "ptx", "cubin", "sass"]),
    help="What to make of the module.",
)
@click.option(
    "-o",
    "--output",
    default=STANDARD,
    show_default=True,
    metavar="PATH",
    help="File to write; - is standard output.",
)
@click.option(
    "--features",
    default="",
    metavar="LIST",
    help="LLVM features, such as +ptx90; without them the least PTX version of the chip.",
)
@click.option(
    "--dump",
    metavar="DIR",
    help="Directory for the IR after each pass, LLVM IR, PTX, cubin and SASS.",
)
@click.option(
    "--check/--no-check",
    default=True,
    show_default=True,
    help="Check the protocol around the copies; errors stop, warnings are shown.",
)
@click.option("--timing", is_flag=True, help="Print the time of each stage to standard error.")
def compile_command(
    file: str,
    chip: str,
    to: str,
    output: str,
    features: str,
    dump: str | None,
    check: bool,
    timing: bool,
) -> None:
    """Compile the one gpu.module of FILE, text or bytecode; - reads standard input."""
    check_output(output, binary=to == "cubin")
    source = read_source(file)
    with refusals(display_name(file)):
        from mlir_tcgen05 import Context, compile  # noqa: A004
        from mlir_tcgen05._stages import Stages

        stages = Stages(dump, display_name(file))
        with Context() as context:
            with stages.stage("parse"):
                module = parse_module(source, context)
            result = compile(module, chip, to, features=features, check=check, stages=stages)
    write_output(output, result)
    if timing:
        click.echo(stages.report(), err=True, nl=False)
