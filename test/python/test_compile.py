# RUN: %pytest %s
"""`mlir_tcgen05.compile`: what the example becomes, and what is refused."""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path

import mlir_tcgen05 as t5
import pytest
from mlir import ir

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
EXAMPLE = ROOT / "examples" / "copy_128x128b.mlir"

# What the specification demands of the kernel, in this order: an allocation, the proxy fence
# between generic writes and the copy's reads, the copy, its commit, the fence behind the wait,
# the readback, the release.
PTX_SEQUENCE = (
    r"\btcgen05\.alloc\.",
    r"\bfence\.proxy\.async\b",
    r"\btcgen05\.cp\.cta_group::1\.128x128b ",
    r"\btcgen05\.commit\.",
    r"\btcgen05\.fence::after_thread_sync\b",
    r"\btcgen05\.ld\.",
    r"\btcgen05\.dealloc\.",
)
# No swizzle, SDO 128 bytes, LDO 16 bytes, the constant 0b001 in bits 46-48; no start address.
DESCRIPTOR = 0x0000400800010000


@pytest.fixture
def example():
    with t5.Context() as context, ir.Location.unknown(context):
        yield ir.Module.parse(EXAMPLE.read_text())


def has_tool(name: str) -> bool:
    from mlir_tcgen05._toolchain import find

    try:
        return find(name).is_file()
    except t5.ToolNotFoundError:
        return False


needs_ptxas = pytest.mark.skipif(not has_tool("ptxas"), reason="ptxas is not installed")
needs_nvdisasm = pytest.mark.skipif(
    not (has_tool("ptxas") and has_tool("nvdisasm")), reason="nvdisasm is not installed"
)


def test_ptx_holds_the_sequence_once_each(example: ir.Module) -> None:
    ptx = t5.compile(example, chip="sm_100a", to="ptx")
    assert re.search(r"^\.target sm_100a", ptx, re.MULTILINE)
    places = [[match.start() for match in re.finditer(p, ptx)] for p in PTX_SEQUENCE]
    assert [len(p) for p in places] == [1] * len(PTX_SEQUENCE)
    assert places == sorted(places)


def test_ptx_holds_the_descriptor_constant(example: ir.Module) -> None:
    ptx = t5.compile(example)
    numbers = {int(n, 0) for n in re.findall(r"\b(?:0x[0-9a-fA-F]+|[1-9][0-9]*)\b", ptx)}
    assert DESCRIPTOR in numbers


@needs_nvdisasm
def test_sass_has_one_copy_and_no_election_loop(example: ir.Module) -> None:
    sass = t5.compile(example, to="sass")
    assert len(re.findall(r"\bUTCCP\b", sass)) == 1
    assert re.search(r"\bUTCCP\.\S*128dp128bit\b", sass)
    assert "BRA.U.ANY" not in sass


@needs_ptxas
def test_cubin_is_an_elf_file(example: ir.Module) -> None:
    cubin = t5.compile(example, "sm_100a", "cubin")
    assert isinstance(cubin, bytes)
    assert cubin.startswith(b"\x7fELF")
    assert b".text.copy" in cubin


def test_llvm_is_text(example: ir.Module) -> None:
    text = t5.compile(example, to="llvm")
    assert re.search(r"^define .*ptx_kernel void @copy\(", text, re.MULTILINE)
    assert text.count("tcgen05.cp.cta_group::1.128x128b") == 1


def test_module_is_unchanged(example: ir.Module) -> None:
    before = str(example)
    block = example.body
    with ir.InsertionPoint(block):
        t5.compile(example)
    assert str(example) == before
    assert len(block.operations) == 1


def test_compiles_an_operation_and_in_a_stock_context() -> None:
    context = ir.Context()
    t5.register(context)
    module = ir.Module.parse(EXAMPLE.read_text(), context)
    assert "tcgen05.cp" in t5.compile(module.operation)


def test_python_example_is_the_same_module() -> None:
    build = runpy.run_path(str(EXAMPLE.with_suffix(".py")))["build"]
    with t5.Context(), ir.Location.unknown():
        # Through text once, since parsers write defaults that builders leave out.
        built = ir.Module.parse(str(build()))
        written = ir.Module.parse(EXAMPLE.read_text())
        forms = [m.operation.get_asm(print_generic_op_form=True) for m in (built, written)]
    assert forms[0] == forms[1]


def test_errors_have_places_and_notes() -> None:
    from mlir_tcgen05.cli._files import parse_module

    text = EXAMPLE.read_text().replace("[128, 4] : [4, 1]>", "[(64, 2), 4] : [(4, 256), 1]>")
    lines = text.splitlines()
    with t5.Context() as context, pytest.raises(t5.CompileError) as caught:
        parse_module(text, context)
    (error,) = caught.value.diagnostics
    assert error.message == ("'tcgen05.cp' op expected src row 1, word 0 at byte 16, but got 1024")
    assert error.file == "-"
    assert "tcgen05.cp" in lines[error.line - 1]
    assert any("swizzle = none" in note.message for note in error.notes)
    assert str(caught.value.renamed("a.mlir")).startswith(f"a.mlir:{error.line}:{error.column}: ")


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("", "none"),
        ("func.func private @f()", "none"),
        ("gpu.module @a {}\ngpu.module @b {}", "2 (@a, @b)"),
    ],
)
def test_exactly_one_gpu_module(text: str, got: str) -> None:
    with t5.Context():
        module = ir.Module.parse(text)
        with pytest.raises(t5.CompileError) as caught:
            t5.compile(module)
    assert str(caught.value) == (
        f"expected the module to hold exactly one gpu.module, but got {got}"
    )


def test_gpu_module_inside_another_module() -> None:
    with t5.Context():
        module = ir.Module.parse("module { module { gpu.module @k {} } }")
        with pytest.raises(t5.CompileError, match=r"expected gpu.module @k to stand directly"):
            t5.compile(module)


@pytest.mark.parametrize("chip", ["sm_90a", "sm_100", "sm_120a", "gfx942", "blackwell"])
def test_chip_without_the_instruction(example: ir.Module, chip: str) -> None:
    with pytest.raises(t5.CompileError) as caught:
        t5.compile(example, chip=chip)
    assert re.search(rf"but got '?{chip}\b", str(caught.value))
    assert "sm_100a" in str(caught.value)


@pytest.mark.parametrize("chip", ["", "sm_100a format=bin", "sm_100a}", None, 100])
def test_chip_that_is_no_word(example: ir.Module, chip: object) -> None:
    with pytest.raises(ValueError, match=r"expected chip to be a name such as sm_100a, but got"):
        t5.compile(example, chip=chip)


def test_unknown_format(example: ir.Module) -> None:
    with pytest.raises(ValueError, match=r"expected to to be one of llvm, ptx, cubin, sass, but"):
        t5.compile(example, to="exe")


def test_not_a_module() -> None:
    with pytest.raises(TypeError, match=r"expected module to be an mlir.ir.Module, but got str"):
        t5.compile("gpu.module @k {}")


def test_op_that_nothing_lowers() -> None:
    text = """
    gpu.module @k {
      func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
        return %a : tensor<4xi32>
      }
    }"""
    with t5.Context():
        module = ir.Module.parse(text)
        with pytest.raises(t5.CompileError) as caught:
            t5.compile(module)
    first = caught.value.diagnostics[0]
    assert (first.file, first.line) == ("-", 3)


@pytest.mark.parametrize(("to", "tool"), [("cubin", "ptxas"), ("sass", "ptxas")])
def test_missing_tool_names_the_extra(
    example: ir.Module, monkeypatch: pytest.MonkeyPatch, to: str, tool: str
) -> None:
    from mlir_tcgen05 import _toolchain

    monkeypatch.setattr(_toolchain, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(t5.ToolNotFoundError) as caught:
        t5.compile(example, to=to)
    assert tool in str(caught.value)
    assert "pip install 'mlir-tcgen05[cuda]'" in str(caught.value)


def test_tool_on_path_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mlir_tcgen05 import _toolchain

    monkeypatch.setattr(_toolchain, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    script = tmp_path / "ptxas"
    script.write_text("#!/bin/sh\necho no such chip >&2\nexit 3\n")
    script.chmod(0o755)
    assert _toolchain.find("ptxas") == script
    with pytest.raises(t5.CompileError) as caught:
        _toolchain.run("ptxas", [])
    assert str(caught.value) == "expected ptxas to succeed, but got exit status 3: no such chip"


def test_tool_that_takes_too_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mlir_tcgen05 import _toolchain

    script = tmp_path / "ptxas"
    script.write_text("#!/bin/sh\nexec sleep 60\n")
    script.chmod(0o755)
    monkeypatch.setattr(_toolchain, "find", lambda tool: script)
    with pytest.raises(t5.CompileError, match=r"expected ptxas to finish within 0.2 seconds"):
        _toolchain.run("ptxas", [], timeout=0.2)


@needs_ptxas
def test_ptxas_refusal_is_an_error() -> None:
    from mlir_tcgen05._compile import assemble

    with pytest.raises(t5.CompileError, match=r"expected ptxas to succeed, but got exit status"):
        assemble(".version 8.6\n.target sm_100a\nnonsense\n", "sm_100a")
