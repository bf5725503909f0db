# RUN: %pytest %s
"""The site builds without a warning, the tutorial can be followed, errors lead to their pages."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import mlir_tcgen05 as t5
import pytest
from mlir_tcgen05._errors import CompileError
from mlir_tcgen05._rules import NAMES
from mlir_tcgen05.cli import main
from mlir_tcgen05.cli._files import parse_module
from snippets import ROOT, Block, blocks, matches, run_console, workspace
from terminal import tcgen05

DOCS = ROOT / "docs"
RULES = [DOCS / "rules" / f"{name}.md" for name in NAMES]
TUTORIAL = DOCS / "tutorial.md"
MINUTES = 10
"""What the tutorial promises; its commands take seconds."""


# ---- The site ----


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `nox -s docs` does."""
    directory = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n"]
    result = subprocess.run(
        [*command, "-d", str(directory / "doctrees"), str(DOCS), str(directory / "html")],
        capture_output=True,
        text=True,
        cwd=directory,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return directory / "html"


def page(site: Path, name: str) -> str:
    """The words of a page, without its markup."""
    return re.sub(r"<[^>]+>", "", (site / f"{name}.html").read_text())


def test_every_page_is_built(site: Path) -> None:
    for source in [*DOCS.rglob("*.md"), *DOCS.rglob("*.rst")]:
        assert (site / source.relative_to(DOCS)).with_suffix(".html").is_file(), source.name


def test_reference_of_the_dialect(site: Path) -> None:
    """Every operation, type, attribute and pass of the definitions."""
    dialect, passes = page(site, "reference/dialect"), page(site, "reference/passes")
    definitions = "".join(p.read_text() for p in (ROOT / "include").rglob("*.td"))
    operations = re.findall(r': Tcgen05_Op<"(\w+)"', definitions)
    assert len(operations) == 6
    for name in operations:
        assert f"tcgen05.{name} (::tcgen05::" in dialect, name
    for name in re.findall(r': Tcgen05_(?:Type|Attr)<"(\w+)"', definitions):
        assert name in dialect, name
    named = re.findall(r': Pass<"([\w-]+)"', definitions)
    assert "convert-tcgen05-to-nvvm" in named
    for name in named:
        assert f"-{name}" in passes, name


def test_reference_of_python(site: Path) -> None:
    html = (site / "reference" / "python.html").read_text()
    # What is a module has a section of its own.
    names = [n for n in t5.__all__ if not isinstance(getattr(t5, n), ModuleType | str)]
    assert len(names) > 10
    for name in names:
        assert f'id="mlir_tcgen05.{name}"' in html, name
    for name in t5.layout.__all__:
        assert f'id="mlir_tcgen05.layout.{name}"' in html, name
    for name in t5.catalog.__all__:
        if callable(getattr(t5.catalog, name)):
            assert f'id="mlir_tcgen05.catalog.{name}"' in html, name


def test_reference_of_the_command_line(site: Path) -> None:
    text = page(site, "reference/commands")
    for name, command in main.commands.items():
        assert f"tcgen05 {name} [OPTIONS]" in text, name
        for option in command.params:
            for spelling in option.opts:
                assert not spelling.startswith("--") or spelling in text, (name, spelling)


def test_every_example_is_shown(site: Path) -> None:
    text = page(site, "howto/gallery")
    programs = sorted((ROOT / "examples").glob("*.py"))
    assert len(programs) > 1
    for program in programs:
        docstring = ast.get_docstring(ast.parse(program.read_text()))
        assert docstring, program.name
        assert docstring.partition("\n")[0].rstrip(".:") in text, program.name
        assert f"examples/{program.name}" in text


# ---- Following the pages ----


def test_tutorial(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From an empty directory to a kernel compiled, drawn, simulated and proved, literally."""
    environment = workspace(TUTORIAL, tmp_path)
    lines: list[str] = []
    began = time.monotonic()
    for block in blocks(TUTORIAL):
        if block.language != "console":
            continue
        before = time.monotonic()
        for command, expected, got in run_console(block, tmp_path, environment):
            assert matches(expected, got), f"{block}: {command}\n{got}"
        lines.append(f"{time.monotonic() - before:5.1f} s  {block}")
    took = time.monotonic() - began
    with capsys.disabled():
        print("", *lines, f"{took:5.1f} s  in all, without the installation", sep="\n")
    assert (tmp_path / "scales.cubin").read_bytes().startswith(b"\x7fELF")
    assert (tmp_path / "copy.svg").read_text().startswith("<?xml")
    assert took < MINUTES * 60


def test_ten_questions() -> None:
    """Ten sections, each answered by one command."""
    text = (DOCS / "questions.md").read_text()
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert len(sections) == 10
    for section in sections:
        assert section.partition("\n")[0].endswith("?")
        assert len(re.findall(r"^\$ ", section, re.MULTILINE)) == 1, section.partition("\n")[0]


# ---- From an error to its page ----


def refused(path: Path) -> list[Block]:
    found = [b for b in blocks(path) if (b.language, b.words) == ("mlir", "refused")]
    assert found
    return found


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.stem)
def test_error_names_its_rule(path: Path) -> None:
    for block in refused(path):
        with t5.Context() as context, pytest.raises(CompileError) as caught:
            parse_module(block.text, context)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.rule == path.stem
        assert str(diagnostic).endswith(f"\n  see: tcgen05 explain {path.stem}")


@pytest.mark.parametrize("command", [["compile"], ["check"], ["trace", "--entry", "copy"]], ids=str)
def test_commands_say_where_to_look(command: list[str], tmp_path: Path) -> None:
    (block,) = refused(DOCS / "rules" / "C6.md")
    file = tmp_path / "copy.mlir"
    file.write_text(block.text)
    result = tcgen05(*command, file)
    assert result.returncode == 1
    assert result.stderr.decode().endswith("\n  see: tcgen05 explain C6\n")
    assert json.loads(tcgen05(*command, file, "--json").stdout)["errors"][0]["rule"] == "C6"


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f() { tcgen05.cp }",
        "!t = !tcgen05.tmem<4x4xi32, #tcgen05.layout<[4, 4] : [1@lane, 1]>>",
        'func.func @f() -> i32 { "tcgen05.cp"() : () -> ()\n}',
    ],
)
def test_other_errors_name_no_rule(text: str) -> None:
    with t5.Context() as context, pytest.raises(CompileError) as caught:
        parse_module(text, context)
    assert all(diagnostic.rule is None for diagnostic in caught.value.diagnostics)
    assert "see: " not in str(caught.value)
