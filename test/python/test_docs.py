# RUN: %pytest %s
"""The documentation: every snippet runs, every rule has its page and its negative test."""

from __future__ import annotations

import re
from pathlib import Path

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir_tcgen05 import CompileError, ToolNotFoundError
from mlir_tcgen05._compile import assemble
from snippets import (
    ROOT,
    Block,
    blocks,
    matches,
    messages,
    run_console,
    run_opt,
    run_python,
    workspace,
)

DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").glob("*.md")),
]
EXAMPLE = ROOT / "examples" / "copy_128x128b.mlir"
# Followed, and timed, in test_documentation.py.
TUTORIAL = ROOT / "docs" / "tutorial.md"
DEFINITIONS = sorted((ROOT / "include" / "tcgen05").rglob("*.td"))
LANGUAGES = {"c++", "console", "mlir", "python", "text"}

BLOCKS = [block for path in DOCUMENTS for block in blocks(path)]
EXAMPLES = [block for path in DEFINITIONS for block in blocks(path)]


def of(language: str, words: str = "") -> list[Block]:
    return [b for b in BLOCKS if b.language == language and b.words == words]


# ---- Snippets ----


def test_languages() -> None:
    """No snippet escapes the tests by a language that none of them knows."""
    for block in BLOCKS:
        assert block.language in LANGUAGES, f"{block}: {block.language!r}"
        assert block.words in ("", "refused"), f"{block}: {block.words!r}"


@pytest.mark.parametrize("block", of("mlir"), ids=str)
def test_module(block: Block) -> None:
    result = run_opt(block.text, "-verify-roundtrip")
    assert result.returncode == 0, result.stderr
    assert not result.stderr


@pytest.mark.parametrize("block", of("mlir", "refused"), ids=str)
def test_refused_module(block: Block) -> None:
    result = run_opt(block.text)
    assert result.returncode == 1
    assert block.output is not None, "expected the messages to follow in a text block"
    assert messages(result.stderr) == block.output


@pytest.mark.parametrize("block", [b for b in of("python") if not b.file_name], ids=str)
def test_program(block: Block, tmp_path: Path) -> None:
    workspace(block.path, tmp_path)
    result = run_python(block.text, tmp_path)
    assert result.returncode == 0, result.stderr
    assert matches(block.output or "", result.stdout), result.stdout


@pytest.mark.parametrize(
    "path", sorted({b.path for b in of("console")} - {TUTORIAL}), ids=lambda p: p.name
)
def test_commands(path: Path, tmp_path: Path) -> None:
    environment = workspace(path, tmp_path)
    for block in blocks(path):
        if block.language != "console":
            continue
        for command, expected, got in run_console(block, tmp_path, environment):
            assert matches(expected, got), f"{block}: {command}\n{got}"


# ---- Examples of the definitions ----

# What the names of scalar operands stand for; regions say their types themselves.
SCALARS = {
    "addr": "i32",
    "base": "i64",
    "buffer": "memref<1024xbf16, #gpu.address_space<workgroup>>",
    "i": "index",
    "p": "i1",
    "ptr": "!llvm.ptr<3>",
    "taddr": "i32",
}


def types_after_colon(line: str) -> list[str]:
    """The operand types of an op: after the colon, up to the arrow, split at top-level commas."""
    listed = re.split(r" : (?=[!\w])", line, maxsplit=1)[-1].partition(" -> ")[0]
    types, depth = [""], 0
    for character in listed:
        depth += (character in "<[(") - (character in ">])")
        if character == "," and depth == 0:
            types.append("")
        else:
            types[-1] += character
    return [entry.strip() for entry in types]


def complete(text: str) -> str:
    """A module around an example: arguments for free operands, users for aliases."""
    if re.search(r"^\s*(func\.func|gpu\.module)\b", text, re.MULTILINE):
        return text
    aliases = [line for line in text.splitlines() if re.match(r"[#!]\w+ = ", line)]
    body = [line for line in text.splitlines() if line not in aliases]
    arguments: dict[str, str] = {}
    for line in body:
        right = line.partition(" = ")[2] if re.match(r"%\w+ = ", line) else line
        used = re.findall(r"%([A-Za-z]\w*)", re.sub(r'"[^"]*"', "", right))
        regions = [name for name in used if name not in SCALARS]
        arguments |= {name: SCALARS[name] for name in used if name in SCALARS}
        arguments |= dict(zip(regions, types_after_colon(line), strict=False))
    for number, alias in enumerate(aliases):
        name = alias.partition(" = ")[0]
        if name.startswith("!"):
            arguments[f"alias{number}"] = name
        else:
            body.append(f'"test.use"() {{layout = {name}}} : () -> ()')
    signature = ", ".join(f"%{name}: {is_a}" for name, is_a in arguments.items())
    inside = "\n".join(f"  {line}" for line in [*body, "return"])
    return "\n".join([*aliases, f"func.func @example({signature}) {{", inside, "}"])


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_example_of_definition(example: Block) -> None:
    assert example.language == "mlir"
    module = complete(example.text)
    result = run_opt(module, "-verify-roundtrip", "-allow-unregistered-dialect")
    assert result.returncode == 0, f"{module}\n{result.stderr}"


def test_definitions_have_examples() -> None:
    """Each op, type and attribute of the IR floor shows at least one."""
    for path in DEFINITIONS:
        text = path.read_text()
        defined = re.findall(
            r"^def Tcgen05_\w+ *\n? *: Tcgen05_(?:Op|Type|Attr)<", text, re.MULTILINE
        )
        assert text.count("Example:") == len(defined), path.name


# ---- Rules ----

CP_DEFINITION = ROOT / "include" / "tcgen05" / "IR" / "Instructions" / "Cp.td"
RULE_PAGES = ROOT / "docs" / "rules"


def rules() -> dict[str, str]:
    """The rules as the definition of the op lists them: name to statement."""
    listed = re.findall(
        r"^ +- (C\d+): (.*\n(?: {6}\S.*\n)*)", CP_DEFINITION.read_text(), re.MULTILINE
    )
    return {name: " ".join(text.split()) for name, text in listed}


def negative_tests() -> dict[str, str]:
    """The text of all negative tests of each rule. A section opens with the rule's name."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "test" / "Dialect").glob("*-invalid.mlir")):
        for section in path.read_text().split("// -----"):
            title = re.search(r"^// (C\d+):", section, re.MULTILINE)
            if title and "expected-error" in section:
                found[title[1]] = found.get(title[1], "") + section
    return found


def test_rules_are_numbered() -> None:
    numbered = [f"C{number}" for number in range(1, 16)]
    assert list(rules()) == numbered
    assert sorted(page.stem for page in RULE_PAGES.iterdir()) == sorted(numbered)


def test_table_of_rules() -> None:
    """The overview states each rule as its page does."""
    rows = re.findall(
        r"^\| \[(C\d+)\]\(rules/\1\.md\) \| (.+) \|$",
        (ROOT / "docs" / "rules.md").read_text(),
        re.MULTILINE,
    )
    assert [name for name, _ in rows] == list(rules())
    for name, statement in rows:
        page = (RULE_PAGES / f"{name}.md").read_text()
        assert page.lower().startswith(f"# {name}\n\n{statement}.\n".lower())


@pytest.mark.parametrize("rule", rules())
def test_rule_has_negative_test(rule: str) -> None:
    """One that is refused, and a near miss that is legal."""
    text = negative_tests().get(rule, "")
    assert "expected-error" in text
    assert "@legal" in text


@pytest.mark.parametrize("rule", rules())
def test_rule_has_page(rule: str) -> None:
    """The statement of the definition, a refused and a legal module, the rule's own sentence."""
    page = RULE_PAGES / f"{rule}.md"
    text = page.read_text()
    title, statement, _ = text.split("\n\n", 2)
    assert title == f"# {rule}"
    # The definition of the operation has the table of atoms above its list of rules.
    stated = rules()[rule].rstrip(".").removesuffix(" above")
    assert " ".join(statement.split()).lower().startswith(stated.lower())
    shown = [block for block in of("mlir", "refused") if block.path == page]
    assert shown
    assert re.search(r"^```mlir\n", text, re.MULTILINE)
    for block in shown:
        # The same sentence stands in a negative test of this rule, so the example breaks this one.
        first = (block.output or "").partition("\n")[0].removeprefix("error: ")
        sentence = re.sub(r"^(custom op )?'tcgen05.cp' (op )?", "", first)
        assert sentence in negative_tests()[rule], f"{block}: {sentence}"


# ---- Tables, links ----


CHIPS = re.findall(
    r"^\| `(sm_\w+)` \| (\d+\.\d+) \| ([^|]+) \|$", (ROOT / "README.md").read_text(), re.MULTILINE
)
PTX_VERSIONS = ["8.5", "8.6", "8.7", "8.8", "9.0", "9.1", "9.2", "9.3", "9.4"]


def test_table_of_chips() -> None:
    """README's table has the chips that the verifier knows, and says which LLVM does not."""
    header = (ROOT / "include" / "tcgen05" / "Layout" / "Cp" / "Target.h").read_text()
    known = re.findall(r'\{"(sm_\w+)", (true|false)\}', header)
    assert known
    assert [(chip, reach == "the verifier") for chip, _, reach in CHIPS] == [
        (chip, llvm_knows == "false") for chip, llvm_knows in known
    ]


@pytest.mark.parametrize(("chip", "version", "reach"), CHIPS)
def test_reach_of_a_chip(chip: str, version: str, reach: str) -> None:
    """The table says what LLVM and ptxas make of a chip, and from which PTX version on."""
    if reach != "the verifier":
        with t5.Context():
            ptx = t5.compile(ir.Module.parse(EXAMPLE.read_text()), chip)
        assert f".version {version}\n" in ptx
        assert f".target {chip}\n" in ptx

    def takes(version: str) -> bool:
        copy = "tcgen05.cp.cta_group::1.128x128b [%r1], %rd1;"
        registers = ".reg .b32 %r<2>; .reg .b64 %rd<2>;"
        kernel = f".visible .entry k() {{ {registers} {copy} ret; }}"
        text = f".version {version}\n.target {chip}\n.address_size 64\n{kernel}\n"
        try:
            return assemble(text, chip).startswith(b"\x7fELF")
        except ToolNotFoundError as error:
            pytest.skip(str(error))
        except CompileError:
            return False

    assert takes(version) == (reach != "PTX")
    assert not takes(PTX_VERSIONS[PTX_VERSIONS.index(version) - 1])


def test_pinned_versions() -> None:
    """What CONTRIBUTING tells to install is what pyproject.toml pins for the build."""
    pins = re.search(r"^requires = \[\n(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.M | re.S)
    assert pins
    told = re.findall(r"[\w-]+==[\d.]+", (ROOT / "CONTRIBUTING.md").read_text())
    assert told == re.findall(r"[\w-]+==[\d.]+", pins[1])


# What ptxas takes without a word: column 3, a lane that leaves no room, no descriptor, a reserved
# swizzle.
UNCHECKED = [(3, 0x0000400800010040), (64 << 16, 0x0000400800010040), (0, 0), (0, 3 << 61)]


def test_what_ptxas_assembles() -> None:
    """The documentation says that ptxas checks neither addresses nor descriptors."""
    copies = "".join(
        f"mov.b32 %r1, {taddr}; mov.b64 %rd1, {word};\n"
        "tcgen05.cp.cta_group::1.128x128b [%r1], %rd1;\n"
        for taddr, word in UNCHECKED
    )
    registers = ".reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
    kernel = f".visible .entry k() {{\n{registers}{copies}ret;\n}}\n"
    try:
        cubin = assemble(f".version 8.6\n.target sm_100a\n.address_size 64\n{kernel}", "sm_100a")
    except ToolNotFoundError as error:
        pytest.skip(str(error))
    assert cubin.startswith(b"\x7fELF")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_paths_exist(path: Path) -> None:
    """Links to files, and paths of the repository that are named in passing."""
    text = re.sub(r"^ *```.*?^ *```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)(?:#[^)]*)?\)", text)
    missing = [link for link in links if not (path.parent / link).exists()]
    floors = "bench|docs|examples|include|lib|python|test|tools"
    named = re.findall(rf"`((?:{floors})/[\w./*-]+)`", text)
    # `Foo` stands for an instruction that is yet to come.
    named = [name.rstrip("/") for name in named if "Foo" not in name]
    # Beside an installed package, the sources of the package may be left out.
    named = [name for name in named if (ROOT / name.split("/")[0]).is_dir()]
    missing += [name for name in named if not list(ROOT.glob(name))]
    assert not missing


def test_links_to_sections() -> None:
    for path in DOCUMENTS:
        for file, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text()):
            target = path.parent / file if file else path
            titles = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", t.lower()).replace(" ", "-") for t in titles}
            assert anchor in anchors, f"{path.name}: {file}#{anchor}"
