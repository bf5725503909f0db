"""`tcgen05 prove`: the emitted addresses of a file, for all inputs at once."""

from __future__ import annotations

import click

from ._files import STANDARD, display_name, parse_module, read_source, refusals, write_output
from ._terminal import with_progress


@click.command("prove")
@click.argument("file")
@click.option(
    "--unbounded",
    is_flag=True,
    help="Let shared regions end anywhere, to see that the proofs need their bound.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def prove_command(file: str, unbounded: bool, as_json: bool, quiet: bool) -> None:
    """Prove that the copies of FILE are issued at the right addresses; - reads standard input.

    Exits with status 1 if a statement does not hold, or cannot be made.
    """
    source = read_source(file)
    with refusals(display_name(file)):
        from mlir_tcgen05 import Context
        from mlir_tcgen05._prove import prove_each

        with Context() as context:
            module = parse_module(source, context)
            proofs = prove_each(
                module, not unbounded, lambda copies: with_progress(copies, "proving", quiet)
            )
    if as_json:
        from mlir_tcgen05._json import document

        parts = [proof._asdict() for proof in proofs]
        write_output(STANDARD, document("prove", source=display_name(file), proofs=parts))
    else:
        held = sum(proof.holds is True for proof in proofs)
        lines = [*map(str, proofs), f"{held} of {len(proofs)} statements proved"]
        write_output(STANDARD, "\n".join(lines) + "\n")
    if not all(proof.holds for proof in proofs):
        raise click.exceptions.Exit(1)
