# RUN: %pytest %s
"""All 120 combinations of qualifiers: 36 are instructions, 84 are refused before any assembler.

The 36 are those that ptxas was seen to accept (`ptxas_truth.json`); they go from text to a cubin.
"""

from __future__ import annotations

import json
import re
from itertools import product

import mlir_tcgen05 as t5
import pytest
from conftest import DATA
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05._toolchain import is_installed

GROUPS = (1, 2)
SHAPES = ("128x256b", "128x128b", "4x256b", "64x128b", "32x128b")
MULTICASTS = (None, "warpx2::02_13", "warpx2::01_23", "warpx4")
FORMATS = (None, "b8x16.b4x16_p64", "b8x16.b6x16_p32")
COMBINATIONS = tuple(product(GROUPS, SHAPES, MULTICASTS, FORMATS))

# Rows and words of a shape, and a layout of shared memory that one walk reads without swizzle.
EXTENTS = {
    "128x256b": (128, 8),
    "128x128b": (128, 4),
    "4x256b": (4, 8),
    "64x128b": (64, 4),
    "32x128b": (32, 4),
}
SMEM = {8: "[{rows}, (2, 4)] : [4, (512, 1)]", 4: "[{rows}, 4] : [4, 1]"}
# Lanes of the rows, and replicas, as the specification draws them.
TMEM = {
    ("128x256b", None): "[128, 8] : [1@lane, 1@col]",
    ("128x128b", None): "[128, 4] : [1@lane, 1@col]",
    ("4x256b", None): "[4, 8] : [32@lane, 1@col]",
    ("64x128b", "warpx2::02_13"): "[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]",
    (
        "64x128b",
        "warpx2::01_23",
    ): "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]",
    ("32x128b", "warpx4"): "[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]",
}


def spell(group: int, shape: str, multicast: str | None, decompress: str | None) -> str:
    """Returns the opcode of PTX after `tcgen05.cp.`."""
    return ".".join(filter(None, (f"cta_group::{group}", shape, multicast, decompress)))


def types(shape: str, multicast: str | None) -> tuple[str, str]:
    """Returns operand types that the shape's rows and words fit; legal ones where there are any."""
    rows, words = EXTENTS[shape]
    tmem = TMEM.get((shape, multicast), f"[{rows}, {words}] : [1@lane, 1@col]")
    smem = SMEM[words].format(rows=rows)
    # Storage for the eight-row block, which the four rows of 4x256b do not fill.
    return (
        f"!tcgen05.tmem<{rows}x{words}xi32, #tcgen05.layout<{tmem}>>",
        f"!tcgen05.smem<{rows}x{words}xi32, #tcgen05.layout<{smem}>, storage 4096>",
    )


def custom(opcode: str, shape: str, multicast: str | None, pred: str = "") -> str:
    """Returns the copy of `%t` and `%s` as a person writes it."""
    return f'tcgen05.cp "{opcode}" %t, %s{pred} : {", ".join(types(shape, multicast))}'


def generic(group: int, shape: str, multicast: str | None, decompress: str | None) -> str:
    """Returns the same copy with its attributes in the open."""
    attributes = {"cta_group": f"{group} : i32", "shape": f'"{shape}"', "scope": '"thread"'}
    if multicast:
        attributes["multicast"] = f'"{multicast}"'
    if decompress:
        attributes["decompress"] = f'"{decompress}"'
    listed = ", ".join(f"{name} = {value}" for name, value in attributes.items())
    return f'"tcgen05.cp"(%t, %s) <{{{listed}}}> : ({", ".join(types(shape, multicast))}) -> ()'


def function(copy: str, shape: str, multicast: str | None) -> str:
    tmem, smem = types(shape, multicast)
    return f"func.func @copy(%t: {tmem}, %s: {smem}, %p: i1) {{\n  {copy}\n  return\n}}\n"


@pytest.fixture(scope="module")
def context():
    with t5.Context() as context, ir.Location.unknown(context):
        yield context


@pytest.fixture(scope="module")
def accepted() -> list[str]:
    return json.loads((DATA / "ptxas_truth.json").read_text())["accepted"]


def test_the_table_has_36_of_120(accepted: list[str]) -> None:
    assert len(COMBINATIONS) == 120
    assert len(set(accepted)) == 36
    assert set(accepted) < {spell(*c) for c in COMBINATIONS}


def test_36_parse_print_verify_and_lower(accepted: list[str], context: ir.Context) -> None:
    done = set()
    for combination in COMBINATIONS:
        _, shape, multicast, _ = combination
        opcode = spell(*combination)
        if opcode not in accepted:
            continue
        module = ir.Module.parse(function(custom(opcode, shape, multicast), shape, multicast))
        assert module.operation.verify()
        text = str(module)
        assert f'tcgen05.cp "{opcode}" ' in text
        assert str(ir.Module.parse(text)) == text
        # The attributes are the qualifiers, one each.
        same = ir.Module.parse(function(generic(*combination), shape, multicast))
        assert str(same) == text

        PassManager.parse("builtin.module(convert-tcgen05-to-nvvm)").run(module.operation)
        lowered = str(module)
        assert "tcgen05.cp " not in lowered.replace(f"tcgen05.cp.{opcode} [t]", "")
        assert re.findall(r"tcgen05\.cp\.(\S+) \[t\], d; }", lowered) == [opcode]
        done.add(opcode)
    print(f"{len(done)} opcodes parsed, printed, verified and lowered")
    assert done == set(accepted)


def test_84_are_refused_by_the_parser_and_by_the_verifier(
    accepted: list[str], context: ir.Context
) -> None:
    refused = 0
    for combination in COMBINATIONS:
        _, shape, multicast, _ = combination
        opcode = spell(*combination)
        if opcode in accepted:
            continue
        # With operands that have the shape's rows and words, only the pair of qualifiers is wrong.
        for copy in (custom(opcode, shape, multicast), generic(*combination)):
            with pytest.raises(ir.MLIRError) as error:
                ir.Module.parse(function(copy, shape, multicast))
            message = error.value.error_diagnostics[0].message
            # A qualifier of the next slot is quoted where a multicast is missing before it.
            got = multicast or "(none|'b8x16')"
            assert re.search(
                rf"expected (no multicast|multicast .+)( for {shape})?, but got {got}$", message
            ), f"{opcode}: {message}"
        refused += 1
    print(f"{refused} combinations refused")
    assert refused == 84


@pytest.mark.parametrize("pred", ["", ", pred %p"], ids=["plain", "predicated"])
@pytest.mark.parametrize("group", GROUPS)
def test_the_assembler_takes_all_18_of_a_group(
    group: int, pred: str, accepted: list[str], context: ir.Context
) -> None:
    # All instructions of a kernel use one cta_group, so that each group is a kernel of its own.
    body, opcodes = [], []
    for combination in COMBINATIONS:
        opcode = spell(*combination)
        if combination[0] != group or opcode not in accepted:
            continue
        _, shape, multicast, _ = combination
        tmem, smem = types(shape, multicast)
        n = len(opcodes)
        copy = custom(opcode, shape, multicast, pred)
        body += [
            f"%t{n} = tcgen05.tmem_view %addr : {tmem}",
            f"%s{n} = tcgen05.smem_view %ptr : !llvm.ptr<3> -> {smem}",
            copy.replace("%t,", f"%t{n},").replace("%s", f"%s{n}"),
        ]
        opcodes.append(opcode)
    assert len(opcodes) == 18
    lines = "\n    ".join(body)
    module = ir.Module.parse(
        "gpu.module @kernels {\n"
        f"  gpu.func @copies(%addr: i32, %ptr: !llvm.ptr<3>, %p: i1) kernel {{\n    {lines}\n"
        "    gpu.return\n  }\n}"
    )
    ptx = t5.compile(module, chip="sm_100a", to="ptx")
    assert re.findall(r"tcgen05\.cp\.(\S+) \[t\], d; }", ptx) == opcodes
    if not is_installed("ptxas"):
        pytest.skip("ptxas is not installed")
    assert t5.compile(module, chip="sm_100a", to="cubin")[:4] == b"\x7fELF"
