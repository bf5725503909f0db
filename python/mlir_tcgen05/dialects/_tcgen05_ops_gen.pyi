"""Types of the op classes that are generated from ODS; their documentation is there."""

from collections.abc import Sequence

import mlir._mlir_libs._mlir.ir as ir

class AddressOp(ir.OpView):
    def __init__(
        self,
        view: ir.Value | ir.Operation | ir.OpView,
        *,
        results: Sequence[ir.Type] | None = None,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def view(self) -> ir.Value: ...
    @property
    def result(self) -> ir.OpResult: ...

class CastOp(ir.OpView):
    def __init__(
        self,
        result: ir.Type,
        view: ir.Value | ir.Operation | ir.OpView,
        *,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def view(self) -> ir.Value: ...
    @property
    def result(self) -> ir.OpResult: ...

class CpOp(ir.OpView):
    def __init__(
        self,
        dst: ir.Value | ir.Operation | ir.OpView,
        src: ir.Value | ir.Operation | ir.OpView,
        cta_group: int | ir.IntegerAttr,
        shape: str | ir.StringAttr,
        *,
        pred: ir.Value | ir.Operation | ir.OpView | None = None,
        multicast: str | ir.StringAttr | None = None,
        decompress: str | ir.StringAttr | None = None,
        scope: str | ir.StringAttr | None = None,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def dst(self) -> ir.Value: ...
    @property
    def src(self) -> ir.Value: ...
    @property
    def pred(self) -> ir.Value | None: ...
    @property
    def cta_group(self) -> ir.IntegerAttr: ...
    @cta_group.setter
    def cta_group(self, value: ir.IntegerAttr) -> None: ...
    @property
    def shape(self) -> ir.StringAttr: ...
    @shape.setter
    def shape(self, value: ir.StringAttr) -> None: ...
    @property
    def multicast(self) -> ir.StringAttr | None: ...
    @multicast.setter
    def multicast(self, value: ir.StringAttr | None) -> None: ...
    @multicast.deleter
    def multicast(self) -> None: ...
    @property
    def decompress(self) -> ir.StringAttr | None: ...
    @decompress.setter
    def decompress(self, value: ir.StringAttr | None) -> None: ...
    @decompress.deleter
    def decompress(self) -> None: ...
    @property
    def scope(self) -> ir.StringAttr: ...
    @scope.setter
    def scope(self, value: ir.StringAttr) -> None: ...

class SliceOp(ir.OpView):
    def __init__(
        self,
        view: ir.Value | ir.Operation | ir.OpView,
        indices: Sequence[ir.Value | ir.Operation | ir.OpView],
        constants: Sequence[int] | ir.DenseI64ArrayAttr,
        multipliers: Sequence[int] | ir.DenseI64ArrayAttr,
        sizes: Sequence[int] | ir.DenseI64ArrayAttr,
        *,
        results: Sequence[ir.Type] | None = None,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def view(self) -> ir.Value: ...
    @property
    def indices(self) -> ir.OpOperandList: ...
    @property
    def constants(self) -> ir.DenseI64ArrayAttr: ...
    @constants.setter
    def constants(self, value: ir.DenseI64ArrayAttr) -> None: ...
    @property
    def multipliers(self) -> ir.DenseI64ArrayAttr: ...
    @multipliers.setter
    def multipliers(self, value: ir.DenseI64ArrayAttr) -> None: ...
    @property
    def sizes(self) -> ir.DenseI64ArrayAttr: ...
    @sizes.setter
    def sizes(self, value: ir.DenseI64ArrayAttr) -> None: ...
    @property
    def result(self) -> ir.OpResult: ...

class SmemViewOp(ir.OpView):
    def __init__(
        self,
        result: ir.Type,
        src: ir.Value | ir.Operation | ir.OpView,
        *,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def src(self) -> ir.Value: ...
    @property
    def result(self) -> ir.OpResult: ...

class TmemViewOp(ir.OpView):
    def __init__(
        self,
        result: ir.Type,
        address: ir.Value | ir.Operation | ir.OpView,
        *,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def address(self) -> ir.Value: ...
    @property
    def result(self) -> ir.OpResult: ...
