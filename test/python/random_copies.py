"""Random copies, most of them legal or one step away from it.

Draws come from a `random.Random`, so that the same generator serves hypothesis
(which shrinks) and the plain loop over a hundred thousand layouts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from brute_force import ATOMS, COL, FORMATS, GROUPS, LANE, MEM, Mode, Region
from mlir_tcgen05.layout import Layout, Term, col, lane

KINDS = list(ATOMS)
# The large shapes cost a judge that looks at every point ten times as much.
WEIGHTS = [1, 1, 6, 2, 2, 4]
SWIZZLES = [None, 32, 64, 128]


@dataclass(frozen=True)
class Copy:
    """What `plan_cp` and the judge are asked about."""

    shape: str
    multicast: str
    decompress: str
    dst: Region
    src: Region
    scope: str

    @property
    def opcode(self) -> str:
        """The text of the opcode."""
        parts = [self.shape, self.multicast, self.decompress]
        return "cta_group::1." + ".".join(part for part in parts if part)

    @property
    def keywords(self) -> dict[str, Any]:
        """Keyword arguments of `plan_cp`."""
        return {
            "dst_bits": self.dst.bits,
            "src_bits": self.src.bits,
            "columns": self.dst.columns,
            "align": self.src.align,
            "storage": self.src.storage,
            "scope": self.scope,
        }


def layout(region: Region) -> Layout:
    """A region of plain numbers as a Layout."""

    def stride(value: int, axis: int) -> Any:
        return value if axis == MEM else value @ (lane if axis == LANE else col)

    def nested(dim: tuple[Mode, ...], part: int) -> Any:
        values = [stride(m[1], m[2]) if part else m[0] for m in dim]
        return values[0] if len(values) == 1 else tuple(values)

    return Layout(
        [nested(dim, 0) for dim in region.dims],
        [nested(dim, 1) for dim in region.dims],
        [(extent, stride(value, axis)) for extent, value, axis in region.replica],
        [stride(region.offset[axis], axis) for axis in (LANE, COL, MEM)]
        + [Term(count, stride(times, axis)) for count, times, axis in region.terms],
        SWIZZLES[region.swizzle],
    )


def split_modes(rng: Random, modes: tuple[Mode, ...], axes: tuple[int, ...]) -> tuple[Mode, ...]:
    """The same function of the linear index, its modes cut at random."""
    out: list[Mode] = []
    for extent, step, axis in modes:
        if rng.randrange(8) == 0:
            out.append((1, rng.randrange(-9, 10), rng.choice(axes)))
        factors = [f for f in (2, 4, 8) if extent % f == 0 and f < extent]
        if factors and rng.randrange(3) == 0:
            inner = rng.choice(factors)
            out += [(extent // inner, step * inner, axis), (inner, step, axis)]
        else:
            out.append((extent, step, axis))
    return tuple(out)


def merge_modes(modes: tuple[Mode, ...]) -> tuple[Mode, ...]:
    """The same function with modes that are one stride made one."""
    out: list[Mode] = []
    for extent, step, axis in modes:
        if extent == 1:
            continue
        if out and out[-1][1:] == (step * extent, axis):
            out[-1] = (out[-1][0] * extent, step, axis)
        else:
            out.append((extent, step, axis))
    return tuple(out) or modes[:1]


def resplit(rng: Random, region: Region, axes: tuple[int, ...]) -> Region:
    """The same region, every dimension spelled in another way."""
    dims = tuple(split_modes(rng, merge_modes(dim), axes) for dim in region.dims)
    return replace(region, dims=dims)


def draw_dst(rng: Random, kind: tuple[str, str], leading: tuple[int, ...], odd: str) -> Region:
    """A destination whose leading axes have the given extents."""
    atom = ATOMS[kind]
    rows: tuple[Mode, ...] = ((atom.rows, atom.lanes[1], LANE),)
    if kind[1] == "warpx2::01_23":
        rows = ((2, 64, LANE), (32, 1, LANE))
    if odd == "rows":
        rows = ((2, rng.choice([0, 1, 32, 64]), LANE), (atom.rows // 2, atom.lanes[1], LANE))
    words: tuple[Mode, ...] = ((atom.words, 2 if odd == "words" else 1, COL),)
    offset = [0, rng.choice([0, 0, 0, 4, 12]), 0]
    copies = sorted(atom.replicas)
    replica: tuple[Mode, ...] = ()
    if len(copies) > 1:
        step = copies[1]
        replica = ((len(copies), step, LANE),)
        if rng.randrange(4) == 0:  # the same set, counted down
            replica, offset[LANE] = ((len(copies), -step, LANE),), copies[-1]
        elif len(copies) == 4 and rng.randrange(3) == 0:  # and split
            replica = ((2, 32, LANE), (2, 64, LANE))
    if odd == "replica":
        other = [(2, 32, LANE), (4, 32, LANE), (2, 64, LANE), (2, 4, COL), (3, 32, LANE)]
        replica = rng.choice([(), *((mode,) for mode in other)])
    if rng.randrange(6) == 0:
        replica += ((2, 0, rng.choice([LANE, COL])),)
    lanes = kind[0] == "4x256b" and rng.randrange(2) == 0
    # Outer axes step over inner ones, so that most repeats are disjoint.
    pitch = 1 if lanes else atom.words
    dims: list[tuple[Mode, ...]] = []
    for extent in reversed(leading):
        step = pitch
        if odd == "repeat" and rng.randrange(2) == 0:
            step = rng.choice([0, 1, 2, 4, -4, 8, pitch])
        dims.insert(0, ((extent, step, LANE if lanes else COL),))
        pitch *= extent
    terms: tuple[tuple[int, int, int], ...] = ()
    if rng.randrange(4) == 0:
        terms = ((rng.choice([2, 3]), rng.choice([4, 8, 8, 16, 64]), COL),)
    if odd == "column":
        offset[COL] = rng.choice([2, 6, -4, 508, 504])
    if odd == "lane":
        offset[LANE] += rng.choice([1, -1, 32, 28])
    if odd == "dst term":
        terms = ((rng.choice([2, 4]), *rng.choice([(2, COL), (1, LANE), (32, LANE), (-4, COL)])),)
    return Region(
        (*dims, rows, words),
        replica,
        (offset[0], offset[1], offset[2]),
        terms,
        columns=rng.choice([512, 512, 512, 64, 32]),
        bits=16 if odd == "dst bits" else 32,
    )


def draw_src(rng: Random, kind: tuple[str, str], leading: tuple[int, ...], odd: str) -> Region:
    """A source whose leading axes have the given extents."""
    atom = ATOMS[kind]
    swizzle = rng.randrange(4)
    mode = rng.randrange(4) if odd == "mode" else swizzle
    block = 8 * (16 << mode)
    sdo = block * rng.choice([1, 1, 2]) + rng.choice([0, 0, 0, 16, 1024])
    ldo = rng.choice([16, 128, 128, 256, 1024])
    if odd == "stride":
        sdo = rng.choice([sdo, 200, 24, -sdo, 1 << 18, 0])
        ldo = rng.choice([ldo, 20, -128, 0])
    rows: tuple[Mode, ...] = ((atom.rows // 8, sdo // 4, MEM), (8, 4 << mode, MEM))
    if atom.rows < 8:
        rows = ((atom.rows, 4 << mode, MEM),)
    words: tuple[Mode, ...] = ((atom.words, 1, MEM),)
    if mode == 0 and atom.words > 4:
        words = ((2, ldo // 4, MEM), (4, 1, MEM))
    if odd == "point":
        side = rng.randrange(2)
        extent, step, axis = (rows, words)[side][-1]
        half = extent // 2
        cut = ((2, step * half + rng.choice([-4, 1, 4, 8, 32]), axis), (half, step, axis))
        if side:
            words = (*words[:-1], *cut)
        else:
            rows = (*rows[:-1], *cut)
    atom_elements = max(atom.rows // 8, 1) * max(sdo, block) // 4
    dims: list[tuple[Mode, ...]] = []
    for extent in reversed(leading):
        step = rng.choice([atom_elements, atom_elements, 4, 8, 32, 64, 256, 0, -atom_elements])
        if odd == "origin" and rng.randrange(2) == 0:
            step = rng.choice([1, 2, 6, 12, 36])
        dims.insert(0, ((extent, step, MEM),))
    offset = rng.choice([0, 0, 0, 4, 8, 32, 64, 256, 1024])
    if odd == "origin":
        offset = rng.choice([1, 2, 7, -4, 10, 96])
    if any(step < 0 for dim in dims for _, step, _ in dim):
        offset += sum(-(extent - 1) * step for ((extent, step, _),) in dims if step < 0)
    terms: list[tuple[int, int, int]] = []
    for _ in range(rng.choice([0, 0, 1, 2])):
        times = rng.choice([4, 8, 16, 32, 256, atom_elements])
        if odd == "src term":
            times = rng.choice([1, 2, 6, -4, times])
        terms.append((rng.choice([2, 3, 4, 9 if atom.rows < 8 else 2]), times, MEM))
    enough = (16, 256, 512, 1024)[max(mode, swizzle)]
    align = enough
    if odd == "align":
        align = rng.choice([16, 128, 256, 512, 1024, 24, 8])
    region = Region(
        (*dims, rows, words),
        (),
        (0, 0, offset),
        tuple(terms),
        swizzle,
        bits=64 if odd == "src bits" else 32,
        align=align,
    )
    if rng.randrange(3):
        # Room for whole blocks behind the last row.
        room = [64, 128, 512, 2048] if odd == "storage" else [65536, 131072]
        region = replace(region, storage=rng.choice(room))
    return region


# What can be odd about a copy; nothing, most of the time.
ODD = ["nothing"] * 12 + [
    "align",
    "column",
    "dst bits",
    "dst term",
    "extents",
    "group",
    "lane",
    "mode",
    "mode",
    "mode",
    "origin",
    "point",
    "repeat",
    "repeat",
    "repeat",
    "replica",
    "rows",
    "shape",
    "src bits",
    "src term",
    "storage",
    "stride",
    "words",
]


def draw(rng: Random, odd: str | None = None, scopes: bool = True) -> Copy:
    """A copy with one odd thing about it or none, which may still be legal."""
    kind = rng.choices(KINDS, WEIGHTS)[0]
    odd = rng.choice(ODD) if odd is None else odd
    scope = rng.choice(["thread"] * 4 + list(GROUPS)) if scopes else "thread"
    lengths = GROUPS[scope]
    # A lane axis of 32 is dear to list: for the small shape only.
    most = 32 if kind[0] == "4x256b" and len(lengths) < 3 and rng.randrange(3) == 0 else 1
    groups = tuple(
        rng.choice([1, 2]) if allowed is None else 4 if 4 in allowed else most
        for allowed in lengths
    )
    if odd == "group" and groups:
        groups = (*groups[:-1], rng.choice([2, 4, 31]))
    repeats = tuple(rng.choice([1, 2, 2, 3, 4]) for _ in range(rng.choice([0, 0, 1, 1, 2])))
    if most == 32:
        repeats = repeats[:1]
    dst = draw_dst(rng, kind, groups + repeats, odd)
    if odd == "extents":
        repeats = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rng.choice([0, 1, 2])))
    elif rng.randrange(4) == 0:
        repeats = (1, *repeats)
    # Now and then two things are odd, and the first rule in order has the word.
    src = draw_src(rng, kind, groups + repeats, odd if rng.randrange(4) else rng.choice(ODD))
    copy = Copy(*kind, rng.choice(FORMATS), dst, src, scope)
    if odd == "shape":
        copy = replace(copy, shape=rng.choice(KINDS)[0])
    return replace(
        copy, dst=resplit(rng, copy.dst, (LANE, COL)), src=resplit(rng, copy.src, (MEM,))
    )
