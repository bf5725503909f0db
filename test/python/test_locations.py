# RUN: %pytest %s -s
"""The lowering keeps locations: what a copy becomes says where the copy stood.

A parsed operation has the line and the column of its text, so every operation of a module has a
location of its own. Each operation of the lowered module must have one of these, and what is issued
that of a copy. The tool's `-snapshot-op-locations` and `-strip-debuginfo`, which give every
operation a new location or none, must change nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir.passmanager import PassManager
from test_hosts import MODULES, Tool, tool_path

ISSUED = ("nvvm.inline_ptx", "nvvm.tcgen05.cp")
PIPELINES = {
    "unrolled": "convert-tcgen05-to-nvvm{unroll-limit=0}",
    "looped": "convert-tcgen05-to-nvvm{unroll-limit=1}",
}
# Copies in blocks that are never reached, which upstream's conversion drops.
UNREACHABLE = {"test/Conversion/functions.mlir": 1, "test/Analysis/unusual.mlir": 1}


def operations(root: ir.Operation) -> Iterator[ir.Operation]:
    """All operations below one, itself included."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.append(op.operation)
        return ir.WalkResult.ADVANCE

    root.walk(visit)
    return iter(found)


def lowered(text: str, pipeline: str) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    """Locations by operation before, and (operation, location) of all operations after."""
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        t5.register(context)
        module = ir.Module.parse(text)
        before: dict[str, list[str]] = {}
        for op in operations(module.operation):
            before.setdefault(op.name, []).append(str(op.location))
        PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        return before, [(op.name, str(op.location)) for op in operations(module.operation)]


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", MODULES)
def test_locations_are_those_of_the_source(name: str, pipeline: str) -> None:
    before, after = lowered(MODULES[name], PIPELINES[pipeline])
    known = {location for places in before.values() for location in places}
    copies = set(before.get("tcgen05.cp", []))
    others = {place for op in ISSUED for place in before.get(op, [])}
    for op, location in after:
        assert location in known, f"{op} at {location}"
        if op in ISSUED:
            assert location in copies | others, f"{op} at {location}"
    # Every copy left its instructions, those in blocks that upstream drops aside.
    left = copies - {location for op, location in after if op in ISSUED}
    assert len(left) == UNREACHABLE.get(name, 0), left


COPIES = """
#t = #tcgen05.layout<[3, 32, 4] : [4@col, 1@lane, 1@col], replica [4 : 32@lane]>
#s = #tcgen05.layout<[3, 32, 4] : [128, 4, 1]>
!t = !tcgen05.tmem<3x32x4xi32, #t>
!s = !tcgen05.smem<3x32x4xi32, #s>
func.func @f(%t: !t, %s: !s, %p: i1) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %s : !t, !s loc("first")
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %s, pred %p : !t, !s loc(fused["second", "third"])
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %s : !t, !s loc(callsite("inner" at "outer"))
  return loc("end")
} loc("function")
"""


def test_each_instruction_has_the_location_of_its_copy() -> None:
    _, after = lowered(COPIES, PIPELINES["unrolled"])
    issued = [location for op, location in after if op in ISSUED]
    assert issued == [
        *['loc("first")'] * 3,
        *['loc(fused["second", "third"])'] * 3,
        *['loc(callsite("inner" at "outer"))'] * 3,
    ]
    # The base descriptor and the predicate as well: nothing else is in the function.
    places = {location for op, location in after if op not in ("builtin.module", "func.func")}
    assert places == {*issued, 'loc("end")'}


def test_locations_change_nothing_else() -> None:
    tool = Tool(tool_path("tcgen05-opt"))
    expected = tool.convert(COPIES, "convert-tcgen05-to-nvvm")
    for first in ("strip-debuginfo", "snapshot-op-locations{filename=- print-debuginfo}"):
        text = tool.convert(COPIES, f"{first},convert-tcgen05-to-nvvm")
        assert text.endswith(expected)
    shown = tool.run(
        COPIES,
        "--pass-pipeline=builtin.module(convert-tcgen05-to-nvvm)",
        "--mlir-print-debuginfo",
    ).decode()
    assert "loc(unknown)" not in shown


def test_errors_name_the_line_of_the_copy() -> None:
    """Each of many copies is refused where it stands, with its own location in the message."""
    line = '  tcgen05.cp "cta_group::1.64x128b.warpx2::02_13" %t, %s : !t, !s'
    text = COPIES.split("  tcgen05.cp")[0] + "\n".join([line] * 5) + "\n  return\n}\n"
    first = text.splitlines().index(line) + 1
    with pytest.raises(RuntimeError) as raised:
        Tool(tool_path("tcgen05-opt")).run(text)
    places = re.findall(r"<stdin>:(\d+):3: error: 'tcgen05.cp' op", str(raised.value))
    # The verifier stops at the first wrong operation of a block.
    assert places == [str(first)]
