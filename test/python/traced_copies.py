"""Copies as functions: what is lowered, run and compared with its meaning."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import mlir_tcgen05 as t5
import numpy as np
import random_copies
from brute_force import GROUPS
from mlir import ir
from mlir_tcgen05 import reference
from mlir_tcgen05.layout import CpPlan, Layout, LayoutError, plan_cp

SHARED_BYTES = 1 << 18
ROW_ATOMS = {
    # opcode: rows as layout text (extents, lanes), words, replica
    "128x256b": ("128", "1@lane", 8, ""),
    "128x128b": ("128", "1@lane", 4, ""),
    "4x256b": ("4", "32@lane", 8, ""),
    "64x128b.warpx2::02_13": ("64", "1@lane", 4, ", replica [2 : 64@lane]"),
    "64x128b.warpx2::01_23": ("(2, 32)", "(64@lane, 1@lane)", 4, ", replica [2 : 32@lane]"),
    "32x128b.warpx4": ("32", "1@lane", 4, ", replica [4 : 32@lane]"),
}
FORMATS = ("", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32")
MODES = ("", ", swizzle 32B", ", swizzle 64B", ", swizzle 128B")


def shared_images(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """All of two CTAs' shared memory, random."""
    rng = np.random.default_rng(seed)
    return tuple(rng.integers(0, 256, SHARED_BYTES, dtype=np.uint8) for _ in range(2))


@dataclass(frozen=True)
class Case:
    """A function `f` that copies once, how to call it, and what that means."""

    text: str
    opcode: str
    arguments: tuple[int, ...]
    dst: t5.Region
    src: t5.Region
    scope: str = "thread"
    group: tuple[int, ...] = ()
    pred: bool = True
    thread: t5.Thread = field(default_factory=t5.Thread)
    planned: list[t5.Issue] = field(default_factory=list)
    """What the plan says is issued, where the case was made from one."""
    issued: int = 0
    """How many are, where it was not."""

    def module(self) -> ir.Module:
        """The module, in the context that is entered."""
        return ir.Module.parse(self.text)

    def traced(self) -> list[t5.Issue]:
        """What the lowered function issues."""
        return t5.trace(self.module(), "f", *self.arguments, thread=self.thread)

    def ranks(self) -> list[int]:
        """The CTAs of the pair that the copy reaches."""
        return [0, 1] if "cta_group::2" in self.opcode else [self.thread.rank % 2]

    def simulated(self, shared: tuple[np.ndarray, np.ndarray]) -> list[reference.Tmem]:
        """Both images that the lowered function leaves."""
        return list(
            t5.simulate(self.module(), "f", *self.arguments, shared=shared, thread=self.thread)
        )

    def meant(self, shared: tuple[np.ndarray, np.ndarray]) -> list[reference.Tmem]:
        """Both images as the layouts have them."""
        images = [reference.Tmem(), reference.Tmem()]
        for rank in self.ranks():
            images[rank] = t5.meaning(
                self.opcode,
                self.dst,
                self.src,
                shared[rank],
                scope=self.scope,
                group=self.group,
                pred=self.pred,
            )
        return images


def dimensions(layout: Layout) -> str:
    """`4x128x4x`"""
    return "".join(f"{size}x" for size in layout.sizes)


def tmem_type(layout: Layout, columns: int = 512) -> str:
    return f"!tcgen05.tmem<{dimensions(layout)}i32, #tcgen05.layout<{layout}>, columns {columns}>"


def smem_type(layout: Layout, align: int = 1024, storage: int | None = 1 << 17) -> str:
    rest = f", align {align}" + ("" if storage is None else f", storage {storage}")
    return f"!tcgen05.smem<{dimensions(layout)}i32, #tcgen05.layout<{layout}>{rest}>"


def staged(
    rng: Random, shape: str, group: int, form: str, mode: int, stages: int = 3, repeats: int = 2
) -> Case:
    """Repeats of an atom out of a ring of stages, sliced at a run-time stage and column."""
    rows, lanes, words, replica = ROW_ATOMS[shape]
    count = int(shape.partition("x")[0])
    block = 8 * (16 << mode)
    sdo = block * rng.choice([1, 2])
    ldo = 16 * rng.choice([8, 9, 64])
    pitch = 16 * rng.choice([0, 1, 3]) + (max(sdo, block) * -(-count // 8)) * (1 + (mode == 0))
    if mode == 0 and words == 8:
        pitch += 2 * ldo
    along = "4" if words == 4 else "8"
    step = "1"
    if mode == 0 and words == 8:
        along, step = "(2, 4)", f"({ldo // 4}, 1)"
    src_rows = f"({count // 8}, 8)" if count > 8 else "4"
    src_steps = f"({sdo // 4}, {4 << mode})" if count > 8 else f"{4 << mode}"
    source = Layout.parse(
        f"[{stages}, {repeats}, {src_rows}, {along}] : "
        f"[{repeats * pitch // 4}, {pitch // 4}, {src_steps}, {step}]{MODES[mode]}"
    )
    target = Layout.parse(
        f"[{stages}, {repeats}, {rows}, {words}] : "
        f"[{repeats * words}@col, {words}@col, {lanes}, 1@col]{replica}"
    )
    storage = (stages * repeats + 1) * pitch + 4096
    stage = rng.randrange(stages)
    slot = rng.randrange(stages)
    base = 1024 * rng.randrange((SHARED_BYTES - storage) // 1024)
    taddr = 4 * rng.randrange((512 - stages * repeats * words) // 4 + 1)
    columns = (512 - taddr) // 4 * 4
    opcode = f"cta_group::{group}.{shape}{form}"
    td, ts = tmem_type(target, columns), smem_type(source, 1024, storage)
    sizes = f"[1, {repeats}, {count}, {words}]"
    pred = rng.choice([None, None, 0, 1])
    condition = "" if pred is None else ", pred %p"
    text = f"""
    func.func @f(%a: i32, %b: !llvm.ptr<3>, %i: index, %j: index, %p: i1) {{
      %t = tcgen05.tmem_view %a : {td}
      %s = tcgen05.smem_view %b : !llvm.ptr<3> -> {ts}
      %d = tcgen05.slice %t[%i, 0, 0, 0] {sizes} : {td}
      %c = tcgen05.slice %s[%j, 0, 0, 0] {sizes} : {ts}
      tcgen05.cp "{opcode}" %d, %c{condition} : TD, TS
      return
    }}"""
    for name, layout in (("TD", target), ("TS", source)):
        text = text.replace(name, sliced_type(layout, td if name == "TD" else ts, repeats))
    origin = (slot, 0, 0, 0), (stage, 0, 0, 0)
    extents = (1, repeats, count, words)
    return Case(
        text,
        opcode,
        (taddr, base, slot, stage, pred or 0),
        t5.Region(target, taddr, origin=origin[0], sizes=extents),
        t5.Region(source, base, origin=origin[1], sizes=extents),
        pred=pred != 0,
        issued=0 if pred == 0 else repeats,
    )


def sliced_type(layout: Layout, whole: str, repeats: int) -> str:
    """The type of the slice at a run-time first coordinate, as the parser wants it again."""
    part = layout.slice([(1, 0), *[0] * (len(layout.sizes) - 1)], [1, *layout.sizes[1:]])
    kind, rest = whole.partition("<")[0], whole.partition("layout<")[2].partition(">")[2]
    return f"{kind}<{dimensions(part)}i32, #tcgen05.layout<{part}>{rest}"


def drawn(rng: Random, scopes: bool = True) -> Case:
    """A random legal copy, its regions function arguments with run-time terms."""
    while True:
        copy = random_copies.draw(rng, odd="nothing", scopes=scopes)
        try:
            layouts = random_copies.layout(copy.dst), random_copies.layout(copy.src)
            group = rng.choice([1, 2])
            opcode = copy.opcode.replace("cta_group::1", f"cta_group::{group}")
            plan = plan_cp(opcode, *layouts, **copy.keywords)
        except LayoutError:
            continue
        return _called(rng, copy, layouts, opcode, plan)


def _called(
    rng: Random, copy: Any, layouts: tuple[Layout, Layout], opcode: str, plan: CpPlan
) -> Case:
    target, source = layouts
    storage = copy.src.storage or 1 << 17
    base = copy.src.align * rng.randrange((SHARED_BYTES - storage) // copy.src.align)
    taddr = 4 * rng.randrange((512 - copy.dst.columns) // 4 + 1)
    values = [[rng.randrange(term.count) for term in layout.terms] for layout in layouts]
    td = tmem_type(target, copy.dst.columns)
    ts = smem_type(source, copy.src.align, copy.src.storage)
    pred = rng.choice([None, 0, 1, 1])
    condition = "" if pred is None else ", pred %p"
    scope = "" if copy.scope == "thread" else f", scope({copy.scope})"
    text = (
        f"func.func @f(%d: {td}, %s: {ts}, %p: i1) {{\n"
        f'  tcgen05.cp "{opcode}" %d, %s{condition}{scope} : {td}, {ts}\n  return\n}}'
    )
    thread, group = _thread(rng, copy.scope, target.sizes)
    arguments = (taddr + _moved(target, values[0]), base + _moved(source, values[1]), pred or 0)
    # A group axis of one is there without its threads being told apart.
    axes = [g if size > 1 else 0 for g, size in zip(group, target.sizes, strict=False)]
    planned = plan.issues(
        dst_terms=values[0], src_terms=values[1], group=axes, taddr=taddr, saddr=base
    )
    return Case(
        text,
        opcode,
        tuple(value % (1 << 32) for value in arguments[:2]) + arguments[2:],
        t5.Region(target, taddr, values[0]),
        t5.Region(source, base, values[1]),
        copy.scope,
        group,
        pred != 0,
        thread,
        [] if pred == 0 else [t5.Issue(opcode, *operands) for operands in planned],
    )


def _moved(layout: Layout, values: list[int]) -> int:
    """What the run-time terms add to an address."""
    total = 0
    for term, value in zip(layout.terms, values, strict=True):
        step = term.multiplier
        if isinstance(step, int):
            total += 4 * step * value
        else:
            total += step.value * value << (16 if str(step.axis) == "lane" else 0)
    return total


def _thread(rng: Random, scope: str, sizes: tuple[int, ...]) -> tuple[t5.Thread, tuple[int, ...]]:
    """A thread of the group, and its coordinates on the group axes."""
    extents = sizes[: len(GROUPS[scope])]
    warps = {"thread": 4, "warp": 4, "warpgroup": 8}.get(scope) or extents[-2]
    warp, lane, rank = rng.randrange(warps), rng.randrange(32), 0
    coordinates: tuple[int, ...] = ()
    if scope == "warp":
        coordinates = (lane,)
    elif scope == "warpgroup":
        coordinates = (warp % 4, lane)
    elif scope == "cta":
        coordinates = (warp, lane)
    elif scope == "cluster":
        rank = rng.randrange(extents[0])
        coordinates = (rank, warp, lane)
    linear = 32 * warp + lane
    if rng.randrange(2):  # three dimensions
        index, size = (linear % 8, linear // 8 % 2, linear // 16), (8, 2, 2 * warps)
    else:
        index, size = (linear, 0, 0), (32 * warps, 1, 1)
    return t5.Thread(index, rank=rank, block_size=size, cluster_size=max(rank + 1, 2)), coordinates
