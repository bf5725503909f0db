"""What one `tcgen05.cp` does, in NumPy: an executable reading of the specification.

    >>> import numpy as np
    >>> from mlir_tcgen05 import reference
    >>> shared = np.arange(4096, dtype=np.uint32).view(np.uint8)
    >>> tmem = reference.Tmem()
    >>> reference.copy("cta_group::1.128x128b", shared, 0x0000400800010040, 0, tmem)
    >>> tmem.read(lane=1, column=0, columns=4).tolist()
    [[260, 261, 262, 263]]

Byte `a` of `shared` is the byte at shared address `a`. An instruction reads `rows` x `words` words
of 32 bits in the order of its descriptor (the walk), expands them if the opcode says so, and writes
row `r` to every lane that the shape and its multicast name, from the column of the address on.

This file is written from the PTX ISA, not from the rest of the project, and imports none of it:
that the two agree is evidence. It needs NumPy (`pip install 'mlir-tcgen05[reference]'`).
With `cta_group::2` the instruction does the same in both CTAs of a pair, each with its own shared
memory and its own TMEM: call `copy` once for each.
"""

from __future__ import annotations

import operator
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint32]

LANES = 128
COLUMNS = 512
BLOCK_BYTES = 16
"""Source bytes of 16 packed values, and destination bytes of 16 expanded ones."""
FP4_SHIFT = 2
"""00xxxx00. PTX ISA, "Decompression": a four-bit value gains two zero bits on the right."""
FP6_SHIFT = 0
"""00xxxxxx. PTX ISA, "Decompression": a six-bit value has two zero bits on the left. A comment in
an example of CUTLASS says 0xxxxxx0, which would be 1; no readback from hardware has settled it."""


class InstructionError(ValueError):
    """An instruction that the hardware gives no meaning to.

    Attributes:
        field: the argument, or the field of the descriptor or of the address.
    """

    def __init__(self, field: str, requirement: str, got: object) -> None:
        super().__init__(f"expected {field} {requirement}, but got {got}")
        self.field = field


class OpcodeError(InstructionError):
    """An opcode that does not exist."""


class DescriptorError(InstructionError):
    """A shared-memory descriptor with a field that no copy may have."""


class SharedError(InstructionError):
    """A shared image of a wrong type, or a walk that leaves it."""


class TmemError(InstructionError):
    """A TMEM image of a wrong type, or cells that do not exist."""


class PoisonError(TmemError):
    """A read of a cell that nothing has written."""


class UnorderedError(TmemError):
    """Two copies to one cell with nothing between that orders them."""


class Atom(NamedTuple):
    """What one shape with its multicast moves."""

    rows: int
    words: int
    lanes: Words
    """rows x copies: the lanes of each row, relative to the lane of the address."""


def _atom(rows: int, words: int, lane: Words, copies: list[int]) -> Atom:
    return Atom(rows, words, (lane[:, None] + np.array(copies, np.uint32)).astype(np.uint32))


_R = np.arange(LANES, dtype=np.uint32)
ATOMS = {
    "128x256b": _atom(128, 8, _R, [0]),
    "128x128b": _atom(128, 4, _R, [0]),
    "4x256b": _atom(4, 8, 32 * _R[:4], [0]),
    # Warps 0 and 2 receive the first half of the rows or the same rows as 1 and 3.
    "64x128b.warpx2::02_13": _atom(64, 4, _R[:64], [0, 64]),
    "64x128b.warpx2::01_23": _atom(64, 4, 64 * (_R[:64] // 32) + _R[:64] % 32, [0, 32]),
    "32x128b.warpx4": _atom(32, 4, _R[:32], [0, 32, 64, 96]),
}
FORMATS = {"b8x16.b4x16_p64": 4, "b8x16.b6x16_p32": 6}
"""Decompressing formats, and the bits of a packed value."""


class Opcode(NamedTuple):
    """The parts of an opcode."""

    cta_group: int
    atom: Atom
    bits: int | None
    """Bits of a packed value; None: the words go through as they are."""


def parse_opcode(opcode: str) -> Opcode:
    """Reads `cta_group::1.128x128b`, with or without `tcgen05.cp.` before it.

    Raises:
        OpcodeError: there is no such instruction.
    """
    if not isinstance(opcode, str):
        raise OpcodeError("opcode", "to be a string", repr(opcode))
    text = opcode.removeprefix("tcgen05.cp.")
    for group in (1, 2):
        for shape, atom in ATOMS.items():
            plain = f"cta_group::{group}.{shape}"
            if text == plain:
                return Opcode(group, atom, None)
            for name, bits in FORMATS.items():
                if text == f"{plain}.{name}":
                    return Opcode(group, atom, bits)
    raise OpcodeError("opcode", "to be one of the 36 of tcgen05.cp", repr(opcode))


class Descriptor(NamedTuple):
    """The fields of a shared-memory descriptor: bytes, and a swizzle mode from 0 to 3."""

    start: int
    ldo: int
    sdo: int
    base_offset: int
    mode: int


_MODES = {0: 0, 6: 1, 4: 2, 2: 3}
"""Swizzle code in bits 61-63 to mode: none, 32B, 64B, 128B."""


def decode(descriptor: int) -> Descriptor:
    """Splits 64 bits into the fields that a copy has.

    Raises:
        DescriptorError: a field holds what no copy may hold, or the value has no 64 bits.
    """
    word = _integer(descriptor, "descriptor", 64, DescriptorError)

    def bits(low: int, high: int) -> int:
        return word >> low & (1 << (high - low + 1)) - 1

    for field, low, high in (("bits 14-15", 14, 15), ("bits 30-31", 30, 31)):
        if bits(low, high):
            raise DescriptorError(field, "of the descriptor to be 0", bits(low, high))
    if bits(46, 48) != 1:
        raise DescriptorError("constant (bits 46-48)", "to be 0b001", f"0b{bits(46, 48):03b}")
    if bits(52, 52):
        raise DescriptorError("leading-dimension mode (bit 52)", "to be 0 (relative)", 1)
    if bits(53, 60):
        raise DescriptorError("bits 53-60", "of the descriptor to be 0", bits(53, 60))
    code = bits(61, 63)
    if code not in _MODES:
        raise DescriptorError("swizzle (bits 61-63)", "to be 0, 6, 4 or 2", code)
    return Descriptor(
        bits(0, 13) << 4, bits(16, 29) << 4, bits(32, 45) << 4, bits(49, 51), _MODES[code]
    )


def walk(descriptor: int, rows: int, words: int) -> npt.NDArray[np.int64]:
    """The shared byte address of every word that a descriptor reads.

    The sum of start and strides comes first and does not wrap; then the absolute address is
    swizzled. The base offset says in which row of its pattern the pattern's first row lies, so
    that rows count from there; it is 0 where the pattern is aligned to its period.

    Returns:
        rows x words addresses, each a multiple of 4.

    Raises:
        DescriptorError: a field holds what no copy may hold.
        InstructionError: there is no row or no word.
    """
    for field, count in (("rows", rows), ("words", words)):
        if operator.index(count) < 1:
            raise InstructionError(field, "to be at least 1", count)
    d = decode(descriptor)
    row = np.arange(rows, dtype=np.int64)[:, None]
    word = np.arange(words, dtype=np.int64)[None, :]
    along = 4 * word if d.mode else word // 4 * d.ldo + word % 4 * 4
    address = d.start + row // 8 * d.sdo + row % 8 * (16 << d.mode) + along
    return swizzle(d.mode, address, d.base_offset)


def swizzle(
    mode: int, address: npt.NDArray[np.int64], base_offset: int = 0
) -> npt.NDArray[np.int64]:
    """XORs the 16-byte chunk of absolute byte addresses with the row of 128 bytes they lie in.

    Raises:
        InstructionError: the mode is none of 0 to 3, or the base offset has more than three bits.
    """
    if mode not in _MODES.values():
        raise InstructionError("mode", "to be 0 to 3", repr(mode))
    base_offset = _integer(base_offset, "base_offset", 3, InstructionError)
    phase = (address >> 7) - base_offset & (1 << mode) - 1
    return address ^ phase << 4


def decompress(blocks: Bytes, bits: int) -> Bytes:
    """Expands packed values to one byte each.

    Args:
        blocks: (..., 16 n) source bytes: in every 16, the packed values first (element i in bits
            i * bits and up, little endian), then padding that is not looked at.
        bits: 4 or 6.

    Returns:
        The same shape; byte i of every 16 holds element i.

    Raises:
        InstructionError: another number of bits, or bytes that are no whole blocks.
    """
    _check_bits(bits)
    data = _blocks(blocks)
    stream = np.unpackbits(data[..., : 2 * bits], axis=-1, bitorder="little")
    values = stream.reshape(*data.shape[:-1], 16, bits)
    weights = (1 << np.arange(bits)).astype(np.uint8)
    expanded = (values * weights).sum(axis=-1, dtype=np.uint8) << _shift(bits)
    return expanded.astype(np.uint8).reshape(np.shape(blocks))


def compress_fp4(values: Bytes, padding: int = 0) -> Bytes:
    """Packs values 0 - 15, 16 to a block: 8 bytes of values, 8 of `padding`. Shape kept."""
    return _compress(values, 4, padding)


def compress_fp6(values: Bytes, padding: int = 0) -> Bytes:
    """Packs values 0 - 63, 16 to a block: 12 bytes of values, 4 of `padding`. Shape kept."""
    return _compress(values, 6, padding)


def _compress(values: Bytes, bits: int, padding: int) -> Bytes:
    data = _blocks(values)
    if data.size and int(data.max()) >> bits:
        raise InstructionError("values", f"to have {bits} bits", int(data.max()))
    filler = _integer(padding, "padding", 8, InstructionError)
    stream = np.unpackbits(data[..., None], axis=-1, count=bits, bitorder="little")
    packed = np.packbits(stream.reshape(*data.shape[:-1], 16 * bits), axis=-1, bitorder="little")
    out = np.full_like(data, filler)
    out[..., : 2 * bits] = packed
    return out.reshape(np.shape(values))


def _blocks(data: Bytes) -> Bytes:
    array = np.asarray(data)
    if array.dtype != np.uint8:
        raise InstructionError("values", "to be an array of uint8", array.dtype)
    if array.ndim == 0 or array.shape[-1] % BLOCK_BYTES:
        raise InstructionError("values", "to be whole blocks of 16 bytes", f"shape {array.shape}")
    return array.reshape(*array.shape[:-1], array.shape[-1] // BLOCK_BYTES, BLOCK_BYTES)


def _check_bits(bits: int) -> None:
    if bits not in (4, 6):
        raise InstructionError("bits", "to be 4 or 6", bits)


def _shift(bits: int) -> int:
    return FP4_SHIFT if bits == 4 else FP6_SHIFT


class Tmem:
    """The tensor memory of one CTA: words, and what is known about them.

    Attributes:
        words: 128 x 512 uint32; what a cell that was never written holds means nothing.
        written: 128 x 512 bool; the other cells are poison.
        pending: 128 x 512 bool; written by a copy since the last `wait()`.
    """

    def __init__(self, words: Words | None = None) -> None:
        """All poison; or, from an image, all written.

        Raises:
            TmemError: the image is not uint32[128, 512].
        """
        if words is not None:
            _check_tmem(words)
        shape = LANES, COLUMNS
        self.words: Words = np.zeros(shape, np.uint32) if words is None else words.copy()
        self.written: npt.NDArray[np.bool_] = np.full(shape, words is not None)
        self.pending: npt.NDArray[np.bool_] = np.zeros(shape, bool)

    def wait(self) -> None:
        """Orders all copies so far before what follows: a commit whose barrier was waited for."""
        self.pending[:] = False

    def read(self, lane: int = 0, column: int = 0, lanes: int = 1, columns: int = 1) -> Words:
        """Returns lanes x columns words.

        Raises:
            PoisonError: one of them was never written.
            TmemError: one of them does not exist.
        """
        for name, at, size, limit in (
            ("lane", lane, lanes, LANES),
            ("column", column, columns, COLUMNS),
        ):
            if at < 0 or size < 0 or at + size > limit:
                raise TmemError(name, f"to be inside {limit}", f"{at} to {at + size - 1}")
        part = np.s_[lane : lane + lanes, column : column + columns]
        if not self.written[part].all():
            r, c = np.argwhere(~self.written[part])[0]
            raise PoisonError(
                "cell", "to be written before it is read", f"lane {lane + r}, column {column + c}"
            )
        return self.words[part].copy()

    def __eq__(self, other: object) -> bool:
        """Same cells written, with the same words."""
        if not isinstance(other, Tmem):
            return NotImplemented
        return bool(
            np.array_equal(self.written, other.written)
            and np.array_equal(self.words[self.written], other.words[other.written])
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]


def copy(opcode: str, shared: Bytes, descriptor: int, taddr: int, tmem: Words | Tmem) -> None:
    """Performs one instruction, in one CTA.

    Args:
        opcode: `cta_group::1.64x128b.warpx2::01_23`, say.
        shared: uint8[...]: byte a is the byte at shared address a.
        descriptor: 64 bits, as `decode` reads them.
        taddr: 32 bits: lane in bits 31-16, column in bits 15-0.
        tmem: written in place. A plain uint32[128, 512] is written without questions; a `Tmem`
            remembers which cells are written and refuses unordered copies to one cell.

    Raises:
        OpcodeError, DescriptorError, SharedError, TmemError: see these. Nothing is written then.
    """
    what = parse_opcode(opcode)
    atom = what.atom
    memory = _check_shared(shared)
    addresses = walk(descriptor, atom.rows, atom.words)
    if int(addresses.max()) + 4 > memory.size:
        r, w = np.argwhere(addresses + 4 > memory.size)[0]
        raise SharedError(
            "walk",
            f"to stay within the shared image of {memory.size} bytes",
            f"row {r}, word {w} at byte {addresses[r, w]}",
        )
    lanes, columns = _cells(atom, taddr)
    data = memory[addresses[..., None] + np.arange(4)].reshape(atom.rows, 4 * atom.words)
    if what.bits is not None:
        data = decompress(data, what.bits)
    words = np.ascontiguousarray(data).view("<u4").astype(np.uint32)
    # rows x copies x words
    cells = lanes[:, :, None], columns[None, None, :]
    if isinstance(tmem, Tmem):
        if tmem.pending[cells].any():
            r, c, w = np.argwhere(tmem.pending[cells])[0]
            raise UnorderedError(
                "copies",
                "to write distinct cells between two waits",
                f"lane {lanes[r, c]}, column {columns[w]} twice",
            )
        tmem.pending[cells] = tmem.written[cells] = True
        tmem.words[cells] = words[:, None, :]
    else:
        _check_tmem(tmem)
        tmem[cells] = words[:, None, :]


def _cells(atom: Atom, taddr: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Lanes (rows x copies) and columns (words) that an address leads to."""
    address = _integer(taddr, "taddr", 32, TmemError)
    lane, column = address >> 16, address & 0xFFFF
    if column % 4:
        raise TmemError("column (bits 0-15 of taddr)", "to be a multiple of 4", column)
    if column + atom.words > COLUMNS:
        raise TmemError(
            "column (bits 0-15 of taddr)",
            f"to be at most {COLUMNS - atom.words} for {atom.words} words",
            column,
        )
    lanes = atom.lanes.astype(np.int64) + lane
    if int(lanes.max()) >= LANES:
        raise TmemError(
            "lane (bits 16-31 of taddr)",
            f"to be at most {LANES - 1 - int(atom.lanes.max())} for this shape",
            lane,
        )
    return lanes, column + np.arange(atom.words, dtype=np.int64)


def _integer(value: int, field: str, bits: int, kind: type[InstructionError]) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise kind(field, "to be an integer", repr(value)) from None
    if not 0 <= number < 1 << bits:
        raise kind(field, f"to have {bits} bits", hex(number))
    return number


def _check_shared(shared: Bytes) -> Bytes:
    array = np.asarray(shared)
    if array.dtype != np.uint8 or array.ndim != 1:
        raise SharedError("shared", "to be uint8[bytes]", f"{array.dtype}{list(array.shape)}")
    return array


def _check_tmem(tmem: Words) -> None:
    if not isinstance(tmem, np.ndarray):
        raise TmemError("tmem", "to be uint32[128, 512] or a Tmem", type(tmem).__name__)
    if tmem.dtype != np.uint32 or tmem.shape != (LANES, COLUMNS):
        raise TmemError("tmem", "to be uint32[128, 512]", f"{tmem.dtype}{list(tmem.shape)}")
