# RUN: %pytest %s
"""The site builds without a warning, the tutorial can be followed, errors lead to their pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import mlir_tcgen05 as t5
import pytest
from mlir_tcgen05._errors import CompileError
from mlir_tcgen05._rules import NAMES
from mlir_tcgen05.cli import main
from mlir_tcgen05.cli._files import parse_module
from snippets import ROOT, Block, blocks, run_commands, run_console, what_runs_here, workspace
from terminal import tcgen05
from tutorial import MINUTES, TUTORIAL, follow

DOCS = ROOT / "docs"
RULES = [DOCS / "rules" / f"{name}.md" for name in NAMES]


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


def words(markup: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", markup))


def page(site: Path, name: str) -> str:
    """The words of a page, without its markup."""
    return words((site / f"{name}.html").read_text())


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


# ---- The pages of the examples ----

EXAMPLES = ROOT / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.mlir"))
every_example = pytest.mark.parametrize("name", NAMES)
COPY = re.compile(r'(?<![.\w])tcgen05\.cp "([^"]+)"')
SVG = "{http://www.w3.org/2000/svg}"


def article(site: Path, name: str) -> str:
    """A page without what leads to others."""
    return (site / f"{name}.html").read_text().partition("<article")[2].partition("</article")[0]


def test_every_example_has_a_page(site: Path) -> None:
    """And no page is without an example; the index leads to all, in its text and beside it."""
    assert len(NAMES) >= 12
    pages = {path.stem for path in (DOCS / "howto" / "examples").iterdir()}
    assert pages == {*NAMES, "kernel", "lit"}
    index, whole = article(site, "howto/gallery"), (site / "howto" / "gallery.html").read_text()
    beside = re.findall(r'<li class="toctree-l2"><a [^>]*href="(examples/\w+)\.html"', whole)
    assert {f"examples/{name}" for name in pages} == set(beside)
    for name in pages:
        assert f'href="examples/{name}.html"' in index, name


@pytest.mark.parametrize(
    "name",
    [
        "smem_k_major", "smem_scales", "smem_scales_64",
        "tmem", "tmem_scatter", "tmem_scales", "tmem_scales_64",
    ],
)  # fmt: skip
def test_layout_with_a_name_has_a_picture(site: Path, name: str) -> None:
    """Of a copy of an example that uses it, and leads to the examples that do."""
    html = (site / "reference" / "python.html").read_text()
    start = html.index(f'id="mlir_tcgen05.catalog.{name}"')
    part = html[start : html.index("</dd></dl>", start)]
    (shown,) = re.findall(r'<img alt="(\w+), cta_group::', part)
    users = {p.stem for p in EXAMPLES.glob("*.py") if f"catalog.{name}(" in p.read_text()}
    assert shown in users
    assert set(re.findall(r'href="\.\./howto/examples/(\w+)\.html"', part)) == users


@every_example
def test_page_says_who_needs_the_example(site: Path, name: str) -> None:
    """In the words of the example itself."""
    text = page(site, f"howto/examples/{name}").split("The kernel")[0]
    said = " ".join(text.replace("\u2019", "'").split())
    comment = re.match(r"(?://.*\n)+", (EXAMPLES / f"{name}.mlir").read_text())
    assert comment
    lines = [line[2:].strip() for line in comment[0].splitlines()]
    (start,) = [i for i, line in enumerate(lines) if line.startswith("Who needs it: ")]
    for line in lines[start : lines.index("", start)]:
        assert line.replace("`", "") in said, line
    assert "To change: " in said


@every_example
def test_page_shows_the_picture(site: Path, name: str) -> None:
    """That of its own copies: each opcode and place is a label."""
    html = article(site, f"howto/examples/{name}")
    (source,) = re.findall(r'<img [^>]*src="\.\./\.\./(_images/[^"]+)"', html)
    root = ElementTree.parse(site / source).getroot()
    assert root.tag == f"{SVG}svg"
    labels = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    lines = (EXAMPLES / f"{name}.mlir").read_text().splitlines()
    found = [(n, m) for n, line in enumerate(lines, 1) if (m := COPY.search(line))]
    assert found
    for number, match in found:
        assert f"tcgen05.cp.{match[1]}" in labels
        place = f"examples/{name}.mlir:{number}:{match.start() + 1}"
        assert any(label.endswith(place) for label in labels), place


@every_example
def test_page_shows_both_sources(site: Path, name: str) -> None:
    text = page(site, f"howto/examples/{name}")
    for path in (EXAMPLES / f"{name}.mlir", EXAMPLES / f"{name}.py"):
        assert path.read_text().strip() in text, path.name
        assert f"examples/{path.name}" in text


@every_example
def test_page_leads_on(site: Path, name: str) -> None:
    """To the tutorial, to the operations, to the rules that have something to decide."""
    html = article(site, f"howto/examples/{name}").partition('id="read-on"')[2]
    links = set(re.findall(r'href="\.\./\.\./([^"#]+)\.html', html))
    code = re.sub(r"//.*", "", (EXAMPLES / f"{name}.mlir").read_text())
    assert {"tutorial", "reference/dialect", "rules/C10"} <= links
    for rule, word in (("C5", "replica ["), ("C13", ", swizzle ")):
        assert (f"rules/{rule}" in links) == (word in code), rule
    for operation in set(re.findall(r"(?<![.!#\w])tcgen05\.(\w+)", code)):
        assert f"tcgen05.{operation}</span>" in html, operation


@every_example
def test_commands_of_the_page(site: Path, name: str, tmp_path: Path) -> None:
    """They compile the example in both forms, and draw it."""
    html = article(site, f"howto/examples/{name}")
    (console,) = re.findall(r'<div class="highlight-console.*?</pre>', html, re.DOTALL)
    path = DOCS / "howto" / "examples" / f"{name}.md"
    block = Block(path, 1, "console", "", words(console).strip(), None)
    environment = workspace(path, tmp_path)
    shutil.copytree(EXAMPLES, tmp_path / "copy")
    ran = list(run_console(block, tmp_path / "copy", environment))
    assert [command.split()[0] for command, _, _ in ran] == ["tcgen05", "python", "tcgen05"]
    for command, expected, got in ran:
        assert got == expected == "", command
    cubins = list((tmp_path / "copy").glob("*.cubin"))
    assert cubins
    assert all(cubin.read_bytes().startswith(b"\x7fELF") for cubin in cubins)
    (picture,) = re.findall(r'<img [^>]*src="\.\./\.\./(_images/[^"]+)"', html)
    drawn, shown = tmp_path / "copy" / f"{name}.svg", site / picture
    # The page draws what the command draws, but for where it was called.
    assert drawn.read_text().strip() == shown.read_text().replace("examples/", "").strip()


# ---- Following the pages ----


def test_tutorial(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From an empty directory to a kernel compiled, drawn, simulated and proved, literally."""
    environment = workspace(TUTORIAL, tmp_path)
    steps = [step for step in follow(TUTORIAL, tmp_path, environment, what_runs_here)]
    took = sum(step.seconds for step in steps)
    with capsys.disabled():
        print("", *steps, f"{took:6.1f} s  in all, without the installation", sep="\n")
    for step in steps:
        assert step.as_expected, f"{step}\n{step.got}"
    assert (tmp_path / "scales.cubin").read_bytes().startswith(b"\x7fELF")
    assert (tmp_path / "copy.svg").read_text().startswith("<?xml")
    assert took < MINUTES * 60


def test_a_walk_without_an_end(tmp_path: Path) -> None:
    """It is ended, and a command that ends the shell is named."""
    walk = run_commands(["echo one", "sleep 60"], tmp_path, {**os.environ}, timeout=1)
    got, status, _ = next(walk)
    assert (got, status) == ("one\n", 0)
    with pytest.raises(subprocess.TimeoutExpired, match="sleep 60"):
        next(walk)
    walk = run_commands(["false", "exit 3", "echo two"], tmp_path, {**os.environ})
    assert next(walk)[:2] == ("", 1)
    with pytest.raises(RuntimeError, match="expected 'exit 3' to return"):
        next(walk)


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
