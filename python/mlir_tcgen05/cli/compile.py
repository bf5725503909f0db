"""`tcgen05 compile`: from a file to LLVM IR, PTX, a cubin or its disassembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mlir_tcgen05._chips import DEFAULT_CHIP

from ._files import (
    STANDARD,
    check_output,
    display_name,
    parse_module,
    read_source,
    refusals,
    result_json,
    write_output,
)

if TYPE_CHECKING:
    from mlir_tcgen05._json import ResultJson
    from mlir_tcgen05._stages import Stages


@click.command("compile")
@click.argument("file")
@click.option(
    "--chip", default=DEFAULT_CHIP, show_default=True, metavar="CHIP", help="Chip to compile for."
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
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="Time that ptxas, and each other program, may take.",
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
    as_json: bool,
    quiet: bool,
    timeout: float,
    timing: bool,
) -> None:
    """Compile the one gpu.module of FILE, text or bytecode; - reads standard input."""
    check_output(output, binary=to == "cubin" and not as_json)
    source = read_source(file)
    with refusals(display_name(file)):
        from mlir_tcgen05 import Context, compile  # noqa: A004
        from mlir_tcgen05._stages import Stages

        stages = Stages(dump, display_name(file), quiet=quiet)
        with Context() as context:
            with stages.stage("parse"):
                module = parse_module(source, context)
            result = compile(
                module, chip, to, features=features, check=check, timeout=timeout, stages=stages
            )
    if as_json:
        write_output(STANDARD, _document(file, chip, result_json(output, result, to), stages))
    else:
        write_output(output, result)
    if timing:
        click.echo(stages.report(), err=True, nl=False)


def _document(file: str, chip: str, result: ResultJson, stages: Stages) -> str:
    from mlir_tcgen05._json import diagnostic_json, document

    return document(
        "compile",
        source=display_name(file),
        chip=chip,
        result=result,
        findings=[diagnostic_json(one.diagnostic, one.severity) for one in stages.findings],
        stages=[{"name": name, "seconds": seconds} for name, seconds in stages.seconds.items()],
    )
