"""`tcgen05 explain`: what the copies of a file do, or why they are illegal and what would do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ._files import STANDARD, Refusal, display_name, read_source, refusals, write_output
from ._terminal import colored, styled, with_progress

if TYPE_CHECKING:
    from mlir import ir

    from mlir_tcgen05._explain import Explanation


@click.command("explain")
@click.argument("file", metavar="FILE|RULE")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def explain_command(file: str, as_json: bool, quiet: bool) -> None:
    """Explain the copies of FILE, text or bytecode (- reads standard input), or a RULE, C10 say.

    A legal copy: its walk, its descriptor, and what each instruction reads and writes. An illegal
    one: the rule, the first point that disagrees, and the changes that would make it legal, the
    smallest first. Exits with status 1 if a copy is illegal.
    """
    if re.fullmatch(r"[Cc]\d+", file) and not Path(file).exists():
        _print_rule(file, as_json)
        return
    source, name = read_source(file), display_name(file)
    with refusals(name):
        from mlir_tcgen05 import Context
        from mlir_tcgen05._explain import Explanation
        from mlir_tcgen05._json import document
        from mlir_tcgen05._parse import parse_copies

        with Context() as context:
            module, found = parse_copies(context, source)
            explanations = [Explanation(one.renamed(name)) for one in found]
            if not explanations:
                raise Refusal(f"expected {name} to hold a tcgen05.cp, but got none")
            # The search for changes takes the time, so it is done here.
            parts = [e.as_json() for e in with_progress(explanations, "explaining", quiet)]
            if all(e.legal for e in explanations):
                _verify(module)
    if as_json:
        write_output(STANDARD, document("explain", source=name, copies=parts))
    else:
        write_output(STANDARD, _text(explanations))
    if not all(e.legal for e in explanations):
        raise click.exceptions.Exit(1)


def _text(explanations: list[Explanation]) -> str:
    color = colored()
    blocks = [
        "\n".join(styled(kind, line, color) for kind, line in explanation.lines())
        for explanation in explanations
    ]
    return "\n\n".join(blocks) + "\n"


def _verify(module: ir.Module) -> None:
    """Refuses a module whose copies are legal, but not what is around them."""
    from mlir_tcgen05._errors import CompileError
    from mlir_tcgen05._mlir import MLIRError

    try:
        module.operation.verify()
    except MLIRError as error:
        raise CompileError.from_mlir(error) from None


def _print_rule(name: str, as_json: bool) -> None:
    with refusals(STANDARD):
        from mlir_tcgen05._json import document
        from mlir_tcgen05._rules import rule

        found = rule(name)
    if as_json:
        keys = {"rule": found.name, "statement": found.statement, "text": found.text}
        write_output(STANDARD, document("explain", **keys))
    else:
        write_output(STANDARD, f"{found.name}\n\n{found.text}")
