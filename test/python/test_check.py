# RUN: %pytest %s
"""The protocol checker: what it finds, in a list, and that it changes nothing.

The wrong kernels are the project's own example with one thing taken out or put in, and what must be
found is read off the table of findings. Every one is checked as it is written and after each step
of the lowering, where copies are inline PTX or NVVM operations, and branches are blocks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05._check import warnings_shown

EXAMPLE = Path(os.environ["TCGEN05_SOURCE_ROOT"]) / "examples" / "copy_128x128b.mlir"
TEXT = EXAMPLE.read_text()
COPY = '        tcgen05.cp "cta_group::1.128x128b" %tmem, %smem : !tmem, !smem\n'
STORE = "    llvm.store %filled, %data_row {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>\n"
FENCE = (
    "    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, "
    "space = #nvvm.shared_space<cta>}\n"
)
COMMIT = "        nvvm.tcgen05.commit %copy_done : !llvm.ptr<3>\n"
AFTER = "    nvvm.tcgen05.fence <after>\n"
WAIT = TEXT[TEXT.index("    scf.while") : TEXT.index(AFTER)]
ALLOC = "      nvvm.tcgen05.alloc"
RELINQUISH = "      nvvm.tcgen05.relinquish_alloc_permit\n"
DEALLOC = "      nvvm.tcgen05.dealloc %allocation, %columns : !llvm.ptr<6>, i32\n"


def replaced(old: str, new: str) -> str:
    """The example with one part of it replaced; the part must be there once at least."""
    assert old in TEXT
    return TEXT.replace(old, new, 1)


WRONG = {
    "no proxy fence": (replaced(FENCE, ""), {"proxy-fence"}),
    "fence behind the barrier": (
        replaced(FENCE + "    gpu.barrier\n", "    gpu.barrier\n" + FENCE),
        {"proxy-fence"},
    ),
    "no barrier": (replaced("    gpu.barrier\n", ""), {"barrier"}),
    "no commit": (replaced(COMMIT, ""), {"uncommitted", "unawaited-read"}),
    "no wait": (replaced(WAIT, ""), {"unawaited-read"}),
    "no fence after the wait": (replaced(AFTER, ""), {"unawaited-read"}),
    "fence before the wait": (replaced(WAIT + AFTER, AFTER + WAIT), {"unawaited-read"}),
    "never freed": (replaced(DEALLOC, ""), {"allocation"}),
    "freed in another size": (
        replaced(DEALLOC, "%c64 = arith.constant 64 : i32\n" + DEALLOC.replace("%columns", "%c64")),
        {"allocation"},
    ),
    "allocated without permit": (
        replaced(RELINQUISH, "").replace(ALLOC, RELINQUISH + ALLOC),
        {"allocation"},
    ),
    "everybody issues": (
        replaced("      scf.if %elected {\n" + COPY, "      scf.if %true {\n" + COPY),
        {"issuer"},
    ),
    "stored to before the wait": (replaced(WAIT, STORE + WAIT), {"source-reuse"}),
    "copied twice": (replaced(COPY, COPY + COPY), {"unordered-copies"}),
    "two groups": (
        replaced(COMMIT, COMMIT.replace(" :", " {group = #nvvm.cta_group<cta_2>} :")),
        {"mixed-cta-group", "cluster", "uncommitted", "unawaited-read"},
    ),
}

TO_LLVM = (
    "convert-vector-to-scf,tcgen05-prepare-module,convert-scf-to-cf,expand-strided-metadata,"
    "lower-affine,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},convert-nvvm-to-llvm,"
    "reconcile-unrealized-casts,tcgen05-require-block-size,canonicalize,cse"
)
STAGES = {
    "as written": "",
    "inline PTX": "convert-tcgen05-to-nvvm",
    "inline PTX in blocks": "convert-tcgen05-to-nvvm,convert-scf-to-cf,canonicalize,cse",
    "inline assembly": f"convert-tcgen05-to-nvvm,gpu.module({TO_LLVM})",
    "NVVM operation": f"convert-tcgen05-to-nvvm{{emit=nvvm-op}},gpu.module({TO_LLVM})",
}


def lowered(text: str, stage: str) -> ir.Module:
    """The module after the passes of a stage."""
    module = ir.Module.parse(text)
    if STAGES[stage]:
        PassManager.parse(f"builtin.module({STAGES[stage]})").run(module.operation)
    return module


@pytest.mark.parametrize("stage", STAGES)
def test_the_example_is_correct(stage: str) -> None:
    with t5.Context():
        assert t5.check(lowered(TEXT, stage)) == []


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", WRONG)
def test_wrong_kernels_are_found(name: str, stage: str) -> None:
    text, rules = WRONG[name]
    with t5.Context():
        module = lowered(text, stage)
        before = str(module)
        findings = t5.check(module)
        assert {finding.rule for finding in findings} == rules
        assert str(module) == before


def test_a_finding_says_what_and_where() -> None:
    text, _ = WRONG["no proxy fence"]
    with t5.Context():
        (finding,) = t5.check(ir.Module.parse(text))
    assert finding.severity == "warning"
    assert finding.message == (
        "'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the "
        "thread that stores, but got none before the barrier"
    )
    lines = text.splitlines()
    assert "tcgen05.cp" in lines[finding.diagnostic.line - 1]
    (note,) = finding.diagnostic.notes
    assert note.message == "stored here"
    assert "llvm.store %filled, %data_row" in lines[note.line - 1]


def test_errors_are_findings_and_not_exceptions() -> None:
    with t5.Context():
        findings = t5.check(ir.Module.parse(WRONG["two groups"][0]))
    assert [f.severity for f in findings if f.rule == "mixed-cta-group"] == ["error"]


def test_rules_can_be_disabled() -> None:
    text, rules = WRONG["no commit"]
    with t5.Context():
        module = ir.Module.parse(text)
        assert {f.rule for f in t5.check(module, disable=["uncommitted"])} == {"unawaited-read"}
        assert t5.check(module, disable=sorted(rules)) == []
        with pytest.raises(ValueError, match=r"expected disable to name findings .* but got 'x'"):
            t5.check(module, disable=["x"])


def test_a_function_is_checked_alone() -> None:
    text, _ = WRONG["no proxy fence"]
    with t5.Context():
        module = ir.Module.parse(text)
        kernel = module.body.operations[0].regions[0].blocks[0].operations[0]
        assert [f.rule for f in t5.check(kernel.operation)] == ["proxy-fence"]


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(TypeError, match=r"expected module to be an mlir\.ir\.Module, but got str"):
        t5.check("module {}")  # type: ignore[arg-type]


def test_long_chains_and_deep_nests_end() -> None:
    """Ten thousand additions to an address, and two hundred branches in each other."""
    depth, length = 200, 10_000
    adds = "\n".join(f"%a{i + 1} = arith.addi %a{i}, %a0 : i32" for i in range(length))
    text = (
        "func.func @f(%a0: i32, %s: !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>,"
        " %c: i1) {\n" + adds + f"\n%t = tcgen05.tmem_view %a{length} : "
        "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>\n"
        + "scf.if %c {\n"
        * depth
        + 'tcgen05.cp "cta_group::1.128x128b" %t, %s : '
        "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>, "
        "!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>\n"
        + "}\n" * depth
        + "return\n}"
    )
    with t5.Context():
        module = ir.Module.parse(text)
        start = time.monotonic()
        assert t5.check(module) == []
        assert time.monotonic() - start < 60


def compiled(name: str, check: str = "true") -> None:
    """Runs the pipeline of `compile` on a wrong kernel."""
    text = WRONG[name][0] if name else TEXT
    with t5.Context() as context, warnings_shown(context, source="kernel"):
        module = ir.Module.parse(text)
        pipeline = f"builtin.module(tcgen05-compile{{chip=sm_100a format=isa check={check}}})"
        PassManager.parse(pipeline).run(module.operation)


def test_errors_stop_the_pipeline(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ir.MLIRError, match="mixed-cta-group"):
        compiled("two groups")
    assert "[cluster]" in capsys.readouterr().err  # warnings are shown before it stops
    with pytest.raises(t5.CompileError, match="mixed-cta-group"), t5.Context():
        t5.compile(ir.Module.parse(WRONG["two groups"][0]))
    assert "[cluster]" in capsys.readouterr().err
    compiled("two groups", check="false")
    assert capsys.readouterr().err == ""


def test_the_pipeline_shows_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    compiled("no barrier")
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("kernel:")
    assert first.endswith("[barrier]")
    assert second.endswith("note: stored here")
    compiled("")
    assert capsys.readouterr().err == ""


def run(*arguments: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mlir_tcgen05", "check", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_command_is_silent_about_what_is_right() -> None:
    result = run(EXAMPLE)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_command_prints_findings(tmp_path: Path) -> None:
    file = tmp_path / "kernel.mlir"
    file.write_text(WRONG["no barrier"][0])
    result = run(file)
    assert (result.returncode, result.stderr) == (0, "")
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{file}:")
    assert first.endswith(
        ": warning: 'tcgen05.cp' op expected a CTA barrier between the fences of the threads that "
        "store to src and the copy, but got none [barrier]"
    )
    assert second.startswith(f"{file}:")
    assert second.endswith(": note: stored here")
    assert run(file, "--werror").returncode == 1
    assert run(file, "--disable", "barrier").stdout == ""


def test_command_prints_json() -> None:
    result = run("-", "--json", stdin=WRONG["freed in another size"][0])
    assert (result.returncode, result.stderr) == (1, "")
    (finding,) = json.loads(result.stdout)["findings"]
    assert finding["rule"] == "allocation"
    assert finding["severity"] == "error"
    assert finding["message"] == (
        "'nvvm.tcgen05.dealloc' op expected nCols to be 32 as allocated, but got 64"
    )
    assert finding["location"]["file"] == "<stdin>"
    assert (finding["expected"], finding["got"]) == ("nCols to be 32 as allocated", "64")
    assert [note["message"] for note in finding["notes"]] == ["allocated here"]


def test_command_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    missing = run(tmp_path / "missing.mlir")
    assert missing.returncode == 1
    assert missing.stderr.startswith("error: expected ")
    garbage = run("-", stdin="not MLIR")
    assert garbage.returncode == 1
    assert garbage.stderr.startswith("error: <stdin>:1:1: ")
    rule = run(EXAMPLE, "--disable", "x")
    assert rule.returncode == 1
    assert "expected disable to name findings" in rule.stderr
