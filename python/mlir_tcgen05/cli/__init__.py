"""The command line `tcgen05`.

One file for each command. None of them imports MLIR before it is called, so that `--help` and the
commands that only calculate answer at once.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from ._check import check_command
from ._prove import prove_command
from ._signals import at_once, cleaned_up
from ._trace import trace_command
from .compile import compile_command
from .descriptor import atoms, decode, encode
from .env import env
from .explain import explain_command
from .plot import plot_command


class _Group(click.Group):
    """Ends quietly where a reader of the output has gone away, and at once by a signal."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            with at_once():
                return super().main(*args, **kwargs)
        except BrokenPipeError:
            # What is still buffered has no reader; without this, Python complains at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        from mlir_tcgen05 import _toolchain  # of no use to --help, which does not get here

        _toolchain.with_temporary_files = cleaned_up
        return super().invoke(ctx)


def _print_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from mlir_tcgen05 import __version__

        click.echo(f"tcgen05 {__version__}")
        context.exit()


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
def main() -> None:
    """Blackwell's tcgen05.cp, the copy from shared memory to tensor memory."""


for _command in (
    atoms,
    check_command,
    compile_command,
    decode,
    encode,
    env,
    explain_command,
    plot_command,
    prove_command,
    trace_command,
):
    main.add_command(_command)
