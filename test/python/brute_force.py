"""Rules C1 to C14 of tcgen05.cp decided by listing everything.

An independent judge for the property tests: every point of an atom, every
replica, every repeat, every member of the group and every value of the run-time
terms is visited, and nothing is concluded from strides. It is written from the
specification and shares nothing with the package, layouts included: a region is
plain numbers here (`Region`).

Addresses are absolute. The shared base is a multiple of 1024 bytes, of which no
swizzle sees more than the lowest ten bits; rule C13 is what makes that sound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

LANE, COL, MEM = range(3)
LANES = 128
SHARED_BYTES = 1 << 18
WORD = 4
# Far from zero, so that no position of a test is a negative address.
BASE = 1 << 40

Place = tuple[int, int, int]
"""Lanes, columns, elements of memory."""
Mode = tuple[int, int, int]
"""Extent, stride, axis."""


class Atom(NamedTuple):
    """A row of the table of shapes: lanes are relative to the lane of row 0."""

    rows: int
    words: int
    lanes: tuple[int, ...]
    replicas: frozenset[int]


ATOMS = {
    ("128x256b", ""): Atom(128, 8, tuple(range(128)), frozenset({0})),
    ("128x128b", ""): Atom(128, 4, tuple(range(128)), frozenset({0})),
    ("4x256b", ""): Atom(4, 8, (0, 32, 64, 96), frozenset({0})),
    ("64x128b", "warpx2::02_13"): Atom(64, 4, tuple(range(64)), frozenset({0, 64})),
    ("64x128b", "warpx2::01_23"): Atom(
        64, 4, tuple(range(32)) + tuple(range(64, 96)), frozenset({0, 32})
    ),
    ("32x128b", "warpx4"): Atom(32, 4, tuple(range(32)), frozenset({0, 32, 64, 96})),
}
FORMATS = ("", "b8x16.b4x16_p64", "b8x16.b6x16_p32")
# Lengths that a group axis may have; None is any.
GROUPS: dict[str, tuple[tuple[int, ...] | None, ...]] = {
    "thread": (),
    "warp": ((1, 32),),
    "warpgroup": ((1, 4), (1, 32)),
    "cta": (None, (1, 32)),
    "cluster": (None, None, (1, 32)),
}


@dataclass(frozen=True)
class Region:
    """A layout in plain numbers, and the memory under it.

    Attributes:
        dims: the modes of each dimension, outermost first.
        replica: the modes of the replicas.
        offset: the constant offset on each axis.
        terms: (count, multiplier, axis) of each run-time term.
        swizzle: mode 0 to 3.
        bits: the width of an element.
        columns: columns that a TMEM region may use.
        align: what divides the shared address, in bytes.
        storage: bytes of a shared region; None is the image.
    """

    dims: tuple[tuple[Mode, ...], ...]
    replica: tuple[Mode, ...] = ()
    offset: Place = (0, 0, 0)
    terms: tuple[tuple[int, int, int], ...] = ()
    swizzle: int = 0
    bits: int = 32
    columns: int = 512
    align: int = 16
    storage: int | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The product of the extents of each dimension."""
        sizes = []
        for dim in self.dims:
            size = 1
            for extent, _, _ in dim:
                size *= extent
            sizes.append(size)
        return tuple(sizes)


def add(*places: Place) -> Place:
    """The sum of displacements, axis by axis."""
    return sum(p[0] for p in places), sum(p[1] for p in places), sum(p[2] for p in places)


def displacements(modes: tuple[Mode, ...]) -> list[Place]:
    """Where each linear index of nested modes leads, the last varying fastest."""
    found = []
    for digits in product(*(range(extent) for extent, _, _ in modes)):
        place = [0, 0, 0]
        for digit, (_, stride, axis) in zip(digits, modes, strict=True):
            place[axis] += digit * stride
        found.append((place[0], place[1], place[2]))
    return found


def term_values(region: Region) -> list[Place]:
    """What the run-time terms can add up to, the value for all zero first."""
    return displacements(tuple((count, times, axis) for count, times, axis in region.terms))


def swizzled(mode: int, address: int) -> int:
    """The XOR of a swizzle mode on an absolute byte address."""
    return address ^ ((address >> 3) & ((2**mode - 1) * 16))


def walk_offset(mode: int, ldo: int, sdo: int, row: int, word: int) -> int:
    """Bytes from the start of a descriptor to a word, before swizzling."""
    along_row = (word // 4) * ldo + (word % 4) * 4 if mode == 0 else 4 * word
    return (row // 8) * sdo + (row % 8) * (16 << mode) + along_row


def encode(start: int, ldo: int, sdo: int, mode: int) -> int:
    """The 64-bit descriptor of a walk, from bytes."""
    code = (0, 6, 4, 2)[mode]
    return start >> 4 | ldo >> 4 << 16 | sdo >> 4 << 32 | 1 << 46 | code << 61


def malformed(dst: Region, src: Region) -> bool:
    """True if the types of the operands do not exist."""
    if any(mode[2] == MEM for dim in dst.dims for mode in dim) or dst.swizzle:
        return True
    if any(mode[2] != MEM for dim in src.dims for mode in dim) or src.replica:
        return True
    if src.align < 16 or src.align & (src.align - 1):
        return True
    if dst.columns % 4 or not 0 < dst.columns <= 512:
        return True
    return storage_of(src) >= SHARED_BYTES or (src.storage is not None and src.storage < 0)


def storage_of(src: Region) -> int:
    """Bytes that belong to a shared region: given, or one past the image."""
    if src.storage is not None:
        return src.storage
    size = src.bits // 8
    points = [add(*point) for point in product(*(displacements(dim) for dim in src.dims))]
    return max(
        swizzled(src.swizzle, BASE + size * add(src.offset, point, term)[MEM]) - BASE + size
        for point in points
        for term in term_values(src)
    )


def split(region: Region, groups: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Extents of the group axes and of the repeat axes, leading ones dropped."""
    extents = region.shape[:-2]
    repeats = list(extents[groups:])
    while repeats and repeats[0] == 1:
        del repeats[0]
    return extents[:groups], tuple(repeats)


class Placement(NamedTuple):
    """Where one instruction of one thread goes, for one value of the terms."""

    members: tuple[int, ...]
    repeat: int
    term: int
    place: Place


def placements(region: Region, groups: int) -> Iterator[Placement]:
    """Every origin of the atom: terms, then group members, then repeats."""
    tables = [displacements(dim) for dim in region.dims[:-2]]
    members = list(product(*(range(len(table)) for table in tables[:groups])))
    repeats = list(product(*(range(len(table)) for table in tables[groups:])))
    for index, term in enumerate(term_values(region)):
        for member in members:
            for number, repeat in enumerate(repeats):
                at = zip(tables, member + repeat, strict=True)
                place = add(region.offset, term, *(table[i] for table, i in at))
                yield Placement(member, number, index, place)


def decide(
    cta_group: int,
    shape: str,
    multicast: str,
    decompress: str,
    dst: Region,
    src: Region,
    scope: str = "thread",
) -> tuple[str | None, list[tuple[int, int]]]:
    """Judge a copy.

    Returns:
        The first rule that fails ("type" if an operand's type does not exist) or
        None, and for a legal copy what the hardware is given for each repeat:
        (TMEM address, descriptor), for views at address zero, terms and group
        coordinates zero.
    """
    if (shape, multicast) not in ATOMS or cta_group not in (1, 2) or decompress not in FORMATS:
        return "C1", []
    if malformed(dst, src):
        return "type", []
    atom = ATOMS[shape, multicast]
    if dst.bits != 32 or src.bits != 32:
        return "C2", []
    if dst.shape[-2:] != atom[:2] or src.shape[-2:] != atom[:2]:
        return "C3", []
    lengths = GROUPS[scope]
    groups = len(lengths)
    if min(len(dst.dims), len(src.dims)) < groups + 2 or split(dst, groups) != split(src, groups):
        return "C4", []
    for extent, allowed in zip(dst.shape, lengths, strict=False):
        if allowed is not None and extent not in allowed:
            return "C4", []
    rule, targets = judge_dst(atom, dst, scope)
    if rule:
        return rule, []
    rule, sources = judge_src(atom, src, groups)
    return rule, [] if rule else list(zip(targets, sources, strict=True))


def judge_dst(atom: Atom, dst: Region, scope: str) -> tuple[str | None, list[int]]:
    """Rules C5 to C9, and the TMEM address of each repeat."""
    copies = set(displacements(dst.replica))
    # As sets after the offset is added: the lowest copy is the atom's own.
    lowest = min(lane for lane, _, _ in copies)
    if copies != {(lane + lowest, 0, 0) for lane in atom.replicas}:
        return "C5", []
    groups = len(GROUPS[scope])
    origins = [
        Placement(p.members, p.repeat, p.term, add(p.place, (lowest, 0, 0)))
        for p in placements(dst, groups)
    ]
    rows, words = displacements(dst.dims[-2]), displacements(dst.dims[-1])
    for origin in origins:
        for row, word in product(range(atom.rows), range(atom.words)):
            wanted = add(origin.place, (atom.lanes[row], word, 0))
            if add(origin.place, rows[row], words[word]) != wanted:
                return "C6", []
    if any(origin.place[COL] % 4 for origin in origins):
        return "C7", []
    written: dict[tuple[int, int, int, int], tuple[tuple[int, ...], int]] = {}
    clash = False
    for origin in origins:
        # Each rank of a cluster writes a tensor memory of its own.
        rank = origin.members[0] if scope == "cluster" else 0
        for row, word, copy in product(rows, words, copies):
            lane, col, _ = add(origin.place, (-lowest, 0, 0), row, word, copy)
            if not (0 <= lane < LANES and 0 <= col < dst.columns):
                return "C8", []
            writer = origin.members, origin.repeat
            clash |= written.setdefault((origin.term, rank, lane, col), writer) != writer
    if clash:
        return "C9", []
    first = origins[0].members
    return None, [p.place[LANE] << 16 | p.place[COL] for p in origins if first_issue(p, first)]


def judge_src(atom: Atom, src: Region, groups: int) -> tuple[str | None, list[int]]:
    """Rules C10 to C14, and the descriptor of each repeat."""
    origins = list(placements(src, groups))
    starts = [BASE + WORD * origin.place[MEM] for origin in origins]
    rows = [WORD * row[MEM] for row in displacements(src.dims[-2])]
    words = [WORD * word[MEM] for word in displacements(src.dims[-1])]
    points = list(product(range(atom.rows), range(atom.words)))

    def stored(start: int, row: int, word: int) -> int:
        return swizzled(src.swizzle, start + rows[row] + words[word])

    for mode in [src.swizzle] + [mode for mode in range(4) if mode != src.swizzle]:
        # What the walk adds to the first start, read off two points.
        ldo, sdo = 16, 0
        if mode == 0 and atom.words > 4:
            ldo = swizzled(mode, stored(starts[0], 0, 4)) - starts[0]
        if atom.rows > 8:
            sdo = swizzled(mode, stored(starts[0], 8, 0)) - starts[0]
        steps = [walk_offset(mode, ldo, sdo, row, word) for row, word in points]
        if all(
            stored(start, row, word) == swizzled(mode, start + step)
            for start in starts
            for (row, word), step in zip(points, steps, strict=True)
        ):
            break
    else:
        return "C10", []
    if any(stride < 0 or stride % 16 or stride >= SHARED_BYTES for stride in (ldo, sdo)):
        return "C11", []
    if any(start % 16 for start in starts):
        return "C12", []
    if src.align < max((16, 256, 512, 1024)[m] for m in (mode, src.swizzle)):
        return "C13", []
    storage = storage_of(src)
    if storage < 8 * (16 << mode) + (ldo if mode == 0 and atom.words == 8 else 0):
        return "C14", []
    for start, step in product(starts, steps):
        byte = swizzled(mode, start + step) - BASE
        if byte < 0 or byte + WORD > storage:
            return "C14", []
    first = origins[0].members
    return None, [
        encode(start - BASE, ldo, sdo, mode)
        for origin, start in zip(origins, starts, strict=True)
        if first_issue(origin, first)
    ]


def first_issue(origin: Placement, first: tuple[int, ...]) -> bool:
    """True for the issues of the first group member, terms zero."""
    return origin.members == first and origin.term == 0
