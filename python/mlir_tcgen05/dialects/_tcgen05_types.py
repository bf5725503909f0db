"""The dialect's types and attribute as Python classes.

They are made from and read back through their text, which has one parser and one verifier, those
of the dialect.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any, TypeVar

from mlir import ir

from .. import _mlir as stock
from .._mlir import MLIRError
from ..layout import Layout, LayoutError

LayoutLike = Layout | str | ir.Attribute
"""A `Layout`, its text, or the attribute `#tcgen05.layout`."""

_LAYOUT = re.compile(r"#tcgen05\.layout<([^<>]*)>", re.DOTALL)
_REGION = r"!tcgen05\.{kind}<((?:\d+x)*)(.+), #tcgen05\.layout<([^<>]*)>{rest}>"
_TMEM = re.compile(_REGION.format(kind="tmem", rest=r"(?:, columns (\d+))?"))
_SMEM = re.compile(_REGION.format(kind="smem", rest=r"(?:, align (\d+))?(?:, storage (\d+))?"))


class LayoutAttr(stock.Attribute):
    """`#tcgen05.layout`. `LayoutAttr(attribute)` casts."""

    def __init__(self, attribute: ir.Attribute) -> None:
        """Casts an attribute.

        Raises:
            ValueError: it is not a layout.
        """
        self._text = _match(_LAYOUT, attribute, "attribute to be a #tcgen05.layout")[1]
        super().__init__(attribute)

    @staticmethod
    def isinstance(attribute: ir.Attribute) -> bool:
        """True if the attribute is a layout."""
        return _LAYOUT.fullmatch(str(attribute)) is not None

    @classmethod
    def get(cls, layout: LayoutLike, *, context: ir.Context | None = None) -> LayoutAttr:
        """Returns the attribute of a `Layout`, or of its text.

        Raises:
            LayoutError: the text is not that of a layout.
        """
        if isinstance(layout, ir.Attribute):
            return cls(layout)
        text = str(_layout(layout))
        return cls(_parse(ir.Attribute, f"#tcgen05.layout<{text}>", context))

    @property
    def layout(self) -> Layout:
        """The layout as a value of the ground floor."""
        return Layout.parse(self._text)


class _Region(stock.Type):
    """What both region types have in common."""

    _pattern: re.Pattern[str]
    _kind: str

    def __init__(self, type: ir.Type) -> None:  # noqa: A002
        """Casts a type.

        Raises:
            ValueError: it is another type.
        """
        match = _match(self._pattern, type, f"type to be a !tcgen05.{self._kind}")
        self._shape, self._element, self._layout, *self._rest = match.groups()
        super().__init__(type)

    @classmethod
    def isinstance(cls, type: ir.Type) -> bool:  # noqa: A002
        """True if the type is one of this class."""
        return cls._pattern.fullmatch(str(type)) is not None

    @classmethod
    def _spell(
        cls,
        shape: Sequence[int] | None,
        element: ir.Type | str,
        layout: LayoutLike,
        parameters: str,
    ) -> str:
        value = _layout(layout)
        sizes = [_product(dim) for dim in value.shape] if shape is None else shape
        extents = "".join(f"{_integer(size, 'shape')}x" for size in sizes)
        return f"!tcgen05.{cls._kind}<{extents}{element}, #tcgen05.layout<{value}>{parameters}>"

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of all dimensions, nested ones multiplied out."""
        return tuple(int(extent) for extent in self._shape.split("x")[:-1])

    @property
    def element_type(self) -> ir.Type:
        """Type of an element."""
        return ir.Type.parse(self._element, self.context)

    @property
    def layout(self) -> Layout:
        """The layout as a value of the ground floor."""
        return Layout.parse(self._layout)


class TmemType(_Region):
    """`!tcgen05.tmem`, a region of tensor memory. `TmemType(type)` casts."""

    _pattern = _TMEM
    _kind = "tmem"

    @classmethod
    def get(
        cls,
        shape: Sequence[int] | None,
        element: ir.Type | str,
        layout: LayoutLike,
        columns: int = 512,
        *,
        context: ir.Context | None = None,
    ) -> TmemType:
        """Returns the type of a region of tensor memory.

        Args:
            shape: extents, nested ones multiplied out; None for the layout's own.
            element: element type or its text, `i32` say.
            layout: a `Layout` over lanes and columns, its text or its attribute.
            columns: how many columns it may use from its base; a multiple of 4 up to 512.
            context: by default the one that is entered.

        Raises:
            LayoutError: the layout or another parameter is not legal.
        """
        parameters = f", columns {_integer(columns, 'columns')}"
        return cls(_parse(ir.Type, cls._spell(shape, element, layout, parameters), context))

    @property
    def columns(self) -> int:
        """How many columns the region may use from its base."""
        return int(self._rest[0] or 512)


class SmemType(_Region):
    """`!tcgen05.smem`, a region of shared memory. `SmemType(type)` casts."""

    _pattern = _SMEM
    _kind = "smem"

    @classmethod
    def get(
        cls,
        shape: Sequence[int] | None,
        element: ir.Type | str,
        layout: LayoutLike,
        align: int = 16,
        storage: int | None = None,
        *,
        context: ir.Context | None = None,
    ) -> SmemType:
        """Returns the type of a region of shared memory.

        Args:
            shape: extents, nested ones multiplied out; None for the layout's own.
            element: element type or its text, `i32` say.
            layout: a `Layout` over elements of memory, its text or its attribute.
            align: bytes; a power of two, at least 16, that divides the view's address.
            storage: bytes that belong to the region; None for its swizzled image.
            context: by default the one that is entered.

        Raises:
            LayoutError: the layout or another parameter is not legal.
        """
        parameters = f", align {_integer(align, 'align')}"
        if storage is not None:
            parameters += f", storage {_integer(storage, 'storage')}"
        return cls(_parse(ir.Type, cls._spell(shape, element, layout, parameters), context))

    @property
    def align(self) -> int:
        """Bytes that divide the address of the view."""
        return int(self._rest[0] or 16)

    @property
    def storage(self) -> int | None:
        """Bytes that belong to the region; None for its swizzled image."""
        return None if self._rest[1] is None else int(self._rest[1])


def _product(extent: Any) -> int:
    """The number of coordinates of a dimension, nested or not."""
    return extent if isinstance(extent, int) else prod(map(_product, extent))


def _layout(layout: LayoutLike) -> Layout:
    if isinstance(layout, Layout):
        return layout
    if isinstance(layout, ir.Attribute):
        return LayoutAttr(layout).layout
    if not isinstance(layout, str):
        raise TypeError(
            f"expected layout to be a Layout, its text or attribute, but got {layout!r}"
        )
    match = _LAYOUT.fullmatch(layout)
    return Layout.parse(match[1] if match else layout)


def _integer(value: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"expected {what} to be an integer, but got {value!r}")
    return value


def _match(pattern: re.Pattern[str], value: ir.Type | ir.Attribute, what: str) -> re.Match[str]:
    match = pattern.fullmatch(str(value))
    if match is None:
        raise ValueError(f"expected {what}, but got {value}")
    return match


_Parsed = TypeVar("_Parsed", ir.Type, ir.Attribute)


def _parse(kind: type[_Parsed], text: str, context: ir.Context | None) -> _Parsed:
    try:
        return kind.parse(text, context)
    except MLIRError as error:
        messages = [diagnostic.message for diagnostic in error.error_diagnostics]
        raise LayoutError("; ".join(messages) or error.message) from None
