"""What each example of the gallery does, in NumPy: written from its header, not from its layouts.

A case makes random data and says three things about it: the bytes in global memory, the shared
memory that the copies find, and what they leave in tensor memory. The output of all kernels is
what a thread reads of its lane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.uint8] | npt.NDArray[np.uint32]
DATA = 0x400
"""Where `trace` puts the first variable in shared memory."""
NOBODY = 0xEE
"""Bytes that no kernel writes and no copy may show."""


@dataclass(frozen=True)
class Case:
    """One launch.

    Attributes:
        opcode: of every copy.
        copies: how many are issued.
        input: what the first argument points to.
        shared: for each CTA of the cluster, shared memory at the copies.
        tmem: for each CTA, lanes x columns words.
        arguments: those behind input and output.
        output: what the second argument points to, afterwards.
    """

    opcode: str
    copies: int
    input: Array
    shared: list[npt.NDArray[np.uint8]]
    tmem: list[npt.NDArray[np.uint32]]
    arguments: tuple[int, ...] = ()
    output: Array = field(default_factory=lambda: np.zeros(0, np.uint32))


def words(*shape: int) -> npt.NDArray[np.uint32]:
    return np.random.default_rng(sum(shape)).integers(0, 1 << 32, shape, np.uint32)


def octets(*shape: int, bits: int = 8) -> npt.NDArray[np.uint8]:
    return np.random.default_rng(sum(shape)).integers(0, 1 << bits, shape, np.uint8)


def memory() -> npt.NDArray[np.uint8]:
    return np.full(1 << 16, NOBODY, np.uint8)


def as_words(data: Array) -> npt.NDArray[np.uint32]:
    return np.ascontiguousarray(data).view("<u4").astype(np.uint32)


def chunks(matrix: Array) -> npt.NDArray[np.uint8]:
    """Shared memory with a matrix in tiles of 16 bytes width: all rows of one, then of the next."""
    data = np.ascontiguousarray(matrix).view(np.uint8)
    shared = memory()
    for row in range(data.shape[0]):
        for piece in range(data.shape[1] // 16):
            at = DATA + (piece * data.shape[0] + row) * 16
            shared[at : at + 16] = data[row, 16 * piece :][:16]
    return shared


def first_copy() -> Case:
    data = words(128, 4)
    return Case("cta_group::1.128x128b", 1, data, [chunks(data)], [data], output=data)


def decompressed(bits: int) -> Case:
    """128 rows of 64 values; 16 of them to a block, expanded to bytes."""
    opcode, copies, shift = {
        4: ("cta_group::1.128x256b.b8x16.b4x16_p64", 2, 2),
        6: ("cta_group::1.128x128b.b8x16.b6x16_p32", 4, 0),
    }[bits]
    values = octets(128, 64, bits=bits)
    packed = np.zeros((128, 4 * 2 * bits), np.uint8)
    shared = memory()
    for row in range(128):
        for block in range(4):
            stream = sum(int(v) << bits * i for i, v in enumerate(values[row, 16 * block :][:16]))
            data = np.frombuffer(stream.to_bytes(2 * bits, "little"), np.uint8)
            packed[row, 2 * bits * block :][: 2 * bits] = data
            shared[DATA + block * 2048 + row * 16 :][: 2 * bits] = data
    tmem = as_words(values << shift)
    return Case(opcode, copies, packed, [shared], [tmem], output=tmem)


def scaled(block: int, rows: int, k: int) -> Case:
    """One scale to each block of K; row m is row m % 32 of its tile, in the four bytes m / 32."""
    scales = octets(rows, k // block)
    tiles = k // block // 4
    image = np.zeros(scales.size, np.uint8)
    tmem = np.zeros((128, rows // 32 * tiles), np.uint32)
    by_four = as_words(scales)
    for m in range(rows):
        for j in range(tiles):
            at = 512 * (m // 128 * tiles + j) + 16 * (m % 32) + 4 * (m % 128 // 32)
            image[at : at + 4] = scales[m, 4 * j :][:4]
            column = 4 * (m // 128 * tiles + j) + m % 128 // 32
            tmem[m % 32 :: 32, column] = by_four[m, j]
    shared = memory()
    shared[DATA : DATA + image.size] = image
    copies = rows // 128 * tiles
    opcode = "cta_group::1.32x128b.warpx4"
    return Case(opcode, copies, image, [shared], [tmem], output=tmem)


def scaled_64() -> Case:
    """64 rows by 32 blocks of 16; rows 0 - 31 for warps 0 and 1, the others for warps 2 and 3."""
    scales = octets(64, 32)
    image = np.concatenate([scales[:, 16 * j :][:, :16].ravel() for j in range(2)])
    shared = memory()
    shared[DATA : DATA + image.size] = image
    by_four = as_words(scales)
    tmem = np.concatenate([by_four[:32], by_four[:32], by_four[32:], by_four[32:]])
    opcode = "cta_group::1.64x128b.warpx2::01_23"
    return Case(opcode, 2, image, [shared], [tmem], output=tmem)


def halves() -> Case:
    data = words(64, 8)
    tmem = np.concatenate([data, data])
    opcode = "cta_group::1.64x128b.warpx2::02_13"
    return Case(opcode, 2, data, [chunks(data)], [tmem], output=tmem)


def tile() -> Case:
    """Rows of 128 bytes; TMA permutes the eight pieces of each row by the row's number."""
    data = words(128, 32)
    shared = memory()
    for row, piece in np.ndindex(128, 8):
        at = DATA + 128 * row + 16 * (piece ^ row % 8)
        shared[at : at + 16] = data[row, 4 * piece :][:4].view(np.uint8)
    return Case("cta_group::1.128x256b", 4, data, [shared], [data], output=data)


def ring() -> Case:
    """For `simulate`, whose shared memory stands still: tile i shows what stage i % 4 holds."""
    four = scaled(32, 128, 512)
    tmem = np.tile(four.tmem[0], (1, 8))
    return Case(four.opcode, 32, four.input, four.shared, [tmem], output=tmem)


def ring_loaded() -> Case:
    """The same with all 32 tiles, as the loads bring them in."""
    return scaled(32, 128, 4096)


def scattered() -> Case:
    data = words(128, 8)
    tmem = np.zeros_like(data)
    for row in range(128):
        tmem[32 * (row % 4) + row // 4] = data[row]
    return Case("cta_group::1.4x256b", 32, data, [chunks(data)], [tmem], output=tmem)


def pair() -> Case:
    data = words(256, 16)
    parts = [data[:128], data[128:]]
    shared = [chunks(part) for part in parts]
    return Case("cta_group::2.128x256b", 2, data, shared, parts, output=data)


def predicated(count: int) -> Case:
    data = words(128, 16)
    there = data[:, : 4 * count]
    output = np.zeros_like(data)
    output[:, : 4 * count] = there
    opcode = "cta_group::1.128x128b"
    return Case(opcode, count, data, [chunks(data)], [there], (count,), output)


CASES: dict[str, dict[str, Callable[[], Case]]] = {
    "copy_128x128b": {"": first_copy},
    "decompress_fp4": {"": lambda: decompressed(4)},
    "decompress_fp6": {"": lambda: decompressed(6)},
    "halves_02_13": {"": halves},
    "pair_cta_group_2": {"": pair},
    "predicated": {str(n): lambda n=n: predicated(n) for n in range(5)},
    "ring_stages": {"": ring},
    "scales_64_rows": {"": scaled_64},
    "scales_mxfp8": {"": lambda: scaled(32, 128, 512)},
    "scales_nvfp4": {"": lambda: scaled(16, 256, 256)},
    "scatter_4x256b": {"": scattered},
    "tile_bf16": {"": tile},
}
"""For each example the launches that are tried, by what tells them apart."""
