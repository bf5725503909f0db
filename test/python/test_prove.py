# RUN: %pytest %s
"""Proofs about what the lowering emits, and that they fail where the lowering would be wrong."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import mlir_tcgen05 as t5
import pytest
import traced_copies
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05 import _lowered, _prove, _regions, _symbolic, _template
from traced_copies import FORMATS, ROW_ATOMS

ROOT = pathlib.Path(os.environ.get("TCGEN05_SOURCE_ROOT", pathlib.Path(__file__).parents[2]))
STATEMENTS = ["start", "fields", "carry", "tmem", "swizzle"]

# Two loops around run-time origins, a stage counted from one, and a memref that begins late.
RING = """
!t = !tcgen05.tmem<8x2x128x4xi32, #tcgen05.layout<[8, 2, 128, 4] : [8@col, 4@col, 1@lane, 1@col]>>
!s = !tcgen05.smem<8x2x128x4xi32, #tcgen05.layout<[8, 2, 128, 4] : [1024, 512, 4, 1]>>
!d = !tcgen05.tmem<1x2x128x4xi32,
  #tcgen05.layout<[1, 2, 128, 4] : [8@col, 4@col, 1@lane, 1@col], offset [?8*8@col]>>
!x = !tcgen05.smem<1x2x128x4xi32,
  #tcgen05.layout<[1, 2, 128, 4] : [1024, 512, 4, 1], offset [?7*1024 + 1024]>, storage 32768>
!m = memref<8192xi32, strided<[1], offset: 256>, #gpu.address_space<workgroup>>
func.func @ring(%a: i32, %b: SOURCE, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tcgen05.tmem_view %a : !t
  %s = tcgen05.smem_view %b : SOURCE -> !s
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %d = tcgen05.slice %t[%i, 0, 0, 0] [1, 2, 128, 4] : !t -> !d
      %x = tcgen05.slice %s[1 + %j, 0, 0, 0] [1, 2, 128, 4] : !s -> !x
      tcgen05.cp "cta_group::1.128x128b" %d, %x : !d, !x
    }
  }
  return
}
"""

# So many repeats that they become a loop, along a nested axis.
MANY = """
!t = !tcgen05.tmem<256x4x8xi32,
  #tcgen05.layout<[(64, 4), 4, 8] : [(8@col, 8@lane), 32@lane, 1@col]>>
!s = !tcgen05.smem<256x4x8xi32, #tcgen05.layout<[256, 4, 8] : [32, 8, 1], swizzle 32B>, align 256>
func.func @many(%d: !t, %s: !s) {
  tcgen05.cp "cta_group::1.4x256b" %d, %s : !t, !s
  return
}
"""

# Every thread of two warps in a pair of CTAs copies its own slice, nested on both sides.
GROUPS = """
!t = !tcgen05.tmem<2x4x32x3x4x8xi32,
  #tcgen05.layout<[2, (2, 2), 32, 3, 4, 8] :
    [0@col, (48@col, 24@col), 1@lane, 8@col, 32@lane, 1@col]>>
!s = !tcgen05.smem<2x4x32x3x4x8xi32,
  #tcgen05.layout<[2, 4, 32, 3, 4, 8] : [12288, 3072, 96, 32, 8, 1], swizzle 32B>,
  align 256, storage 131072>
func.func @groups(%d: !t, %s: !s) {
  tcgen05.cp "cta_group::1.4x256b" %d, %s, scope(cluster) : !t, !s
  return
}
"""


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    with t5.Context():
        yield


def ring(source: str = "!llvm.ptr<3>") -> ir.Module:
    return ir.Module.parse(RING.replace("SOURCE", source))


def held(proofs: list[t5.Proof]) -> dict[str, bool | None]:
    """Statement to verdict, for proofs about one copy."""
    assert len({proof.statement for proof in proofs}) == len(proofs)
    return {proof.statement: proof.holds for proof in proofs}


ALL = dict.fromkeys(STATEMENTS, True)


@pytest.mark.parametrize("source", ["!llvm.ptr<3>", "!m"])
def test_run_time_origins(source: str) -> None:
    module = ring(source)
    before = str(module)
    proofs = t5.prove(module)
    assert held(proofs) == ALL
    assert {(p.function, p.copy, p.opcode) for p in proofs} == {
        ("ring", 0, "cta_group::1.128x128b")
    }
    assert str(module) == before


@pytest.mark.parametrize("text", [MANY, GROUPS], ids=["many", "groups"])
def test_loops_and_groups(text: str) -> None:
    assert held(t5.prove(ir.Module.parse(text))) == ALL


def test_many_are_a_loop() -> None:
    """What is said about MANY is said about a loop."""
    module = ir.Module.parse(MANY)
    PassManager.parse("builtin.module(convert-tcgen05-to-nvvm)").run(module.operation)
    assert "scf.for" in str(module)
    assert str(module).count("tcgen05.cp.") < 256


def test_example() -> None:
    """A workgroup attribution, and a TMEM address that is loaded."""
    module = ir.Module.parse((ROOT / "examples" / "copy_128x128b.mlir").read_text())
    proofs = t5.prove(module)
    assert held(proofs) == ALL
    assert proofs[0].function == "kernels::copy"


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("shape", ROW_ATOMS)
def test_atoms_and_modes(shape: str, mode: int) -> None:
    rng = Random(f"{shape} {mode}")
    case = traced_copies.staged(rng, shape, rng.choice([1, 2]), rng.choice(FORMATS), mode)
    assert held(t5.prove(case.module())) == ALL


def test_random_copies() -> None:
    """Function arguments with run-time terms, offsets, scopes."""
    rng = Random("prove")
    for _ in range(40):
        case = traced_copies.drawn(rng)
        assert held(t5.prove(case.module())) == ALL, case.text


@pytest.mark.parametrize("text", [RING.replace("SOURCE", "!llvm.ptr<3>"), MANY, GROUPS])
def test_carry_without_the_bound(text: str) -> None:
    """Storage that may end above 2^18 lets the addition carry into the next field."""
    proofs = t5.prove(ir.Module.parse(text), bounded=False)
    verdicts = held(proofs)
    assert verdicts == ALL | dict.fromkeys(["start", "fields", "carry"], False)
    carry = next(p for p in proofs if p.statement == "carry")
    assert "0x" in carry.detail
    assert "carry refuted: " in str(carry)


def tampered_template(change) -> object:
    read = _template.parse_template
    return lambda text: change(read(text))


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (
            lambda t: t._replace(descriptor=t.descriptor._replace(plus=t.descriptor.plus + 1)),
            "start",
        ),
        (lambda t: t._replace(taddr=t.taddr._replace(plus=t.taddr.plus + 4)), "tmem"),
        (lambda t: t._replace(taddr=t.taddr._replace(plus=t.taddr.plus + (1 << 16))), "tmem"),
        (lambda t: t._replace(opcode=t.opcode.replace("128x128b", "128x256b")), "opcode"),
    ],
)
def test_wrong_templates_are_refuted(monkeypatch: pytest.MonkeyPatch, change, wrong: str) -> None:
    monkeypatch.setattr(_template, "parse_template", tampered_template(change))
    assert held(t5.prove(ring())) == ALL | {wrong: False}


@pytest.mark.parametrize(
    ("operation", "bit", "wrong"),
    [
        ("lshr", 0, {"start"}),  # shift of the address
        ("and", 3, {"start"}),  # mask of the field
        ("or", 17, {"fields"}),  # constant: LDO
        ("or", 46, {"fields"}),  # constant: 0b001
        ("mul", 4, {"start", "tmem"}),  # steps of the run-time indices
    ],
)
def test_wrong_operations_are_refuted(
    monkeypatch: pytest.MonkeyPatch, operation: str, bit: int, wrong: set[str]
) -> None:
    """As if the lowering had emitted a kind of operation with one bit of its constant changed."""
    right = _symbolic._BINARY[operation]

    def changed(a, b):
        return right(a, b ^ 1 << bit) if bit < b.size() else right(a, b)

    monkeypatch.setitem(_symbolic._BINARY, operation, changed)
    verdicts = held(t5.prove(ring()))
    assert {statement for statement, holds in verdicts.items() if not holds} == wrong


def test_lost_issue_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _lowered.issued
    monkeypatch.setattr(_lowered, "issued", lambda *a: [issues[1:] for issues in found(*a)])
    proof = t5.prove(ring())
    assert [(p.statement, p.holds, p.detail) for p in proof] == [
        ("issues", False, "expected 2 issues, but got 1")
    ]


def test_what_cannot_be_stated() -> None:
    """A region that control flow chooses has no one place."""
    text = RING.replace("SOURCE", "!llvm.ptr<3>").replace(
        "%t = tcgen05.tmem_view %a : !t",
        "%p = arith.cmpi eq, %n, %c0 : index\n"
        "%t0 = tcgen05.tmem_view %a : !t\n%t1 = tcgen05.tmem_view %a : !t\n"
        "%t = arith.select %p, %t0, %t1 : !t",
    )
    (proof,) = t5.prove(ir.Module.parse(text))
    assert proof.holds is None
    assert proof.detail == "expected region to be a view, but got the result of 'arith.select'"


def test_no_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a false promise everything follows, so that nothing is said then."""
    promise = _regions.Regions._promise
    monkeypatch.setattr(
        _regions.Regions, "_promise", lambda *a: [*promise(*a), a[1] == 3, a[1] == 5]
    )
    (proof,) = t5.prove(ring())
    assert (proof.holds, proof.detail) == (None, "no input keeps what is promised")


def test_solvers_must_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def other(text: str) -> str:
        asked.append(text)
        return "sat"

    monkeypatch.setattr(_prove, "_cvc5", other)
    with pytest.raises(_prove.ProveError, match="z3 and cvc5 to agree, but got unsat and sat"):
        t5.prove(ring())
    assert "(check-sat)" in asked[0]


def test_missing_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(_prove.ProveError, match=r"run: pip install 'mlir-tcgen05\[prove\]'"):
        t5.prove(ring())


def test_bad_modules() -> None:
    with pytest.raises(TypeError, match=r"module to be an mlir\.ir\.Module, but got str"):
        t5.prove("module {}")
    module = ir.Module.parse("module {}")
    assert t5.prove(module) == []
    with ir.InsertionPoint(module.body), ir.Location.unknown():
        ir.Operation.create("func.func", regions=1)
    with pytest.raises(_prove.ProveError, match="requires attribute"):
        t5.prove(module)


def run(*arguments: str, stdin: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mlir_tcgen05", "prove", "-", *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=stdin)


def test_command_line() -> None:
    text = RING.replace("SOURCE", "!llvm.ptr<3>")
    result = run(stdin=text)
    assert (result.returncode, result.stderr) == (0, "")
    lines = [f"ring copy 0 cta_group::1.128x128b: {statement} proved" for statement in STATEMENTS]
    assert result.stdout.splitlines() == [*lines, "5 of 5 statements proved"]
    result = run("--json", "--unbounded", stdin=text)
    assert result.returncode == 1
    assert [p["holds"] for p in json.loads(result.stdout)["proofs"]] == [
        False,
        False,
        False,
        True,
        True,
    ]
    result = run(stdin="module {")
    assert (result.returncode, "error: " in result.stderr) == (1, True)
