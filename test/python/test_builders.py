# RUN: %pytest %s
"""The builders of `mlir_tcgen05.dialects.tcgen05`, its types and attribute."""

from __future__ import annotations

import sys
from pathlib import Path

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir.dialects import func
from mlir_tcgen05.dialects import tcgen05
from mlir_tcgen05.layout import Layout, LayoutError, col, lane, opcodes

TMEM_TEXT = "[128, 4] : [1@lane, 1@col]"
SMEM_TEXT = "[128, 4] : [4, 1]"
TMEM = f"!tcgen05.tmem<128x4xi32, #tcgen05.layout<{TMEM_TEXT}>, columns 32>"
SMEM = f"!tcgen05.smem<128x4xi32, #tcgen05.layout<{SMEM_TEXT}>, align 128>"


@pytest.fixture(autouse=True)
def _context():
    with t5.Context(), ir.Location.unknown():
        yield


def build(body, *types: str) -> ir.Module:
    """A module with one function that has the given argument types and body."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        function = func.FuncOp("f", ([ir.Type.parse(t) for t in types], []))
    block = function.add_entry_block()
    with ir.InsertionPoint(block):
        body(*block.arguments)
        func.ReturnOp([])
    return module


def generic(module: ir.Module) -> str:
    return module.operation.get_asm(print_generic_op_form=True)


def test_copy_equals_its_text() -> None:
    def body(address, pointer, pred) -> None:
        dst = tcgen05.tmem_view(TMEM, address)
        src = tcgen05.smem_view(tcgen05.SmemType.get(None, "i32", SMEM_TEXT, align=128), pointer)
        copy = tcgen05.cp("cta_group::1.128x128b", dst, src, pred)
        assert isinstance(dst, ir.Value)
        assert isinstance(src, ir.Value)
        assert isinstance(copy, tcgen05.CpOp)
        assert copy.pred == pred

    module = build(body, "i32", "!llvm.ptr<3>", "i1")
    assert module.operation.verify()
    written = ir.Module.parse(
        f"""
        func.func @f(%a: i32, %p: !llvm.ptr<3>, %q: i1) {{
          %t = tcgen05.tmem_view %a : {TMEM}
          %s = tcgen05.smem_view %p : !llvm.ptr<3> -> {SMEM}
          tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %q : {TMEM}, {SMEM}
          return
        }}"""
    )
    assert generic(module) == generic(written)


def test_qualifiers_become_attributes() -> None:
    def body(dst, src) -> None:
        copy = tcgen05.cp(
            "tcgen05.cp.cta_group::2.64x128b.warpx2::01_23.b8x16.b4x16_p64", dst, src, scope="warp"
        )
        assert copy.cta_group.value == 2
        assert copy.shape.value == "64x128b"
        assert copy.multicast.value == "warpx2::01_23"
        assert copy.decompress.value == "b8x16.b4x16_p64"
        assert copy.scope.value == "warp"
        plain = tcgen05.cp("cta_group::1.4x256b", dst, src)
        assert plain.multicast is None
        assert plain.decompress is None
        assert plain.pred is None
        assert plain.scope.value == "thread"

    build(body, TMEM, SMEM)


def test_every_opcode_is_accepted() -> None:
    def body(dst, src) -> None:
        for opcode in opcodes():
            assert tcgen05.cp(opcode, dst, src).shape.value == opcode.atom.shape
            assert tcgen05.cp(str(opcode), dst, src).cta_group.value == opcode.cta_group

    build(body, TMEM, SMEM)
    assert len(opcodes()) == 36


@pytest.mark.parametrize(
    ("opcode", "accepted"),
    [
        ("cta_group::3.128x128b", "cta_group::1 or cta_group::2"),
        ("cta_group::1.64x128b", "multicast warpx2::02_13 or warpx2::01_23"),
        ("cta_group::1.128x128b.warpx4", "no multicast for 128x128b"),
        ("cta_group::1.128x128b.b8x16", "b8x16.b4x16_p64, b8x16.b6x16_p32"),
        ("", "cta_group::1 or cta_group::2"),
    ],
)
def test_bad_opcode_is_a_layout_error(opcode: str, accepted: str) -> None:
    def body(dst, src) -> None:
        with pytest.raises(LayoutError, match=r"^expected ") as caught:
            tcgen05.cp(opcode, dst, src)
        assert caught.value.rule == "C1"
        assert accepted in str(caught.value)

    build(body, TMEM, SMEM)


def test_illegal_copy_builds_and_fails_to_verify() -> None:
    def body(dst, src) -> None:
        tcgen05.cp("cta_group::1.128x256b", dst, src)

    module = build(body, TMEM, SMEM)
    with pytest.raises(ir.MLIRError, match=r"expected dst to end in \(128, 8\) for 128x256b"):
        module.operation.verify()


def test_bad_scope_fails_to_verify() -> None:
    module = build(
        lambda dst, src: tcgen05.cp("cta_group::1.128x128b", dst, src, scope="block"), TMEM, SMEM
    )
    with pytest.raises(ir.MLIRError, match=r"expected scope .*but got 'block'"):
        module.operation.verify()


def test_cast_and_address() -> None:
    moved = SMEM_TEXT + ", offset [?2*512]"
    wide = tcgen05.SmemType.get(None, "i32", moved, align=128, storage=4096)

    def body(view, tmem) -> None:
        assert tcgen05.cast(wide, view).type == wide
        assert tcgen05.address(view).type == ir.Type.parse("!llvm.ptr<3>")
        assert tcgen05.address(tmem).type == ir.IntegerType.get_signless(32)

    first = f"!tcgen05.smem<128x4xi32, #tcgen05.layout<{SMEM_TEXT}>, align 128, storage 4096>"
    assert build(body, first, TMEM).operation.verify()


RING = "!tcgen05.smem<512x4xi32, #tcgen05.layout<[512, 4] : [4, 1]>, align 128>"


def test_slice_of_every_kind_of_origin_equals_its_text() -> None:
    def body(ring, index) -> None:
        assert isinstance(tcgen05.slice(ring, [8, 0], [128, 4]), ir.Value)
        tcgen05.slice(ring, [index, 0], [128, 4])
        tcgen05.slice(ring, [(index, 128), 0], [128, 4])
        last = tcgen05.slice(ring, [(index, 128, 64), 0], [128, 4])
        # (512 - 128 - 64) / 128 + 1 values, each 128 rows of 4 words further; 64 rows for all.
        assert tcgen05.SmemType(last.type).layout == Layout(
            (128, 4), (4, 1), offset=("?3*512 + 256",)
        )
        assert tcgen05.SmemType(last.type).align == 128
        assert tcgen05.SmemType(last.type).storage == 512 * 16

    written = ir.Module.parse(
        f"""
        func.func @f(%r: {RING}, %i: index) {{
          %0 = tcgen05.slice %r[8, 0] [128, 4] : {RING}
          %1 = tcgen05.slice %r[%i, 0] [128, 4] : {RING}
          %2 = tcgen05.slice %r[%i * 128, 0] [128, 4] : {RING}
          %3 = tcgen05.slice %r[64 + %i * 128, 0] [128, 4] : {RING}
          return
        }}"""
    )
    module = build(body, RING, "index")
    assert module.operation.verify()
    assert generic(module) == generic(written)


@pytest.mark.parametrize(
    ("origin", "sizes"),
    [
        ([500, 0], [128, 4]),
        ([-1, 0], [128, 4]),
        ([0], [128]),
        ([0, 0], [128]),
        ([0, 0], [0, 4]),
        ([0, 0], [1024, 4]),
        ([("index", 0), 0], [128, 4]),
        ([("index", -4), 0], [128, 4]),
    ],
)
def test_slice_that_cannot_be(capfd: pytest.CaptureFixture[str], origin, sizes) -> None:
    def body(ring, index) -> None:
        places = [(index, *o[1:]) if isinstance(o, tuple) else o for o in origin]
        with pytest.raises(LayoutError, match=r"^expected "):
            tcgen05.slice(ring, places, sizes)

    build(body, RING, "index")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("entry", ["0", 1.5, True, (1, 2), ()])
def test_slice_origin_of_another_type(entry: object) -> None:
    def body(ring) -> None:
        with pytest.raises(TypeError, match=r"^expected origin of dimension 0 to be an integer"):
            tcgen05.slice(ring, [entry, 0], [128, 4])

    build(body, RING)


def test_location_and_insertion_point() -> None:
    module = build(lambda *_: None, TMEM, SMEM, "i32", "!llvm.ptr<3>")
    block = module.body.operations[0].regions[0].blocks[0]
    dst, src, address, pointer = block.arguments
    where = {"ip": ir.InsertionPoint.at_block_begin(block), "loc": ir.Location.name("here")}
    made = [
        tcgen05.tmem_view(TMEM, address, **where).owner,
        tcgen05.smem_view(SMEM, pointer, **where).owner,
        tcgen05.cast(SMEM, src, **where).owner,
        tcgen05.address(dst, **where).owner,
        tcgen05.slice(src, [0, 0], [128, 4], **where).owner,
        tcgen05.cp("cta_group::1.128x128b", dst, src, **where).operation,
    ]
    assert [op.operation for op in block.operations][:-1] == made
    assert all(op.location == where["loc"] for op in made)


@pytest.mark.parametrize("layout", [TMEM_TEXT, f"#tcgen05.layout<{TMEM_TEXT}>"])
def test_tmem_type(layout: str) -> None:
    i32 = ir.IntegerType.get_signless(32)
    made = tcgen05.TmemType.get([128, 4], i32, layout, columns=32)
    assert made == ir.Type.parse(TMEM)
    assert made.shape == (128, 4)
    assert made.element_type == i32
    assert made.layout == Layout((128, 4), (1 @ lane, 1 @ col))
    assert made.columns == 32
    assert tcgen05.TmemType.get(None, "i32", layout).columns == 512
    assert tcgen05.TmemType(ir.Type.parse(TMEM)).columns == 32


def test_smem_type() -> None:
    made = tcgen05.SmemType.get(None, "bf16", Layout((128, 64), (64, 1), swizzle=128), 1024, 32768)
    text = (
        "!tcgen05.smem<128x64xbf16, #tcgen05.layout<[128, 64] : [64, 1], swizzle 128B>, "
        "align 1024, storage 32768>"
    )
    assert made == ir.Type.parse(text)
    assert (made.shape, made.align, made.storage) == ((128, 64), 1024, 32768)
    assert made.element_type == ir.BF16Type.get()
    # The image of 128 rows of 64 two-byte elements is 16384 bytes, which is the default.
    same = tcgen05.SmemType.get(None, "bf16", made.layout, 1024, 16384)
    assert same == tcgen05.SmemType.get(None, "bf16", made.layout, 1024)
    plain = tcgen05.SmemType.get(None, "i32", SMEM_TEXT)
    assert (plain.align, plain.storage) == (16, None)


def test_nested_extents_are_multiplied_out() -> None:
    layout = "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]"
    assert tcgen05.TmemType.get(None, "i32", layout).shape == (64, 4)


def test_layout_attribute() -> None:
    text = "[16, 128, 4] : [512, 4, 1], offset [?6*8192 + 64], swizzle 128B"
    attribute = tcgen05.LayoutAttr.get(text)
    assert attribute == ir.Attribute.parse(f"#tcgen05.layout<{text}>")
    assert attribute.layout == Layout.parse(text)
    assert tcgen05.LayoutAttr.get(attribute.layout) == attribute
    assert tcgen05.LayoutAttr(ir.Attribute.parse(f"#tcgen05.layout<{text}>")).layout.rank == 3


def test_isinstance_and_cast() -> None:
    i32 = ir.IntegerType.get_signless(32)
    assert tcgen05.TmemType.isinstance(ir.Type.parse(TMEM))
    assert not tcgen05.TmemType.isinstance(ir.Type.parse(SMEM))
    assert tcgen05.SmemType.isinstance(ir.Type.parse(SMEM))
    assert not tcgen05.SmemType.isinstance(i32)
    assert not tcgen05.LayoutAttr.isinstance(ir.StringAttr.get(f"#tcgen05.layout<{SMEM_TEXT}>"))
    with pytest.raises(ValueError, match=r"expected type to be a !tcgen05.tmem, but got i32"):
        tcgen05.TmemType(i32)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tcgen05.TmemType.get(None, "i32", SMEM_TEXT), "expected "),
        (lambda: tcgen05.TmemType.get(None, "i32", TMEM_TEXT, columns=6), "but got 6"),
        (lambda: tcgen05.TmemType.get([64, 4], "i32", TMEM_TEXT), "expected "),
        (lambda: tcgen05.SmemType.get(None, "i32", SMEM_TEXT, align=24), "but got 24"),
        (lambda: tcgen05.SmemType.get(None, "i32", SMEM_TEXT, storage=2**18), "but got 262144"),
        (lambda: tcgen05.SmemType.get(None, "i32", "[128, 4]"), "expected "),
        (lambda: tcgen05.LayoutAttr.get("[0] : [1]"), "expected "),
    ],
)
def test_illegal_types_are_layout_errors(make, words: str) -> None:
    with pytest.raises(LayoutError) as caught:
        make()
    assert words in str(caught.value)


def test_stock_context_and_module_lookup() -> None:
    assert Path(sys.modules[tcgen05.__name__].__file__).name == "tcgen05.py"
    context = ir.Context()
    t5.register(context)
    t5.register(context)
    module = ir.Module.parse(f"func.func private @f({SMEM})", context)
    assert "!tcgen05.smem" in str(module)
    with pytest.raises(TypeError, match=r"expected context to be an mlir.ir.Context, but got 3"):
        t5.register(3)
