"""A build tree that is configured and not built, for tools that read C++ as the build does."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sysconfig
from pathlib import Path

ROOT = Path(os.environ["TCGEN05_SOURCE_ROOT"])
SCRIPTS = Path(sysconfig.get_path("scripts"))


def run(tool: str | Path, *arguments: str | Path) -> tuple[int, str]:
    """Exit status and output of a tool, which is one of the environment's if it has that name."""
    process = subprocess.run(
        [SCRIPTS / tool if (SCRIPTS / tool).is_file() else tool, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"},
        timeout=1200,
        check=False,
    )
    return process.returncode, process.stdout


def configure(tree: Path) -> None:
    """Makes a tree of the preset `dev` with the flags of every file and the generated headers."""
    headers = [f"Tcgen05{floor}IncGen" for floor in ("IR", "Analysis", "Conversion")]
    for arguments in (["--preset", "dev", "-B", tree], ["--build", tree, "--target", *headers]):
        status, output = run("cmake", *arguments)
        assert status == 0, output


def flags_of(tree: Path) -> dict[Path, list[str]]:
    """The flags of each of our files, without the compiler, its inputs and its outputs."""
    flags: dict[Path, list[str]] = {}
    for entry in json.loads((tree / "compile_commands.json").read_text()):
        source = Path(entry["file"])
        if ROOT not in source.parents:
            continue
        words = iter(shlex.split(entry["command"]))
        kept = []
        for word in words:
            if word in ("-o", "-c"):
                next(words)
            elif word.startswith("-"):
                kept.append(word)
                if word in ("-I", "-isystem", "-include"):
                    kept.append(next(words))
        flags[source] = kept
    return flags
