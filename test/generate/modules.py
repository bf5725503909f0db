"""Random modules: most of them legal, the others one or two tokens away from it.

What a compiler is fed when nobody reads the IR: copies with layouts of all kinds
(`random_copies`), as arguments, behind views, slices, casts, branches, loops and calls, and kernels
with the protocol around them, of which now and then a step is missing. `mutant` changes tokens, not
bytes, so that most results still parse. Text in, text out: nothing here needs MLIR.

    python modules.py 100 --seed 7 --mutants DIRECTORY
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Callable
from math import prod
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

import random_copies
from brute_force import ATOMS, Region
from mlir_tcgen05.layout import Layout, LayoutError, Term, plan_cp


def region_type(layout: Layout, region: Region, kind: str) -> str:
    """`!tcgen05.smem<4x128x4xi32, #tcgen05.layout<...>, align 1024>`"""
    dims = "".join(f"{size}x" for size in layout.sizes)
    rest = f", columns {region.columns}"
    if kind == "smem":
        rest = f", align {region.align}"
        rest += "" if region.storage is None else f", storage {region.storage}"
    return f"!tcgen05.{kind}<{dims}i{region.bits}, #tcgen05.layout<{layout}>{rest}>"


def draw(rng: Random, odd: bool, scopes: bool = True, terms: bool = True) -> tuple[str, str, str]:
    """Opcode with scope, and the types of destination and source; legal unless `odd`."""
    while True:
        copy = random_copies.draw(rng, None if odd else "nothing", scopes)
        try:
            layouts = random_copies.layout(copy.dst), random_copies.layout(copy.src)
            if not odd:
                plan_cp(copy.opcode, *layouts, **copy.keywords)
        except LayoutError:
            continue
        if not terms and any(layout.terms for layout in layouts):
            continue
        group = rng.choice(["cta_group::1", "cta_group::2"])
        opcode = copy.opcode.replace("cta_group::1", group)
        scope = "" if copy.scope == "thread" else f", scope({copy.scope})"
        return (
            f'"{opcode}" %d, %s{{pred}}{scope}',
            region_type(layouts[0], copy.dst, "tmem"),
            region_type(layouts[1], copy.src, "smem"),
        )


def copy_op(rng: Random, drawn: tuple[str, str, str]) -> str:
    """The operation, on %d and %s, with the predicate %p or none."""
    head, dst, src = drawn
    return f"tcgen05.cp {head.format(pred=rng.choice(['', ', pred %p']))} : {dst}, {src}"


def arguments(rng: Random, odd: bool) -> str:
    """A function whose arguments are the regions."""
    drawn = draw(rng, odd)
    return (
        f"func.func @f(%d: {drawn[1]}, %s: {drawn[2]}, %p: i1) {{\n"
        f"  {copy_op(rng, drawn)}\n  return\n}}\n"
    )


def views(rng: Random, odd: bool) -> str:
    """Views of an address and of a pointer or a workgroup buffer, and their addresses."""
    drawn = draw(rng, odd, terms=False)
    source = rng.choice(["!llvm.ptr<3>", "memref<32768xi32, 3>", "memref<131072xi8, 3>"])
    return (
        f"func.func @f(%a: i32, %b: {source}, %p: i1) -> (i32, !llvm.ptr<3>) {{\n"
        f"  %d = tcgen05.tmem_view %a : {drawn[1]}\n"
        f"  %s = tcgen05.smem_view %b : {source} -> {drawn[2]}\n"
        f"  {copy_op(rng, drawn)}\n"
        f"  %x = tcgen05.address %d : {drawn[1]} -> i32\n"
        f"  %y = tcgen05.address %s : {drawn[2]} -> !llvm.ptr<3>\n"
        "  return %x, %y : i32, !llvm.ptr<3>\n}\n"
    )


def branches(rng: Random, odd: bool) -> str:
    """Regions that pass through blocks, loops, conditions and calls."""
    drawn = draw(rng, odd)
    _, dst, src = drawn
    copy = copy_op(rng, drawn)
    bodies = [
        f"scf.if %p {{\n    {copy}\n  }}",
        f"scf.for %i = %n to %n step %n {{\n    {copy}\n  }}",
        f"%e = scf.for %i = %n to %n step %n iter_args(%x = %d) -> ({dst}) {{\n"
        f"    {copy}\n    scf.yield %x : {dst}\n  }}",
        f"cf.cond_br %p, ^a(%d : {dst}), ^a(%d : {dst})\n^a(%e: {dst}):\n  {copy}",
        f"%e = arith.select %p, %d, %d : {dst}\n  {copy}",
        f"func.call @f(%d, %s, %p, %n) : ({dst}, {src}, i1, index) -> ()\n  {copy}",
    ]
    return (
        f"func.func @f(%d: {dst}, %s: {src}, %p: i1, %n: index) {{\n"
        f"  {rng.choice(bodies)}\n  return\n}}\n"
    )


def slices(rng: Random, odd: bool) -> str:
    """A stage of a ring at a run-time index, cast to a wider offset now and then."""
    mode = rng.randrange(4)
    stages, rows, words = rng.choice([2, 3, 4]), 128, 4 if rng.randrange(2) else 8
    width = (4, 8, 16, 32)[mode]
    swizzle = "" if mode == 0 else f", swizzle {16 << mode}B"
    step = rng.choice([rows * width] * 3 + [rows * width + 4])
    words = min(words, width)
    ring = f"[{stages}, {rows}, {width}] : [{step}, {width}, 1]"
    align = 1024 if not odd else rng.choice([16, 128, 256, 1024])
    storage = 4 * stages * step + 4096
    tail = f", align {align}, storage {storage}"
    whole = f"!tcgen05.smem<{stages}x{rows}x{width}xi32, #tcgen05.layout<{ring}{swizzle}>{tail}>"
    inner = rng.choice(["0", "%j * 4", "%j * 8", "4"]) if words < width else "0"
    stage = rng.choice(["%i", "%i * 2", "1", "1 + %i"])
    opcode = "128x128b" if words == 4 else "128x256b"
    dst = (
        f"!tcgen05.tmem<1x{rows}x{words}xi32, "
        f"#tcgen05.layout<[1, {rows}, {words}] : [0@col, 1@lane, 1@col]>>"
    )
    origin = rng.choice([f"{stage}, 0, {inner}"] * 6 + [f"{inner}, {stage}, 0"])
    # The type of the slice is the parser's to infer; the ring's own functions compute it here.
    layout = Layout.parse(ring + swizzle)
    parts = [_origin(part) for part in origin.split(", ")]
    try:
        part = layout.slice(parts, [1, rows, words])
    except LayoutError:
        part = layout.slice([0, 0, 0], [1, rows, words])
    src = f"!tcgen05.smem<1x{rows}x{words}xi32, #tcgen05.layout<{part}>{tail}>"
    name, lines = "%c", ""
    if rng.randrange(3) == 0:
        wider = Layout(part.shape, part.strides, (), [*part.offset, Term(2, 8)], part.swizzle)
        cast = src.replace(str(part), str(wider))
        lines, name = f"  %w = tcgen05.cast %c : {src} -> {cast}\n", "%w"
        src = cast
    return (
        f"func.func @f(%t: {dst}, %b: !llvm.ptr<3>, %i: index, %j: index, %p: i1) {{\n"
        f"  %r = tcgen05.smem_view %b : !llvm.ptr<3> -> {whole}\n"
        f"  %c = tcgen05.slice %r[{origin}] [1, {rows}, {words}] : {whole}\n{lines}"
        f'  tcgen05.cp "cta_group::1.{opcode}" %t, {name} : {dst}, {src}\n  return\n}}\n'
    )


def _origin(text: str) -> int | tuple[int, int]:
    """An origin as `Layout.slice` takes it: a constant, or (multiplier, constant)."""
    match = re.fullmatch(r"(?:(\d+) \+ )?%\w(?: \* (\d+))?", text)
    return (int(match[2] or 1), int(match[1] or 0)) if match else int(text)


def kernel(rng: Random, odd: bool) -> str:
    """A kernel with the protocol around one or two copies, steps of it left out if `odd`."""
    body: list[str] = []

    def step(text: str) -> None:
        if not odd or rng.randrange(8):
            body.extend(text.splitlines())

    t = "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>, columns 32>"
    s = "!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>, align 16>"
    group = rng.choice(["", " {group = #nvvm.cta_group<cta_2>}"]) if odd else ""
    step(f"nvvm.tcgen05.alloc %slot, %c32{group} : !llvm.ptr<3>, i32")
    step(f"nvvm.tcgen05.relinquish_alloc_permit{group}")
    step("nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32")
    step("llvm.store %word, %data : i32, !llvm.ptr<3>")
    step(
        "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}"
    )
    step("gpu.barrier")
    guard = rng.choice(["nvvm.elect.sync -> i1", "arith.cmpi eq, %tid, %c0 : i32"])
    predicate = rng.choice(["", ", pred %e"])
    copies = "\n".join(
        [f'tcgen05.cp "cta_group::1.128x128b" %t, %s{predicate} : {t}, {s}'] * rng.choice([1, 1, 2])
    )
    commit = "nvvm.tcgen05.commit %bar : !llvm.ptr<3>"
    inside = f"{copies}\n{commit}" if rng.randrange(4) or not odd else f"{commit}\n{copies}"
    loop = rng.randrange(3) == 0
    if loop:
        inside = f"scf.for %i = %z to %n step %o {{\n{inside}\n}}"
    step(f"%e = {guard}\nscf.if %e {{\n{inside}\n}}")
    step(
        "scf.while : () -> () {\n"
        "%done = nvvm.mbarrier.try_wait %bar, %c0 : !llvm.ptr<3>, i32 -> i1\n"
        "%more = arith.xori %done, %true : i1\nscf.condition(%more)\n} do {\nscf.yield\n}"
    )
    step("nvvm.tcgen05.fence <after>")
    step(
        "%q = llvm.inttoptr %a : i32 to !llvm.ptr<6>\n"
        "%v = nvvm.tcgen05.ld %q {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>\n"
        "nvvm.tcgen05.wait <load>"
    )
    step("nvvm.tcgen05.fence <before>\ngpu.barrier")
    step(
        "%f = llvm.inttoptr %a : i32 to !llvm.ptr<6>\n"
        "nvvm.tcgen05.dealloc %f, %c32 : !llvm.ptr<6>, i32"
    )
    views = [
        "%a = llvm.load %slot : !llvm.ptr<3> -> i32",
        f"%t = tcgen05.tmem_view %a : {t}",
        f"%s = tcgen05.smem_view %data : !llvm.ptr<3> -> {s}",
    ]
    body[min(2, len(body)) : min(2, len(body))] = views
    text = "\n    ".join(body)
    return f"""gpu.module @kernels {{
  llvm.mlir.global internal @slot() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
  llvm.mlir.global internal @bar() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  llvm.mlir.global internal @data() {{addr_space = 3 : i32, alignment = 16 : i64}}
      : !llvm.array<512 x i32>
  gpu.func @kernel(%word: i32, %n: index) kernel {{
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %data = llvm.mlir.addressof @data : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %z = arith.constant 0 : index
    %o = arith.constant 1 : index
    %true = arith.constant true
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    {text}
    gpu.return
  }}
}}
"""


FORMS: list[Callable[[Random, bool], str]] = [arguments, views, branches, slices, kernel]


def module(rng: Random, odd: bool | None = None) -> str:
    """A module of a random form; legal by construction if `odd` is false, `slices` aside."""
    odd = rng.randrange(3) == 0 if odd is None else odd
    return rng.choice(FORMS)(rng, odd)


# Digits alone, so that an extent of `128x4xi32` can change.
TOKEN = re.compile(r"[%#!@^][\w.$]+|tcgen05[\w.]*|(?:u?i|b?f)\d+|\d+|[A-Za-z_.:]+|\S")
NUMBERS = [0, 1, 2, 3, 4, 8, 12, 16, 31, 32, 64, 100, 128, 256, 508, 512, 513, 1024, 65536]
NUMBERS += [-1, -4, 1 << 18, 1 << 31, 1 << 56, (1 << 63) - 1, 1 << 63, 1 << 64]
WORDS = [
    *(word for kind in ATOMS for word in kind if word),
    "lane",
    "col",
    "i32",
    "f32",
    "bf16",
    "i64",
    "index",
]
WORDS += ["swizzle", "replica", "offset", "align", "storage", "columns", "pred", "scope", "warp"]
WORDS += ["cta", "cluster", "tcgen05.cp", "tcgen05.slice", "tcgen05.cast", "tcgen05.address"]
WORDS += [*"?*+-,:[]()<>=", "->"]


REGION = re.compile(
    r"(?P<head>!tcgen05\.[ts]mem<)[-\dx]+x(?P<rest>i\d+, #tcgen05\.layout<(?P<shape>\[[^]]*\]) : "
    r"[^>]*>[^>]*>)"
)


def with_shape(region: str) -> str:
    """The type with the dimensions that its layout has, if these are numbers."""
    match = REGION.fullmatch(region)
    if not match or re.search(r"[^\d(), \[\]]", match["shape"]):
        return region

    def product(extent: object) -> int:
        return prod(map(product, extent)) if isinstance(extent, tuple) else int(str(extent))

    try:
        sizes = [product(extent) for extent in ast.literal_eval(match["shape"])]
    except (SyntaxError, ValueError):
        return region
    return match["head"] + "".join(f"{size}x" for size in sizes) + match["rest"]


def mutant(rng: Random, text: str) -> str:
    """The text with one to three tokens changed, dropped or doubled.

    A number of a type is said wherever the type stands, and an extent in its layout and its
    dimensions: most changes of a number keep these in agreement, so that the rules have the word.
    """
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        tokens = list(TOKEN.finditer(text))
        numbers = [token for token in tokens if token[0].isdigit()]
        token = rng.choice(numbers if numbers and rng.randrange(4) else tokens)
        old, begin, end = token[0], token.start(), token.end()
        if not old.isdigit():
            new = rng.choice([rng.choice(WORDS), rng.choice(tokens)[0], "", f"{old} {old}"])
            text = text[:begin] + new + text[end:]
            continue
        near = [str(int(old) + 1), str(max(int(old) - 1, 0)), str(2 * int(old)), f"-{old}"]
        new = rng.choice([*near, *(str(rng.choice(NUMBERS)) for _ in near)])
        regions = (m for m in REGION.finditer(text) if m.start() <= begin < m.end())
        region = next(regions, None)
        if region and rng.randrange(8):
            at = begin - region.start()
            changed = region[0][:at] + new + region[0][at + len(old) :]
            text = text.replace(region[0], with_shape(changed) if rng.randrange(8) else changed)
        else:
            text = text[:begin] + new + text[end:]
    return text


def main() -> int:
    """Writes modules to a directory, or to standard output as one file in parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("directory", type=Path, nargs="?")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutants", action="store_true", help="change tokens of every second one")
    options = parser.parse_args()
    for i in range(options.count):
        rng = Random(f"{options.seed} {i}")
        text = module(rng)
        if options.mutants and i % 2:
            text = mutant(rng, text)
        if options.directory:
            options.directory.mkdir(parents=True, exist_ok=True)
            (options.directory / f"{options.seed}-{i}.mlir").write_text(text)
        else:
            print(text + "// -----")
    return 0


if __name__ == "__main__":
    sys.exit(main())
