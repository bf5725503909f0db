"""Moves: for each rule a few changes of a copy that may satisfy it.

What a move makes may fail a later rule, or the same one again; `_suggest` searches among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from . import _reshape as shape
from ._chips import chips
from ._copy import GROUP_AXES, WORD_BITS, Copy, Failure, bits
from .layout import CpAtom, CpOpcode, Layout, LayoutError, Swizzle, Term, atoms, col, opcodes

SWIZZLES = tuple(map(Swizzle, (None, 32, 64, 128)))
"""The swizzle modes."""
_MAX_STORAGE = 2**18 - 1
_DECOMPRESSIONS = tuple(dict.fromkeys(o.decompress for o in opcodes() if o.decompress))


def with_atom(copy: Copy, atom: CpAtom) -> Copy:
    """The copy with another atom; CTA group and decompression as far as the opcode says them."""
    group = 2 if "cta_group::2" in copy.opcode else 1
    decompress = next((d for d in _DECOMPRESSIONS if d in copy.opcode), None)
    code = CpOpcode(atom.shape, atom.multicast, group, decompress)
    return replace(copy, opcode=str(code))


def moves(copy: Copy, failure: Failure) -> Iterator[Copy]:
    """Copies that may satisfy the rule that fails. Malformed ones are left out."""
    move = _MOVES.get(failure.rule or "")
    if move is None:
        return
    candidates = move(copy, failure)
    while True:
        try:
            yield next(candidates)
        except StopIteration:
            return
        except (LayoutError, OverflowError):
            return


def _atom(copy: Copy) -> CpAtom:
    """The atom of a copy that is past C1."""
    code = copy.qualifiers
    assert code is not None, "expected C1 to hold"
    return code.atom


def _with(copy: Copy, operand: str, layout: Layout | None) -> Iterator[Copy]:
    if layout is not None and layout != getattr(copy, operand):
        yield replace(copy, **{operand: layout})


def _least_past(rule: str, candidate: Callable[[int], Copy], low: int, high: int) -> Iterator[Copy]:
    """The candidate of the least number in low + 1 to high that satisfies a rule, if any does.

    The rule has to hold from some number on; a later rule may fail.
    """

    def past(number: int) -> bool:
        failure = candidate(number).failure
        return failure is None or failure.rule != rule

    if high <= low or not past(high):
        return
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if past(middle) else (middle, high)
    yield candidate(high)


def _opcodes(copy: Copy, _: Failure) -> Iterator[Copy]:  # C1
    for atom in atoms():
        yield with_atom(copy, atom)
        yield replace(with_atom(copy, atom), opcode=str(CpOpcode(atom.shape, atom.multicast)))


def _elements(copy: Copy, _: Failure) -> Iterator[Copy]:  # C2
    as_words = replace(
        copy, dst_element=_word(copy.dst_element), src_element=_word(copy.src_element)
    )
    yield as_words
    if bits(copy.src_element) != WORD_BITS:
        words = shape.words_of(copy.src, bits(copy.src_element))
        yield from _with(as_words, "src", words)
        if words is not None and bits(copy.dst_element) != WORD_BITS:
            rows = shape.dims(copy.dst)[:-1]
            narrow: list[shape.Modes] = [*rows, [(words.sizes[-1], 1 @ col)]]
            yield from _with(replace(as_words, src=words), "dst", shape.remade(copy.dst, narrow))


def _word(element: str) -> str:
    return element if bits(element) == WORD_BITS else "i32"


def _shapes(copy: Copy, _: Failure) -> Iterator[Copy]:  # C3
    atom, groups = _atom(copy), copy.groups
    for other in atoms():
        if other != atom:
            yield with_atom(copy, other)
    tiles = {
        operand: shape.tiled(getattr(copy, operand), atom.rows, atom.words, groups)
        for operand in ("dst", "src")
    }
    yield from _with(copy, "dst", tiles["dst"])
    yield from _with(copy, "src", tiles["src"])
    if tiles["dst"] is not None and tiles["src"] is not None:
        yield replace(copy, **tiles)
    for operand in ("dst", "src"):
        layout: Layout = getattr(copy, operand)
        if tuple(layout.sizes[-2:]) != (atom.rows, atom.words):
            if layout.rank >= 2:
                sizes = [*layout.sizes[:-2], atom.rows, atom.words]
                yield from _with(copy, operand, shape.sliced(layout, sizes))
            yield from _canonical(copy, operand)


def _canonical(copy: Copy, operand: str) -> Iterator[Copy]:
    """Rows and words of an operand as the opcode has them, whatever they were."""
    atom = _atom(copy)
    layout: Layout = getattr(copy, operand)
    if operand == "dst":
        rows: shape.Modes = shape.atom_rows(atom)
        words: shape.Modes = [(atom.words, 1 @ col)]
    else:
        rows, words = shape.walk_modes(atom, layout.swizzle)
    yield from _with(copy, operand, shape.rows_and_words(layout, rows, words))


def _extents(copy: Copy, _: Failure) -> Iterator[Copy]:  # C4
    for scope, axes in GROUP_AXES.items():
        if scope != copy.scope and min(copy.dst.rank, copy.src.rank) >= len(axes) + 2:
            yield replace(copy, scope=scope)
    dst, src = shape.dims(copy.dst), shape.dims(copy.src)
    groups = copy.groups
    missing = [[[(1, shape.scaled(d[-1][-1][1], 0))]] * groups for d in (dst, src)]
    yield replace(
        copy,
        dst=shape.remade(copy.dst, [*missing[0], *dst]),
        src=shape.remade(copy.src, [*missing[1], *src]),
    )
    if min(len(dst), len(src)) < groups + 2:
        return
    # Group axes of one, then repeats.
    one = [[(1, shape.scaled(d[-1][-1][1], 0))] for d in (dst, src)]
    yield replace(
        copy,
        dst=shape.remade(copy.dst, [one[0]] * groups + dst[groups:]),
        src=shape.remade(copy.src, [one[1]] * groups + src[groups:]),
    )
    repeats = [[dim for dim in d[groups:-2] if shape.size(dim) > 1] for d in (dst, src)]
    plain = replace(
        copy,
        dst=shape.remade(copy.dst, [*dst[:groups], *repeats[0], *dst[-2:]]),
        src=shape.remade(copy.src, [*src[:groups], *repeats[1], *src[-2:]]),
    )
    if plain != copy:
        yield plain
    # One source for all destinations.
    still: list[shape.Modes] = [[(shape.size(dim), 0)] for dim in repeats[0]]
    yield replace(plain, src=shape.remade(copy.src, [*src[:groups], *still, *src[-2:]]))
    # No more than both have.
    smaller = [min(map(shape.size, pair)) for pair in zip(*repeats, strict=False)]
    for operand in ("dst", "src"):
        layout: Layout = getattr(plain, operand)
        sizes = list(layout.sizes)
        lead = sizes[:groups]
        own = sizes[groups:-2]
        cut = [*lead, *[1] * (len(own) - len(smaller)), *smaller, *sizes[-2:]]
        yield from _with(plain, operand, shape.sliced(layout, cut))
    # As many destinations as there are sources.
    wanted: list[shape.Modes] = [[(shape.size(dim), 0 @ col)] for dim in repeats[1]]
    spread = replace(plain, dst=shape.remade(copy.dst, [*dst[:groups], *wanted, *dst[-2:]]))
    yield from _packed(spread)
    lengths = [min(map(shape.size, pair)) for pair in zip(dst[:groups], src[:groups], strict=True)]
    if lengths != list(copy.dst.sizes[:groups]) or lengths != list(copy.src.sizes[:groups]):
        cut = [shape.sliced(x, [*lengths, *x.sizes[groups:]]) for x in (copy.dst, copy.src)]
        if None not in cut:
            yield replace(copy, dst=cut[0], src=cut[1])


def _replicas(copy: Copy, _: Failure) -> Iterator[Copy]:  # C5
    atom = _atom(copy)
    right = shape.remade(copy.dst, replica=shape.atom_replica(atom))
    yield from _with(copy, "dst", right)
    yield from _with(copy, "dst", shape.at(right, "lane", 0))
    yield from _same_size(copy, atom)


def _same_size(copy: Copy, atom: CpAtom) -> Iterator[Copy]:
    for other in atoms():
        if other != atom and (other.rows, other.words) == (atom.rows, atom.words):
            yield with_atom(copy, other)


def _mapping(copy: Copy, _: Failure) -> Iterator[Copy]:  # C6
    yield from _same_size(copy, _atom(copy))
    yield from _canonical(copy, "dst")


def _columns(copy: Copy, _: Failure) -> Iterator[Copy]:  # C7
    yield from _aligned(copy, "dst", "col", 4)


def _origins(copy: Copy, _: Failure) -> Iterator[Copy]:  # C12
    yield from _aligned(copy, "src", None, shape.CHUNK_WORDS)


def _aligned(copy: Copy, operand: str, along: str | None, unit: int) -> Iterator[Copy]:
    """Constant, terms and strides of an operand's origins as multiples of a unit."""
    layout: Layout = getattr(copy, operand)
    origin = shape.constant(layout, along)

    def rounded(value: int) -> int:
        return -(-value // unit) * unit

    def term(entry: Term) -> Term:
        step = entry.multiplier
        if shape.axis(step) != along:
            return entry
        return Term(entry.count, shape.scaled(step, rounded(shape.number(step))))

    def stride(extent: int, step: shape.Step) -> shape.Step:
        moves = extent > 1 and shape.axis(step) == along
        return shape.scaled(step, rounded(shape.number(step))) if moves else step

    for near in sorted({origin // unit * unit, rounded(origin)}, key=lambda n: abs(n - origin)):
        yield from _with(copy, operand, shape.at(layout, along, near))
    steps = shape.leading_mapped(shape.terms_mapped(layout, term), stride)
    yield from _with(copy, operand, steps)
    yield from _with(copy, operand, shape.at(steps, along, rounded(origin)))


def _bounds(copy: Copy, failure: Failure) -> Iterator[Copy]:  # C8
    match = re.search(
        r"within (\d+) (lane|column)s, but got \w+ (-?\d+) to (-?\d+)", failure.message
    )
    if match is None:
        return
    limit, first, last = int(match[1]), int(match[3]), int(match[4])
    along = "lane" if match[2] == "lane" else "col"
    if along == "col" and first >= 0 and last < 512:
        yield from _least_past(
            "C8", lambda blocks: replace(copy, columns=4 * blocks), copy.columns // 4, 128
        )
    origin = shape.constant(copy.dst, along)
    if along == "col" or first < 0:
        shift = -first if first < 0 else (limit - last - 1) // 4 * 4
        yield from _with(copy, "dst", shape.at(copy.dst, along, origin + shift))
    yield from _with(copy, "dst", shape.at(copy.dst, along, 0))
    yield from _shorter(copy, "dst", "C8")
    yield from _packed(copy)


def _shorter(copy: Copy, operand: str, rule: str) -> Iterator[Copy]:
    """Fewer values for each run-time term, as many as the rule lets through."""
    layout: Layout = getattr(copy, operand)
    rest = [e for e in layout.offset if not isinstance(e, Term)]
    for index, term in enumerate(layout.terms):

        def without(gone: int, index: int = index, term: Term = term) -> Copy:
            terms = [*layout.terms]
            terms[index] = Term(term.count - gone, term.multiplier)
            return replace(copy, **{operand: shape.remade(layout, offset=[*terms, *rest])})

        yield from _least_past(rule, without, 0, term.count - 1)


def _distinct(copy: Copy, _: Failure) -> Iterator[Copy]:  # C9
    yield from _packed(copy)
    dst, src = shape.dims(copy.dst), shape.dims(copy.src)
    groups = copy.groups
    # Every member of the group issues the same copy, which is no conflict.
    for axis in range(groups):
        one = [
            [*d[:axis], [(1, shape.scaled(d[-1][-1][1], 0))], *d[axis + 1 :]] for d in (dst, src)
        ]
        yield replace(copy, dst=shape.remade(copy.dst, one[0]), src=shape.remade(copy.src, one[1]))


def _packed(copy: Copy) -> Iterator[Copy]:
    """Repeats side by side in columns, then group members; ranks have memories of their own."""
    dimensions = shape.dims(copy.dst)
    step, first = _atom(copy).words, 1 if copy.scope == "cluster" else 0
    packed: list[shape.Modes] = []
    for dim in reversed(dimensions[first:-2]):
        length = shape.size(dim)
        packed.insert(0, [(length, step @ col)])
        step *= length
    yield from _with(
        copy, "dst", shape.remade(copy.dst, [*dimensions[:first], *packed, *dimensions[-2:]])
    )


def _walks(copy: Copy, _: Failure) -> Iterator[Copy]:  # C10
    for swizzle in SWIZZLES:
        yield from _with(copy, "src", shape.remade(copy.src, swizzle=swizzle))
        rows, words = shape.walk_modes(_atom(copy), swizzle)
        walked = shape.rows_and_words(shape.remade(copy.src, swizzle=swizzle), rows, words)
        yield from _with(copy, "src", walked)


def _strides(copy: Copy, failure: Failure) -> Iterator[Copy]:  # C11
    atom, layout = _atom(copy), copy.src

    def distance(row: int, word: int) -> int:
        zeros = [0] * (layout.rank - 2)
        there, here = layout.place([*zeros, row, word])[0], layout.place([*zeros, 0, 0])[0]
        return (there - here) * shape.WORD_BYTES

    def fixed(value: int) -> int | None:
        value = -(-value // shape.CHUNK_BYTES) * shape.CHUNK_BYTES
        return value if 0 <= value < _MAX_STORAGE else None

    sdo = fixed(distance(shape.BLOCK_ROWS, 0)) if atom.rows > shape.BLOCK_ROWS else None
    ldo = fixed(distance(0, shape.CHUNK_WORDS)) if atom.words > shape.CHUNK_WORDS else None
    for long, short in ((ldo, sdo), (None, None)):
        rows, words = shape.walk_modes(atom, layout.swizzle, long, short)
        yield from _with(copy, "src", shape.rows_and_words(layout, rows, words))


def _alignment(copy: Copy, failure: Failure) -> Iterator[Copy]:  # C13
    match = re.search(r"aligned to (\d+) bytes", failure.message)
    if match:
        yield replace(copy, align=int(match[1]))
    yield from _with(copy, "src", shape.remade(copy.src, swizzle=None))


def _storage(copy: Copy, failure: Failure) -> Iterator[Copy]:  # C14
    yield from _least_past("C14", lambda n: replace(copy, storage=n), 0, _MAX_STORAGE)
    if match := re.search(r"but got byte (-\d+)", failure.message):
        # By whole periods, so that the phase in the swizzle stays.
        words = copy.src.swizzle.period // shape.WORD_BYTES
        shift = -(int(match[1]) // shape.WORD_BYTES // words) * words
        origin = shape.constant(copy.src, None)
        yield from _with(copy, "src", shape.at(copy.src, None, origin + shift))
    yield from _shorter(copy, "src", "C14")


def _chips(copy: Copy, _: Failure) -> Iterator[Copy]:  # C15
    for chip in chips():
        yield replace(copy, chip=chip)


_MOVES: dict[str, Callable[[Copy, Failure], Iterator[Copy]]] = {
    "C1": _opcodes,
    "C2": _elements,
    "C3": _shapes,
    "C4": _extents,
    "C5": _replicas,
    "C6": _mapping,
    "C7": _columns,
    "C8": _bounds,
    "C9": _distinct,
    "C10": _walks,
    "C11": _strides,
    "C12": _origins,
    "C13": _alignment,
    "C14": _storage,
    "C15": _chips,
}
