"""The machine that `trace` pretends to run on: special registers and the map of shared memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mlir import ir

if TYPE_CHECKING:
    from ._trace import Thread

SHARED_START = 0x400
_WARP = 32


class HostError(ValueError):
    """Something that has no meaning on a CPU, or is not there."""


def bits_of(type: str) -> int | None:  # noqa: A002
    """Bits of a type of the LLVM dialect in memory; None if that is not known here."""
    if m := re.fullmatch(r"(?:i|f|bf|tf)(\d+)", type):
        return int(m[1])
    if m := re.fullmatch(r"f\d+E\w+", type):
        return int(type[1])
    if type.startswith("!llvm.ptr"):
        return 64
    if m := re.fullmatch(r"(?:!llvm\.array|vector)<(\d+) ?x ?(.+)>", type):
        inner = m[2]
        if not type.startswith("vector") and re.match(r"(array|ptr|struct)", inner):
            inner = f"!llvm.{inner}"
        elif type.startswith("vector") and re.match(r"\d+x", inner):
            inner = f"vector<{inner}>"
        element = bits_of(inner)
        if element is None:
            return None
        # In an array every element begins at a byte.
        return int(m[1]) * (element if type.startswith("vector") else -(-element // 8) * 8)
    return None


def shared_addresses(block: ir.Block) -> dict[str, int]:
    """Where the variables in shared memory are taken to lie, for sizes that are known here."""
    variables: list[tuple[str, int, int]] = []
    for op in block:
        attributes = op.operation.attributes
        if op.operation.name != "llvm.mlir.global" or "addr_space" not in attributes:
            continue
        if ir.IntegerAttr(attributes["addr_space"]).value != 3:
            continue
        bits = bits_of(str(ir.TypeAttr(attributes["global_type"]).value))
        if bits is None:
            continue
        align = ir.IntegerAttr(attributes["alignment"]).value if "alignment" in attributes else 16
        variables.append((ir.StringAttr(attributes["sym_name"]).value, -(-bits // 8), align))
    addresses: dict[str, int] = {}
    at = SHARED_START
    for name, size, align in sorted(variables, key=lambda v: v[1] == 0):
        at = -(-at // align) * align
        addresses[name] = at
        at += size
    return addresses


def registers(thread: Thread, function: ir.Operation) -> dict[str, int]:
    """The special registers, as `nvvm.read.ptx.sreg.` names them.

    Raises:
        HostError: the thread is outside of its block, or the block outside of its grid.
    """
    known = thread.block_size or _declared_size(function)
    _check_inside("thread", thread.thread, "a block", known)
    grid = None if thread.grid_size == (1, 1, 1) else thread.grid_size
    _check_inside("block", thread.block, "a grid", grid)
    size = known or (1, 1, 1)
    x, y, z = thread.thread
    linear = x + size[0] * (y + size[1] * z)
    threads = size[0] * size[1] * size[2]
    values = {
        "laneid": linear % _WARP,
        "warpid": linear // _WARP,
        "nwarpid": -(-threads // _WARP),
        "warpsize": _WARP,
        "cluster.ctarank": thread.rank,
        "cluster.nctarank": thread.cluster_size,
    }
    clusters = -(-thread.grid_size[0] // thread.cluster_size)
    for name, triple in (
        ("tid", thread.thread),
        ("ntid", size),
        ("ctaid", thread.block),
        ("nctaid", thread.grid_size),
        ("cluster.ctaid", (thread.rank, 0, 0)),
        ("cluster.nctaid", (thread.cluster_size, 1, 1)),
        ("clusterid", (thread.block[0] // thread.cluster_size, *thread.block[1:])),
        ("nclusterid", (clusters, *thread.grid_size[1:])),
    ):
        values |= {f"{name}.{axis}": value for axis, value in zip("xyz", triple, strict=True)}
    return values


def _check_inside(
    what: str, index: tuple[int, int, int], where: str, size: tuple[int, int, int] | None
) -> None:
    if size is not None and any(i >= extent for i, extent in zip(index, size, strict=True)):
        raise HostError(f"expected {what} to be inside {where} of {size}, but got {index}")


def _declared_size(function: ir.Operation) -> tuple[int, int, int] | None:
    for name in ("nvvm.reqntid", "nvvm.maxntid"):
        if name in function.attributes:
            size = [*ir.DenseI32ArrayAttr(function.attributes[name]), 1, 1][:3]
            return size[0], size[1], size[2]
    return None
