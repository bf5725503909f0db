# The stubs of Operation.create and Block.create_after lack types.
# pyright: reportUnknownMemberType=false
"""Functions in the LLVM dialect, rewritten so that a CPU runs them and reports what they issue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from mlir import ir
from mlir.dialects import llvm as _untyped

from ._machine import HostError
from ._template import TemplateError, parse_template

llvm: Any = _untyped
CALLBACK = "__tcgen05_issue"
"""(number of the opcode: i32, TMEM address: i32, descriptor: i64)"""
STEP = "__tcgen05_step"
"""() -> i1: called each time that a loop begins a turn; false ends the function."""
SKIPPED = (1 << 32) - 1
"""The number of an instruction whose predicate is false."""
WAITED = SKIPPED - 1
"""The number of a wait on an mbarrier."""
FAULTS = {
    WAITED - 1: "divide by zero",
    WAITED - 2: "reach llvm.unreachable, as a failed assertion does",
}
"""Numbers of what would end this process on a CPU."""
_BY_ZERO, _UNREACHABLE = FAULTS
# Attributes of functions that are for a GPU, or that its compiler has derived.
_FOR_A_GPU = ("nvvm", "gpu", "arg_attrs", "res_attrs", "target_cpu")
_TRUE = ("nvvm.elect.sync",)
# With and without `.parity`; some of them return whether it is over.
_WAITS = ("nvvm.mbarrier.try_wait", "nvvm.mbarrier.test.wait", "nvvm.mbarrier.test_wait")
# Control flow, and calls whose bodies are here. Other ops that return nothing are left out.
_KEPT = ("llvm.br", "llvm.cond_br", "llvm.switch", "llvm.return", "llvm.unreachable", "llvm.call")
# They return something that a CPU cannot know.
_REFUSED = ("load", "atomicrmw", "cmpxchg", "inline_asm", "call_intrinsic", "invoke", "va_arg")


def walk(root: ir.Operation) -> Iterator[ir.Operation]:
    """All ops inside of an op, as a list that survives changes."""
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                yield op.operation
                yield from walk(op.operation)


def named(attribute: Any) -> str:
    """The name of an attribute of those of an operation, which the bindings list in two ways."""
    return attribute if isinstance(attribute, str) else attribute.name


def symbol_of(op: ir.Operation | ir.OpView) -> str:
    return ir.StringAttr(op.operation.attributes["sym_name"]).value


class Rewriter:
    """Rewrites functions for one thread."""

    def __init__(
        self, registers: dict[str, int], shared: dict[str, int], functions: set[str]
    ) -> None:
        self.opcodes: list[str] = []
        self._registers = registers
        self._shared = shared
        self._functions = functions

    def rewrite(self, function: ir.Operation) -> None:
        """Makes one function fit for the CPU.

        Raises:
            HostError: it holds something that is not.
        """
        for name in list(map(named, cast("Any", function.attributes))):
            if name == "llvm.emit_c_interface" or name.partition(".")[0] in _FOR_A_GPU:
                del function.attributes[name]
        operations = list(walk(function))
        allocs = [op for op in operations if op.name == "nvvm.tcgen05.alloc"]
        slots = {_root(op.operands[0]) for op in allocs}
        loads = [op for op in operations if op.name == "llvm.load" and _loads_from(op, slots)]
        operations = [op for op in operations if op not in loads]
        for op in loads:
            _become(op, lambda t: _constant(t, 0))
        for op in operations:
            self._replace(op)
        self._erase_unused(function)
        for op in walk(function):
            self._check(op)
        for block in _loop_headers(function):
            _guard(function, block)

    def _replace(self, op: ir.Operation) -> None:
        name = op.name
        register = name.removeprefix("nvvm.read.ptx.sreg.")
        if name == "nvvm.inline_ptx" and "tcgen05.cp" in _text(op, "ptxCode"):
            self._issue_template(op)
        elif name == "nvvm.tcgen05.cp":
            self._issue_op(op)
        elif register != name and register in self._registers:
            _become(op, lambda t: _constant(t, self._registers[register]))
        elif name.startswith(_WAITS):
            self._wait(op)
        elif name in _TRUE:
            _become(op, lambda t: _constant(t, 1))
        elif name == "llvm.mlir.addressof":
            self._address(op)
        elif name in ("llvm.udiv", "llvm.sdiv", "llvm.urem", "llvm.srem"):
            self._divide(op)
        elif name == "llvm.unreachable":
            self._end(op)
        elif len(op.results) == 0 and name not in _KEPT:
            op.erase()

    def _address(self, op: ir.Operation) -> None:
        name = ir.FlatSymbolRefAttr(op.attributes["global_name"]).value
        if name in self._shared:
            address = self._shared[name]
            i64 = ir.IntegerType.get_signless(64)
            _become(op, lambda t: llvm.inttoptr(t, _constant(i64, address)))

    def _issue_template(self, op: ir.Operation) -> None:
        try:
            template = parse_template(_text(op, "ptxCode"))
        except TemplateError as error:
            raise HostError(str(error)) from None
        with ir.InsertionPoint(op):
            taddr, descriptor = (
                _add(op.operands[part.operand], part.plus)
                for part in (template.taddr, template.descriptor)
            )
            if template.predicate is None:
                self._call(template.opcode, taddr, descriptor)
            else:
                self._call_if(op, template.opcode, taddr, descriptor, template.predicate)
        op.erase()

    def _call_if(
        self, op: ir.Operation, opcode: str, taddr: ir.Value, descriptor: ir.Value, index: int
    ) -> None:
        # A number for those that are skipped saves a branch.
        flag = op.operands[index]
        test = llvm.icmp(1, flag, _constant(flag.type, 0))  # ne
        number = llvm.select(test, self._number(opcode), _constant(taddr.type, SKIPPED))
        _call(number, taddr, descriptor)

    def _wait(self, op: ir.Operation) -> None:
        with ir.InsertionPoint(op):
            _report(_constant(ir.IntegerType.get_signless(32), WAITED))
        if len(op.results):
            _become(op, lambda t: _constant(t, 1))
        else:
            op.erase()

    def _divide(self, op: ir.Operation) -> None:
        """Reports a divisor of zero and divides by one instead."""
        divisor = op.operands[1]
        if not isinstance(divisor.type, ir.IntegerType):
            return
        with ir.InsertionPoint(op):
            i32 = ir.IntegerType.get_signless(32)
            zero = llvm.icmp(0, divisor, _constant(divisor.type, 0))  # eq
            number = llvm.select(zero, _constant(i32, _BY_ZERO), _constant(i32, SKIPPED))
            _report(number)
            op.operands[1] = llvm.select(zero, _constant(divisor.type, 1), divisor)

    def _end(self, op: ir.Operation) -> None:
        """Reports that this point is reached, and returns."""
        with ir.InsertionPoint(op):
            _report(_constant(ir.IntegerType.get_signless(32), _UNREACHABLE))
            assert op.parent is not None, "expected an operation of a function"
            _return_poison(op.parent.operation)
        op.erase()

    def _number(self, opcode: str) -> ir.Value:
        if opcode not in self.opcodes:
            self.opcodes.append(opcode)
        return _constant(ir.IntegerType.get_signless(32), self.opcodes.index(opcode))

    def _call(self, opcode: str, taddr: ir.Value, descriptor: ir.Value) -> None:
        _call(self._number(opcode), taddr, descriptor)

    def _issue_op(self, op: ir.Operation) -> None:
        """`nvvm.tcgen05.cp`, what the lowering makes with emit=nvvm-op."""
        parts = [
            "cta_group::" + _word(op, "group", r"cta_(\d)", "1"),
            _word(op, "shape", r"shape_(\w+)", ""),
        ]
        multicast = _word(op, "multicast", r"<(\w+)>", "none")
        if multicast != "none":
            parts.append(multicast.replace("_", "::", 1))
        if "srcFormat" in op.attributes:
            parts.append("b8x16." + _word(op, "srcFormat", r"<(\w+)>", ""))
        with ir.InsertionPoint(op):
            taddr = llvm.ptrtoint(ir.IntegerType.get_signless(32), op.operands[0])
            self._call(".".join(parts), taddr, op.operands[1])
        op.erase()

    def _erase_unused(self, function: ir.Operation) -> None:
        """Erases what nothing needs; calls stay where they may issue."""
        changed = True
        while changed:
            changed = False
            for op in reversed(list(walk(function))):
                unused = all(next(iter(result.uses), None) is None for result in op.results)
                if not unused or (len(op.results) == 0 and op.name != "llvm.call"):
                    continue
                if op.name != "llvm.call" or _callee(op) not in {CALLBACK, None, *self._functions}:
                    op.erase()
                    changed = True

    def _check(self, op: ir.Operation) -> None:
        dialect, _, name = op.name.partition(".")
        refused = dialect != "llvm" or name in _REFUSED
        what = op.name
        if op.name == "llvm.call":
            target = _callee(op)
            refused = target != CALLBACK and target not in self._functions
            what += f"' to '{target}" if target else "' through a pointer"
        if op.name == "llvm.mlir.addressof":
            refused = True
            what += f"' of '{ir.FlatSymbolRefAttr(op.attributes['global_name']).value}"
        if refused:
            quote = "" if what.endswith("pointer") else "'"
            raise HostError(
                f"expected what is issued not to depend on a GPU, but got '{what}{quote}"
            )


def _loop_headers(function: ir.Operation) -> list[ir.Block]:
    """Blocks that a branch leads back to; every loop goes through one of them."""
    blocks = list(function.regions[0].blocks)
    headers: list[ir.Block] = []
    for i, block in enumerate(blocks):
        for successor in block.operations[len(block.operations) - 1].operation.successors:
            at = blocks.index(successor)
            if at <= i and successor not in headers:
                headers.append(successor)
    return headers


def _guard(function: ir.Operation, header: ir.Block) -> None:
    """Asks at the head of a loop whether to go on, and returns if not."""
    operations = [op.operation for op in header.operations]
    body, out = header.create_after(), header.create_after()
    for op in operations:
        body.append(op)
    i1 = ir.IntegerType.get_signless(1)
    with ir.InsertionPoint(header):
        more = ir.Operation.create("llvm.call", results=[i1], attributes=_calling(STEP, 0)).result
        ir.Operation.create(
            "llvm.cond_br",
            operands=[more],
            successors=[body, out],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0])},
        )
    with ir.InsertionPoint(out):
        _return_poison(function)


def _return_poison(function: ir.Operation) -> None:
    """Ends a function whose result nobody will look at."""
    kind = str(ir.TypeAttr(function.attributes["function_type"]).value)
    result = re.fullmatch(r"!llvm\.func<(.*?) \(.*>", kind)
    operands: list[ir.Value] = []
    if result and result[1] != "void":
        text = result[1]
        type_ = ir.Type.parse(f"!llvm.{text}" if text[0] in "psav" else text)
        operands.append(ir.Operation.create("llvm.mlir.poison", results=[type_]).result)
    ir.Operation.create("llvm.return", operands=operands)


def _callee(call: ir.Operation) -> str | None:
    callee = call.attributes.get("callee", None)
    return None if callee is None else ir.FlatSymbolRefAttr(callee).value


def _text(op: ir.Operation, name: str) -> str:
    return ir.StringAttr(op.attributes[name]).value if name in op.attributes else ""


def _word(op: ir.Operation, name: str, pattern: str, default: str) -> str:
    found = re.search(pattern, str(op.attributes[name])) if name in op.attributes else None
    return found[1] if found else default


def _constant(type: ir.Type, value: int) -> ir.Value:  # noqa: A002
    # Attributes are signed.
    width = ir.IntegerType(type).width
    half = 1 << width >> 1
    signed = value if width == 1 else (value + half) % (1 << width) - half
    return llvm.ConstantOp(type, ir.IntegerAttr.get(type, signed)).result


def _add(value: ir.Value, plus: int) -> ir.Value:
    if plus == 0:
        return value
    return llvm.AddOp(value, _constant(value.type, plus), overflowFlags=0).result


def _call(number: ir.Value, taddr: ir.Value, descriptor: ir.Value) -> None:
    ir.Operation.create(
        "llvm.call",
        operands=[number, taddr, descriptor],
        attributes=_calling(CALLBACK, 3),
    )


def _calling(callee: str, operands: int) -> dict[str, ir.Attribute]:
    return {
        "callee": ir.FlatSymbolRefAttr.get(callee),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([operands, 0]),
        "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
    }


def _report(number: ir.Value) -> None:
    """Calls back with something other than an instruction."""
    _call(number, *(_constant(ir.IntegerType.get_signless(bits), 0) for bits in (32, 64)))


def _become(op: ir.Operation, make: Callable[[ir.Type], ir.Value]) -> None:
    with ir.InsertionPoint(op):
        op.results[0].replace_all_uses_with(make(op.results[0].type))
    op.erase()


def _root(value: ir.Value) -> object:
    """The variable that a pointer leads to the beginning of; else the value itself."""
    for _ in range(64):  # longer chains are not looked through
        op = value.owner
        if not isinstance(op, ir.Operation | ir.OpView):
            break
        op = op.operation
        if op.name == "llvm.mlir.addressof":
            return ir.FlatSymbolRefAttr(op.attributes["global_name"]).value
        if op.name in ("llvm.ptrtoint", "llvm.inttoptr", "llvm.trunc", "llvm.zext") or (
            op.name == "llvm.getelementptr" and set(_indices(op)) <= {0}
        ):
            value = op.operands[0]
        elif op.name == "llvm.extractvalue":
            value = op.operands[0]
            position = op.attributes["position"]
            while True:
                insert = value.owner
                if not isinstance(insert, ir.Operation | ir.OpView) or (
                    insert.operation.name != "llvm.insertvalue"
                ):
                    return value
                if insert.operation.attributes["position"] == position:
                    value = insert.operation.operands[1]
                    break
                value = insert.operation.operands[0]
        else:
            break
    return value


def _loads_from(op: ir.Operation, slots: set[object]) -> bool:
    return str(op.results[0].type) == "i32" and _root(op.operands[0]) in slots


def _indices(op: ir.Operation) -> list[int]:
    return list(ir.DenseI32ArrayAttr(op.attributes["rawConstantIndices"]))
