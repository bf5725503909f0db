"""One copy as plain values: what `explain`, `plot` and the search for a legal neighbour speak of.

A `Copy` holds what a `tcgen05.cp` holds, operand types included, as layouts of the ground floor.
It may be illegal; `Copy.failure` says by which rule. MLIR is imported only to read copies out of
a module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from . import _sentence
from ._chips import check_chip
from .layout import CpOpcode, CpPlan, Layout, LayoutError, plan_cp

if TYPE_CHECKING:
    from mlir import ir

WORD_BITS = 32
GROUP_AXES = {
    "thread": (),
    "warp": ("lane",),
    "warpgroup": ("warp in group", "lane"),
    "cta": ("warp", "lane"),
    "cluster": ("rank", "warp", "lane"),
}
"""The group axes that lead both shapes, for each scope."""
AXIS_EXTENTS = {"lane": 32, "warp in group": 4}
"""How long the group axes are that are never longer, if they are not one long."""

_CHIP = re.compile(r'#nvvm\.target<[^>]*?chip = "([^"]*)"')


@dataclass(frozen=True)
class Failure:
    """Why a copy is illegal.

    Attributes:
        rule: C1 to C15; None where the copy breaks none but is malformed.
        message: the sentence of the verifier.
        notes: what would have worked, as the verifier has it.
    """

    rule: str | None
    message: str
    notes: tuple[str, ...] = ()

    @property
    def operand(self) -> str | None:
        """`dst` or `src`; None where the sentence is about neither or both."""
        return _sentence.operand(self.message)

    @property
    def expected(self) -> str | None:
        """What the sentence expects."""
        return _sentence.expected(self.message)

    @property
    def got(self) -> str | None:
        """What the sentence found instead."""
        return _sentence.got(self.message)


@dataclass(frozen=True)
class Copy:
    """A `tcgen05.cp` with the types of its operands.

    Attributes:
        opcode: the qualifiers as in PTX, without `tcgen05.cp.`; may be none that exists.
        dst: lanes and columns, of shape (group axes..., repeats..., rows, words).
        src: elements of shared memory, of the same shape.
        dst_element, src_element: element types, `i32` say.
        columns: columns that dst may use from its base.
        align: bytes that divide the base address of src.
        storage: bytes that belong to src; None for its image.
        scope: thread, warp, warpgroup, cta or cluster.
        chip: that of the `#nvvm.target` around the copy; None without one.
    """

    opcode: str
    dst: Layout
    src: Layout
    dst_element: str = "i32"
    src_element: str = "i32"
    columns: int = 512
    align: int = 16
    storage: int | None = None
    scope: str = "thread"
    chip: str | None = None

    def plan(self) -> CpPlan:
        """How the copy is issued.

        Raises:
            LayoutError: the first of the rules C1 to C14 that does not hold.
        """
        return plan_cp(
            self.opcode,
            self.dst,
            self.src,
            dst_bits=bits(self.dst_element),
            src_bits=bits(self.src_element),
            dst_element=self.dst_element,
            src_element=self.src_element,
            columns=self.columns,
            align=self.align,
            storage=self.storage,
            scope=self.scope,
        )

    @property
    def failure(self) -> Failure | None:
        """The first rule that does not hold; None for a legal copy."""
        try:
            self.plan()
            if self.chip is not None:
                check_chip(self.chip)
        except LayoutError as error:
            return Failure(error.rule, str(error), tuple(error.notes))
        return None

    @property
    def qualifiers(self) -> CpOpcode | None:
        """The opcode as a value; None if it does not exist."""
        try:
            return CpOpcode.parse(self.opcode)
        except LayoutError:
            return None

    @property
    def groups(self) -> int:
        """How many group axes lead the shapes."""
        return len(GROUP_AXES[self.scope])

    @property
    def dst_type(self) -> str:
        """The type of dst as MLIR text; what is as by default is left out."""
        more = f", columns {self.columns}" if self.columns != 512 else ""
        return f"!tcgen05.tmem<{_shaped(self.dst, self.dst_element)}{more}>"

    @property
    def src_type(self) -> str:
        """The type of src as MLIR text; what is as by default is left out."""
        more = f", align {self.align}" if self.align != 16 else ""
        more += f", storage {self.storage}" if self.storage is not None else ""
        return f"!tcgen05.smem<{_shaped(self.src, self.src_element)}{more}>"

    @property
    def text(self) -> str:
        """The operation as MLIR text, its operands named %dst and %src."""
        scope = f", scope({self.scope})" if self.scope != "thread" else ""
        return f'tcgen05.cp "{self.opcode}" %dst, %src{scope} : {self.dst_type}, {self.src_type}'


@dataclass(frozen=True)
class Found:
    """A copy of a module: its place, and `broken` if it cannot even be held as a `Copy`."""

    copy: Copy | None
    file: str | None
    line: int
    column: int
    broken: Failure | None = None

    def renamed(self, source: str) -> Found:
        """The same with `source` as the name of text that had none."""
        return replace(self, file=source) if self.file == "-" else self


def bits(element: str) -> int:
    """The width of an element type by its name: the digits that `i32`, `bf16`, `f8E4M3FN` hold."""
    digits = re.search(r"\d+", element)
    return int(digits[0]) if digits else WORD_BITS


def leaves_of(extent: Any, stride: Any) -> list[tuple[int, Any]]:
    """The modes of a dimension, nested or not, outermost first: extents and strides."""
    if isinstance(extent, int):
        return [(extent, stride)]
    return [leaf for e, s in zip(extent, stride, strict=True) for leaf in leaves_of(e, s)]


def copies(module: ir.Module | ir.Operation) -> Iterator[Found]:
    """The copies of a module, in the order of its text; the module need not be legal."""
    from mlir import ir

    operation = getattr(module, "operation", module)
    if not isinstance(operation, ir.Operation):
        raise TypeError(f"expected module to be an mlir.ir.Module, but got {type(module).__name__}")
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "tcgen05.cp":
            found.append(op)
        return ir.WalkResult.ADVANCE

    operation.walk(visit, ir.WalkOrder.POST_ORDER)
    yield from map(_read, found)


def _read(op: ir.Operation) -> Found:
    from mlir import ir

    from ._errors import place_of
    from .dialects._tcgen05_types import SmemType, TmemType

    place = place_of(op.location)
    try:
        attributes = op.attributes
        dst, src = TmemType(op.operands[0].type), SmemType(op.operands[1].type)
        parts = [f"cta_group::{ir.IntegerAttr(attributes['cta_group']).value}"]
        parts += [
            ir.StringAttr(attributes[name]).value
            for name in ("shape", "multicast", "decompress")
            if name == "shape" or name in attributes
        ]
        scope = ir.StringAttr(attributes["scope"]).value if "scope" in attributes else "thread"
        if scope not in GROUP_AXES:
            raise ValueError(scope)
    except (KeyError, ValueError, IndexError, AttributeError):
        return Found(None, *place, _verified(op))
    return Found(
        Copy(
            ".".join(parts),
            dst.layout,
            src.layout,
            str(dst.element_type),
            str(src.element_type),
            dst.columns,
            src.align,
            src.storage,
            scope,
            _chip(op),
        ),
        *place,
    )


def _verified(op: ir.Operation) -> Failure:
    """What the verifier says of an operation that has not all that a copy has."""
    from ._errors import CompileError
    from ._mlir import MLIRError

    try:
        op.verify()
    except MLIRError as error:
        first = CompileError.from_mlir(error).diagnostics[0]
        return Failure(
            None,
            first.message.removeprefix("'tcgen05.cp' op "),
            tuple(note.message for note in first.notes),
        )
    return Failure(None, "expected tcgen05.cp to have all of its attributes, but got fewer")


def _chip(op: ir.Operation) -> str | None:
    parent = op.parent
    while parent is not None and parent.operation.name != "gpu.module":
        parent = parent.operation.parent
    if parent is None or "targets" not in parent.operation.attributes:
        return None
    match = _CHIP.search(str(parent.operation.attributes["targets"]))
    return match[1] if match else None


def _shaped(layout: Layout, element: str) -> str:
    extents = "".join(f"{size}x" for size in map(_size, layout.shape))
    return f"{extents}{element}, #tcgen05.layout<{layout}>"


def _size(extent: Any) -> int:
    return extent if isinstance(extent, int) else prod(map(_size, extent))
