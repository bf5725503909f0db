"""`tcgen05 check`: what the kernels of a file are missing around their copies."""

from __future__ import annotations

import click

from ._files import STANDARD, display_name, parse_module, read_source, refusals, write_output


@click.command("check")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; the exit status says it.")
@click.option("--werror", is_flag=True, help="Exit with status 1 for warnings too.")
@click.option(
    "--disable", multiple=True, metavar="RULE", help="Do not look for this; may be repeated."
)
def check_command(
    file: str, as_json: bool, quiet: bool, werror: bool, disable: tuple[str, ...]
) -> None:
    """Check the code around the copies of FILE, text or bytecode; - reads standard input.

    Exits with status 1 if there are errors.
    """
    source = read_source(file)
    name = display_name(file)
    with refusals(name):
        from mlir_tcgen05 import Context, check

        with Context() as context:
            findings = [
                finding.renamed(name)
                for finding in check(parse_module(source, context), disable=disable)
            ]
    if as_json:
        from mlir_tcgen05._json import diagnostic_json, document

        parts = [diagnostic_json(one.diagnostic, one.severity) for one in findings]
        write_output(STANDARD, document("check", source=name, findings=parts))
    elif findings and not quiet:
        write_output(STANDARD, "\n".join(map(str, findings)) + "\n")
    if any(werror or finding.severity == "error" for finding in findings):
        raise click.exceptions.Exit(1)
