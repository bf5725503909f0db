# RUN: %pytest %s
"""`trace` and `simulate`: control flow, origins, registers, kernels, and what cannot run."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import mlir_tcgen05 as t5
import numpy as np
import pytest
from mlir import ir
from mlir_tcgen05 import reference

ROOT = pathlib.Path(os.environ.get("TCGEN05_SOURCE_ROOT", pathlib.Path(__file__).parents[2]))
EXAMPLE = ROOT / "examples" / "copy_128x128b.mlir"
D = "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>"
S = "!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>, storage 65536>"
OPCODE = "cta_group::1.128x128b"
# Start 0x400 >> 4, LDO 16 >> 4, SDO 128 >> 4, the constant.
FIRST = 0x400 >> 4 | 1 << 16 | 8 << 32 | 1 << 46
SHARED = np.arange(1 << 16, dtype=np.uint32).view(np.uint8)


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with t5.Context() as context:
        yield context


def copying(body: str, arguments: str = "%a: i32, %b: !llvm.ptr<3>", before: str = "") -> ir.Module:
    """A function `f` with the body; VIEWS and COPY stand for what is the same everywhere."""
    views = f"""
      %t = tcgen05.tmem_view %a : {D}
      %s = tcgen05.smem_view %b : !llvm.ptr<3> -> {S}"""
    copy = f'tcgen05.cp "{OPCODE}" %t, %s'
    text = f"{before}\nfunc.func @f({arguments}) {{\n{body}\n  return\n}}"
    text = text.replace("VIEWS", views).replace("COPY", copy)
    return ir.Module.parse(text.replace("TD", D).replace("TS", S))


def test_one_copy() -> None:
    module = copying(f"VIEWS\nCOPY : {D}, {S}")
    before = str(module)
    assert t5.trace(module, "f", 8, 0x400) == [(OPCODE, 8, FIRST)]
    issue = t5.trace(module, "f", 0x20000, 0x10)[0]
    assert (issue.opcode, issue.taddr, issue.descriptor) == (OPCODE, 0x20000, FIRST - 0x3F)
    assert str(module) == before


def test_predicate() -> None:
    module = copying("VIEWS\nCOPY, pred %p : TD, TS", "%a: i32, %b: !llvm.ptr<3>, %p: i1")
    assert t5.trace(module, "f", 0, 0x400, True) == [(OPCODE, 0, FIRST)]
    assert t5.trace(module, "f", 0, 0x400, False) == []


def test_loop_branch_call_and_runtime_origin() -> None:
    """Stage i of a ring for i < n, except stage 2, through a function."""
    ring = S.replace("[128, 4] : [4, 1]", "[8, 128, 4] : [512, 4, 1]").replace("128x", "8x128x", 1)
    part = (
        "!tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], OFF>, storage 65536>"
    )
    part = part.replace("OFF", "offset [?8*512]")
    module = copying(
        f"""
      %t = tcgen05.tmem_view %a : {D}
      %s = tcgen05.smem_view %b : !llvm.ptr<3> -> {ring}
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %i = %c0 to %n step %c1 {{
        %skip = arith.cmpi eq, %i, %c2 : index
        scf.if %skip {{
        }} else {{
          %x = tcgen05.slice %s[%i, 0, 0] [1, 128, 4] : {ring}
          func.call @inner(%t, %x) : ({D}, {part}) -> ()
        }}
      }}""",
        "%a: i32, %b: !llvm.ptr<3>, %n: index",
        f"func.func private @inner(%t: {D}, %s: {part}) {{\n"
        f'tcgen05.cp "{OPCODE}" %t, %s : {D}, {part}\nreturn\n}}',
    )
    expected = [(OPCODE, 4, FIRST + i * 2048 // 16) for i in (0, 1, 3, 4)]
    assert t5.trace(module, "f", 4, 0x400, 5) == expected
    assert t5.trace(module, "f", 4, 0x400, 0) == []


@pytest.mark.parametrize("emit", ["inline-ptx", "nvvm-op"])
def test_lowered_before(emit: str) -> None:
    """Both forms that the lowering has, decompressing, with multicast."""
    from mlir.passmanager import PassManager

    layout = "[2, (2, 32), 4] : [4@col, (64@lane, 1@lane), 1@col], replica [2 : 32@lane]"
    d = f"!tcgen05.tmem<2x64x4xi32, #tcgen05.layout<{layout}>>"
    s = "!tcgen05.smem<2x64x4xi32, #tcgen05.layout<[2, 64, 4] : [256, 4, 1]>>"
    opcode = "cta_group::2.64x128b.warpx2::01_23.b8x16.b6x16_p32"
    module = ir.Module.parse(
        f'func.func @f(%t: {d}, %s: {s}) {{\n tcgen05.cp "{opcode}" %t, %s : {d}, {s}\n return\n}}'
    )
    PassManager.parse(f"builtin.module(convert-tcgen05-to-nvvm{{emit={emit}}})").run(
        module.operation
    )
    expected = [(opcode, 0, FIRST), (opcode, 4, FIRST + 64)]
    assert t5.trace(module, "f", 0, 0x400) == expected


def test_memref_arguments_and_variables() -> None:
    """A memref is its address; variables lie from 0x400 on, aligned as they say."""
    m = "memref<128x4xi32, #gpu.address_space<workgroup>>"
    view = f"tcgen05.smem_view %m : {m} -> {S.replace(', storage 65536', '')}"
    copy = f'tcgen05.cp "{OPCODE}" %t, %s : {D}, {S.replace(", storage 65536", "")}'
    module = ir.Module.parse(f"""
    gpu.module @g {{
      llvm.mlir.global internal @first() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
      gpu.func @k(%a: i32) workgroup(%m: {m} {{llvm.align = 1024 : i64}}) kernel {{
        %t = tcgen05.tmem_view %a : {D}
        %s = {view}
        {copy}
        gpu.return
      }}
      func.func @g(%a: i32, %m: {m}) {{
        %t = tcgen05.tmem_view %a : {D}
        %s = {view}
        {copy}
        return
      }}
    }}""")
    assert t5.trace(module, "g", 0, 0x400) == [(OPCODE, 0, FIRST)]
    # @first lies at 0x400, and the next multiple of 1024 is 0x800.
    assert t5.trace(module, "g::k", 0) == [(OPCODE, 0, FIRST + 0x400 // 16)]


def test_special_registers() -> None:
    """The copy's lane is the thread's coordinate in x, y, z, block and rank."""
    registers = ["tid.y", "ntid.x", "ctaid.z", "cluster.ctarank", "laneid", "warpid"]
    reads = "\n".join(f"%r{i} = nvvm.read.ptx.sreg.{r} : i32" for i, r in enumerate(registers))
    adds = "%x0 = llvm.mul %r0, %c : i32\n" + "\n".join(
        f"%y{i} = llvm.add %x{i - 1}, %r{i} : i32\n%x{i} = llvm.mul %y{i}, %c : i32"
        for i in range(1, len(registers))
    )
    body = f"""
      %c = llvm.mlir.constant(8 : i32) : i32
      %e = nvvm.elect.sync -> i1
      {reads}
      {adds}
      %s = tcgen05.smem_view %b : !llvm.ptr<3> -> {S}
      %t = tcgen05.tmem_view %x{len(registers) - 1} : {D}
      COPY, pred %e : {D}, {S}"""
    module = copying(body, "%b: !llvm.ptr<3>")
    who = t5.Thread((1, 2, 3), (0, 0, 5), rank=4, block_size=(7, 3, 4), cluster_size=8)
    linear = 1 + 7 * (2 + 3 * 3)
    expected = _by_hand((2, 7, 5, 4, linear % 32, linear // 32))
    assert [i.taddr for i in t5.trace(module, "f", 0x400, thread=who)] == [expected]
    expected = _by_hand((0, 1, 0, 0, 37 % 32, 37 // 32))
    assert [i.taddr for i in t5.trace(module, "f", 0x400, thread=37)] == [expected]


def _by_hand(values: tuple[int, ...]) -> int:
    total = 0
    for value in values:
        total = 8 * (total + value)
    return total


def test_example_in_numpy_terms() -> None:
    """The whole kernel: 512 words in shared memory, the same 512 words in TMEM."""
    module = ir.Module.parse(EXAMPLE.read_text())
    assert t5.trace(module, "copy", 0, 0) == [(OPCODE, 0, FIRST)]
    assert t5.trace(module, "copy", 0, 0, thread=32) == []  # warp 1 issues nothing
    image = t5.simulate(module, "copy", 0, 0, shared=SHARED)
    words = SHARED[0x400:0xC00].view(np.uint32).reshape(128, 4)
    assert np.array_equal(image.read(0, 0, 128, 4), words)
    assert image.written.sum() == 512


@pytest.mark.parametrize("bits", [4, 6])
def test_example_decompressed(bits: int) -> None:
    form = {4: "b8x16.b4x16_p64", 6: "b8x16.b6x16_p32"}[bits]
    module = ir.Module.parse(EXAMPLE.read_text().replace(OPCODE, f"{OPCODE}.{form}"))
    values = np.random.default_rng(0).integers(0, 1 << bits, 2048, dtype=np.uint8)
    pack = {4: reference.compress_fp4, 6: reference.compress_fp6}[bits]
    shared = np.concatenate([np.zeros(0x400, np.uint8), pack(values, 0xAA)])
    got = t5.simulate(module, "copy", 0, 0, shared=shared).read(0, 0, 128, 4)
    assert np.array_equal(got.view(np.uint8).ravel(), values << {4: 2, 6: 0}[bits])


def test_pair_of_ctas() -> None:
    module = copying("VIEWS\nCOPY : TD, TS")
    paired = ir.Module.parse(str(module).replace("cta_group::1", "cta_group::2"))
    other = SHARED[::-1].copy()
    both = t5.simulate(paired, "f", 0, 0x400, shared=(SHARED, other))
    for image, shared in zip(both, (SHARED, other), strict=True):
        words = shared[0x400:0xC00].view(np.uint32).reshape(128, 4)
        assert np.array_equal(image.read(0, 0, 128, 4), words)
    one, none = t5.simulate(module, "f", 0, 0x400, shared=(SHARED, other))
    assert one == both[0]
    assert not none.written.any()
    with pytest.raises(t5.TraceError, match="shared to be two images for cta_group::2, but got o"):
        t5.simulate(paired, "f", 0, 0x400, shared=SHARED)


def test_order() -> None:
    """Two copies to one place need a wait between them."""
    cp = "COPY : TD, TS\n"
    wait = "%w = nvvm.mbarrier.try_wait %b, %a : !llvm.ptr<3>, i32 -> i1\n"
    with pytest.raises(reference.UnorderedError, match="lane 0, column 8 twice"):
        t5.simulate(copying("VIEWS\n" + cp + cp), "f", 8, 0x400, shared=SHARED)
    image = t5.simulate(copying("VIEWS\n" + cp + wait + cp), "f", 8, 0x400, shared=SHARED)
    assert image.written.sum() == 512


def test_image_before() -> None:
    before = np.full((128, 512), 9, np.uint32)
    image = t5.simulate(copying("VIEWS\nCOPY : TD, TS"), "f", 8, 0, shared=SHARED, tmem=before)
    assert image.read(0, 0, 1, 16).tolist() == [[9] * 8 + [0, 1, 2, 3] + [9] * 4]
    assert (before == 9).all()


@pytest.mark.parametrize(
    ("entry", "arguments", "message"),
    [
        ("g", (), "expected entry to be one of f, but got 'g'"),
        ("m::f", (), "expected entry to be one of f, but got 'm::f'"),
        ("f", (0,), "expected 2 arguments for 'f', but got 1"),
        ("f", (0, 0, 0), "expected 2 arguments for 'f', but got 3"),
        ("f", (0, "x"), "expected argument 1 of 'f' to be an integer, but got 'x'"),
        ("f", (0.5, 0), "expected argument 0 of 'f' to be an integer, but got 0.5"),
        ("f", (1 << 32, 0), "expected argument 0 of 'f' to have 32 bits, but got 4294967296"),
    ],
)
def test_refused_calls(entry: str, arguments: tuple, message: str) -> None:
    with pytest.raises(t5.TraceError) as error:
        t5.trace(copying("VIEWS\nCOPY : TD, TS"), entry, *arguments)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%x = llvm.load %b : !llvm.ptr<3> -> i32", "'llvm.load'"),
        ("%x = nvvm.read.ptx.sreg.clock : i32", "'nvvm.read.ptx.sreg.clock'"),
        ("%x = func.call @outside() : () -> i32", "'llvm.call' to 'outside'"),
        (
            "%x = nvvm.shfl.sync bfly %a, %a, %a, %a : i32 -> i32",
            "'nvvm.shfl.sync'",
        ),
    ],
)
def test_refused_ops(body: str, message: str) -> None:
    module = copying(
        f"{body}\n%s = tcgen05.smem_view %b : !llvm.ptr<3> -> TS\n"
        "%t = tcgen05.tmem_view %x : TD\nCOPY : TD, TS",
        before="func.func private @outside() -> i32",
    )
    with pytest.raises(t5.TraceError) as error:
        t5.trace(module, "f", 0, 0)
    assert str(error.value).endswith(f"depend on a GPU, but got {message}")


def test_what_does_not_matter_is_left_out() -> None:
    body = """
      func.call @nothing() : () -> ()
      %x = llvm.load %b : !llvm.ptr<3> -> i32
      llvm.store %x, %b : i32, !llvm.ptr<3>
      %y = nvvm.shfl.sync bfly %a, %a, %a, %x : i32 -> i32
      nvvm.tcgen05.wait <load>
      gpu.barrier
      VIEWS
      COPY : TD, TS"""
    module = copying(body, before="func.func private @nothing()")
    assert t5.trace(module, "f", 0, 0x400) == [(OPCODE, 0, FIRST)]


def test_faults_do_not_end_this_process() -> None:
    body = "%q = llvm.udiv %a, %n : i32\n%t = tcgen05.tmem_view %q : TD\n"
    body += "%s = tcgen05.smem_view %b : !llvm.ptr<3> -> TS\nCOPY : TD, TS"
    module = copying(body, "%a: i32, %b: !llvm.ptr<3>, %n: i32")
    assert t5.trace(module, "f", 8, 0x400, 2) == [(OPCODE, 4, FIRST)]
    with pytest.raises(t5.TraceError, match="expected 'f' not to divide by zero, but it does"):
        t5.trace(module, "f", 8, 0x400, 0)
    module = copying(
        f"VIEWS\n%x = func.call @g(%a) : (i32) -> i32\nCOPY : {D}, {S}",
        before="""llvm.func @h(%a: i32) -> i32 {
          %c = llvm.mlir.constant(8 : i32) : i32
          %same = llvm.icmp "eq" %a, %c : i32
          llvm.cond_br %same, ^bb1, ^bb2
        ^bb1:
          llvm.return %a : i32
        ^bb2:
          llvm.unreachable
        }
        func.func @g(%a: i32) -> i32 {
          %x = llvm.call @h(%a) : (i32) -> i32
          return %x : i32
        }""",
    )
    assert t5.trace(module, "f", 8, 0x400) == [(OPCODE, 8, FIRST)]
    with pytest.raises(t5.TraceError, match=r"not to reach llvm\.unreachable, as a failed"):
        t5.trace(module, "f", 4, 0x400)


def test_functions_that_do_not_end() -> None:
    """Loops of millions of turns end; what runs for ever is stopped; recursion is refused."""
    module = copying(
        f"""
      %x = func.call @h(%a, %n) : (i32, i32) -> i32
      %t = tcgen05.tmem_view %x : {D}
      %s = tcgen05.smem_view %b : !llvm.ptr<3> -> {S}
      COPY : {D}, {S}""",
        "%a: i32, %b: !llvm.ptr<3>, %n: i32",
        before="""llvm.func @g(%a: i32, %n: i32) -> i32 {
          llvm.br ^head(%a : i32)
        ^head(%i: i32):
          %c = llvm.mlir.constant(1 : i32) : i32
          %next = llvm.add %i, %c : i32
          %go = llvm.icmp "ne" %next, %n : i32
          llvm.cond_br %go, ^head(%next : i32), ^done
        ^done:
          llvm.return %i : i32
        }
        func.func @h(%a: i32, %n: i32) -> i32 {
          %x = llvm.call @g(%a, %n) : (i32, i32) -> i32
          return %x : i32
        }""",
    )
    assert t5.trace(module, "f", 8, 0x400, 13) == [(OPCODE, 12, FIRST)]
    assert t5.trace(module, "f", 8, 0x400, 4_000_009) == [(OPCODE, 4_000_008, FIRST)]
    with pytest.raises(t5.TraceError, match="'f' not to take more than 4194304 turns or issues, "):
        t5.trace(module, "f", 8, 0x400, 8)  # 2^32 turns
    module = copying(
        f"%x = func.call @g(%a) : (i32) -> i32\nVIEWS\nCOPY : {D}, {S}",
        before="""func.func @g(%a: i32) -> i32 {
          %x = func.call @g(%a) : (i32) -> i32
          return %x : i32
        }""",
    )
    with pytest.raises(t5.TraceError, match="expected 'g' not to call itself, but it does"):
        t5.trace(module, "f", 8, 0x400)


GOLDEN = [
    # facts.md section 2, shared start 0x400: shape, source, alignment, descriptor.
    ("128x128b", "[128, 4] : [4, 1]", 16, 0x0000400800010040),
    # Two columns of chunks: LDO 128 from one chunk to the next, SDO 256 for eight rows.
    ("128x256b", "[(16, 8), (2, 4)] : [(64, 4), (32, 1)]", 16, 0x0000401000080040),
    ("128x256b", "[128, 8] : [32, 1], swizzle 128B", 1024, 0x4000404000010040),
    ("128x256b", "[128, 8] : [16, 1], swizzle 64B", 512, 0x8000402000010040),
    ("128x256b", "[128, 8] : [8, 1], swizzle 32B", 256, 0xC000401000010040),
    ("128x256b", "[128, 8] : [32, 1], offset [8], swizzle 128B", 1024, 0x4000404000010042),
    ("4x256b", "[4, 8] : [32, 1], swizzle 128B", 1024, 0x4000400000010040),
]


@pytest.mark.parametrize(("shape", "layout", "align", "descriptor"), GOLDEN)
def test_golden_descriptors(shape: str, layout: str, align: int, descriptor: int) -> None:
    rows, words = 4 if shape == "4x256b" else 128, 4 if shape == "128x128b" else 8
    lanes = 32 if rows == 4 else 1
    kind = f"{rows}x{words}xi32"
    d = f"!tcgen05.tmem<{kind}, #tcgen05.layout<[{rows}, {words}] : [{lanes}@lane, 1@col]>>"
    s = f"!tcgen05.smem<{kind}, #tcgen05.layout<{layout}>, align {align}, storage 16384>"
    opcode = f"cta_group::1.{shape}"
    module = ir.Module.parse(
        f'func.func @f(%t: {d}, %s: {s}) {{\n tcgen05.cp "{opcode}" %t, %s : {d}, {s}\n return\n}}'
    )
    assert t5.trace(module, "f", 0, 0x400) == [(opcode, 0, descriptor)]


def test_one_of_two_stages() -> None:
    """A branch yields either of two stages, each cast to the type that covers both."""
    part = "!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]OFF>, storage 4096>"
    first, second = part.replace("OFF", ""), part.replace("OFF", ", offset [512]")
    either = part.replace("OFF", ", offset [?2*512]")
    branches = [
        f"%x = tcgen05.smem_view %b : !llvm.ptr<3> -> {stage}\n"
        f"%y = tcgen05.cast %x : {stage} -> {either}\nscf.yield %y : {either}\n"
        for stage in (second, first)
    ]
    module = copying(
        f"""
      %t = tcgen05.tmem_view %a : {D}
      %s = scf.if %p -> {either} {{
        {branches[0]}
      }} else {{
        {branches[1]}
      }}
      COPY : {D}, {either}""",
        "%a: i32, %b: !llvm.ptr<3>, %p: i1",
    )
    assert t5.trace(module, "f", 0, 0x400, False) == [(OPCODE, 0, FIRST)]
    assert t5.trace(module, "f", 0, 0x400, True) == [(OPCODE, 0, FIRST + 2048 // 16)]


def test_other_refusals(context: ir.Context) -> None:
    module = copying("VIEWS\nCOPY : TD, TS", "%a: i32, %b: !llvm.ptr<3>, %x: f32")
    with pytest.raises(
        t5.TraceError, match="argument 2 of 'f' to be an integer or an address, but"
    ):
        t5.trace(module, "f", 0, 0, 0)
    with pytest.raises(TypeError, match=r"module to be an mlir\.ir\.Module, but got str"):
        t5.trace("module {}", "f")
    with pytest.raises(t5.TraceError, match="thread to be up to three indices, but got -1"):
        t5.trace(module, "f", 0, 0, 0, thread=-1)
    with pytest.raises(t5.TraceError, match="name of a function of the module, but got 'f'"):
        t5.trace(ir.Module.parse("module {}"), "f")
    config = ir.Module.parse("module {}")
    with ir.InsertionPoint(config.body), ir.Location.unknown():
        ir.Operation.create("func.func", regions=1)
    with pytest.raises(t5.TraceError, match="requires attribute"):
        t5.trace(config, "f")
    inline = 'nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%a, %a : i32, i32)'
    with pytest.raises(t5.TraceError, match="expected inline PTX to be one block in braces"):
        t5.trace(copying(inline), "f", 0, 0)


def test_image_too_small() -> None:
    with pytest.raises(reference.SharedError, match="shared image of 1000 bytes, but got row 0, w"):
        t5.simulate(copying("VIEWS\nCOPY : TD, TS"), "f", 0, 1008, shared=SHARED[:1000])


def run(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mlir_tcgen05", *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=stdin)


def test_command_line() -> None:
    text = str(copying("VIEWS\nCOPY, pred %p : TD, TS", "%a: i32, %b: !llvm.ptr<3>, %p: i1"))
    call = ["trace", "-", "--entry", "f", "--arg", "8", "--arg", "0x400", "--arg"]
    result = run(*call, "true", stdin=text)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{OPCODE}  taddr 0x00000008  descriptor 0x0000400800010040\n"
    result = run(*call, "true", "--json", stdin=text)
    assert json.loads(result.stdout)["issues"] == [
        {"opcode": OPCODE, "taddr": "0x00000008", "descriptor": "0x0000400800010040"}
    ]
    assert run(*call, "false", stdin=text).stdout == ""
    result = run("trace", str(EXAMPLE), "--entry", "copies")
    assert result.returncode == 1
    assert result.stderr == "error: expected entry to be one of kernels::copy, but got 'copies'\n"
    assert run(*call, "many", stdin=text).returncode == 2
    assert run(*call, "1", "--thread", "1,2,3,4", stdin=text).returncode == 2
