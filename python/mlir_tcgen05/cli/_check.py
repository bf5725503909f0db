"""`tcgen05 check`: what the kernels of a file are missing around their copies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ._files import STANDARD, display_name, parse_module, read_source, refusals, write_output

if TYPE_CHECKING:
    from mlir_tcgen05._check import Finding
    from mlir_tcgen05._errors import Diagnostic


@click.command("check")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as a JSON list.")
@click.option("--werror", is_flag=True, help="Exit with status 1 for warnings too.")
@click.option(
    "--disable", multiple=True, metavar="RULE", help="Do not look for this; may be repeated."
)
def check_command(file: str, as_json: bool, werror: bool, disable: tuple[str, ...]) -> None:
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
        write_output(STANDARD, json.dumps([_as_json(f) for f in findings], indent=2) + "\n")
    elif findings:
        write_output(STANDARD, "\n".join(map(str, findings)) + "\n")
    if any(werror or finding.severity == "error" for finding in findings):
        raise click.exceptions.Exit(1)


def _as_json(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        **_place(finding.diagnostic),
        "notes": [_place(note) for note in finding.diagnostic.notes],
    }


def _place(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "message": diagnostic.message,
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
    }
