"""Runs whole kernels of the gallery: all threads of a cluster, from global memory to global memory.

`simulate` runs one thread and what it issues. Here every thread runs, so that what fills shared
memory and what reads tensor memory back is tested too, and a wait that is missing is seen:

- Threads run one after the other, each as far as it can: up to a barrier that is not complete.
- What is asynchronous happens as late as possible, one at a time, when no thread can go on: copies
  and commits in their order, loads behind all of them. Who reads tensor memory without a wait reads
  poison, and the reference refuses that; who copies without a wait copies what was there before.
- Two copies to one cell with no barrier of a commit between them are refused as well.
- Tensor memory is not allocated at column 0, nor does shared memory begin at address 0.

It knows the ops that the examples have, after the dialect's own lowering, and refuses all others.
"""

from __future__ import annotations

import math
import operator
import re
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from example_memory import Barrier, Block, Meeting, Wait
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05 import reference
from mlir_tcgen05._template import parse_template

SHARED, GLOBAL = 0x2400, 0x10000
"""Addresses of the first variable in shared memory, and of the first buffer in global memory."""
FIRST_COLUMN = 64
DYNAMIC = -(2**31)
Run = Generator[Wait, None, None]


class StuckError(AssertionError):
    """No thread can go on, and nothing asynchronous is left to happen."""


class Machine:
    """A launch of one cluster.

    Args:
        module: holds one kernel; it stays as it is.
        buffers: bytes of global memory that pointer arguments lead to, in order; integers are
            arguments themselves. A matrix of two dimensions stands behind a tensor map: TMA loads
            rows of 128 bytes of it in 128B swizzle.
        ranks: CTAs of the cluster.
    """

    def __init__(self, module: ir.Module, buffers: list[Any], ranks: int = 1) -> None:
        lowered = ir.Module.parse(str(module))
        PassManager.parse("builtin.module(convert-tcgen05-to-nvvm)").run(lowered.operation)
        holder = lowered.body.operations[0]
        ops = list(holder.regions[0].blocks[0])
        self.module = lowered  # owns the ops below
        self.kernel = next(op for op in ops if op.operation.name == "gpu.func").operation
        self.threads = ir.DenseI32ArrayAttr(self.kernel.attributes["known_block_size"])[0]
        self.blocks = [Block(rank, self.threads) for rank in range(ranks)]
        self.cluster = Meeting(ranks * self.threads)
        self.copies: deque[Callable[[], None]] = deque()
        self.loads: deque[Callable[[], None]] = deque()
        self.memory = np.zeros(1 << 20, np.uint8)
        self.maps: dict[int, Any] = {}
        self.arguments: list[int] = []
        at = GLOBAL
        for buffer in buffers:
            if isinstance(buffer, int):
                self.arguments.append(buffer)
                continue
            self.arguments.append(at)
            if buffer.ndim == 2:
                self.maps[at] = buffer
            else:
                self.memory[at : at + buffer.size] = buffer
            at += 1 << 17
        entry = self.kernel.regions[0].blocks[0]
        self.arguments.append(SHARED)  # the workgroup buffer
        at = SHARED + _size(str(entry.arguments[len(self.arguments) - 1].type))
        self.symbols = {}
        for op in ops:
            if op.operation.name == "llvm.mlir.global":
                at = -(-at // 8) * 8
                self.symbols[ir.StringAttr(op.operation.attributes["sym_name"]).value] = at
                at += _size(str(ir.TypeAttr(op.operation.attributes["global_type"]).value))
        self.steps: dict[ir.Block, list[tuple[Any, ir.Operation]]] = {}

    def run(self) -> None:
        """Runs to the end.

        Raises:
            StuckError: a barrier waits for ever.
            PoisonError, UnorderedError: the protocol around the copies is wrong.
        """
        entry = self.kernel.regions[0].blocks[0]
        waiting: list[tuple[Run, Wait]] = []
        for block in self.blocks:
            for number in range(self.threads):
                values = dict(zip(entry.arguments, self.arguments, strict=True))
                waiting.append((Thread(self, block, number, values).run(entry), lambda: True))
        while waiting:
            again = []
            moved = False
            for run, ready in waiting:
                if not ready():
                    again.append((run, ready))
                    continue
                moved = True
                wait = next(run, None)
                if wait is not None:
                    again.append((run, wait))
            waiting = again
            if not moved:
                self._later(len(waiting))
        assert not self.copies, "the kernel ends before its copies do"
        assert not self.loads, "the kernel ends before its loads do"
        assert all(block.columns == 0 for block in self.blocks), "columns are not given back"

    def _later(self, threads: int) -> None:
        """One copy, commit or load happens; loads come last."""
        queue = self.copies or self.loads
        if not queue:
            raise StuckError(f"{threads} threads wait for ever")
        queue.popleft()()

    def output(self, argument: int, size: int) -> Any:
        """Bytes that an argument leads to."""
        at = self.arguments[argument]
        return self.memory[at : at + size].copy()


def _size(type_: str) -> int:
    """Bytes of a type."""
    if m := re.fullmatch(r"(?:!llvm\.)?array<(\d+) x (.*)>", type_):
        return int(m[1]) * _size(m[2])
    if m := re.fullmatch(r"(?:vector|memref)<((?:\d+x)+)i32[,>].*", type_):
        return 4 * math.prod(int(extent) for extent in m[1].split("x")[:-1])
    m = re.fullmatch(r"i(\d+)", type_)
    assert m, type_
    return int(m[1]) // 8


def _element(type_: str) -> str:
    """The type of an array's elements."""
    m = re.fullmatch(r"(?:!llvm\.)?array<\d+ x (.*)>", type_)
    assert m, type_
    return m[1]


def _mask(value: ir.Value) -> int:
    type_ = value.type
    return (1 << (type_.width if isinstance(type_, ir.IntegerType) else 64)) - 1


_BINARY = {
    "add": operator.add, "addi": operator.add, "mul": operator.mul, "muli": operator.mul,
    "and": operator.and_, "andi": operator.and_, "or": operator.or_, "xori": operator.xor,
    "shli": operator.lshift, "lshr": operator.rshift, "shrui": operator.rshift,
    "divui": operator.floordiv, "remui": operator.mod,
}  # fmt: skip
_COMPARE = {0: operator.eq, 1: operator.ne, 6: operator.lt}
_SAME = {"index_cast", "zext", "inttoptr", "addrspacecast", "extract_aligned_pointer_as_index"}
# What orders only, or is the business of another test.
_NOTHING = {
    "nvvm.fence.mbarrier.init", "nvvm.fence.proxy", "nvvm.tcgen05.fence", "nvvm.tcgen05.wait",
    "nvvm.tcgen05.relinquish_alloc_permit", "nvvm.cluster.arrive", "gpu.return", "scf.yield",
}  # fmt: skip


class Thread:
    """One thread: `run` is a generator of what it waits for."""

    def __init__(
        self, machine: Machine, block: Block, number: int, values: dict[ir.Value, Any]
    ) -> None:
        self.machine, self.block, self.number, self.values = machine, block, number, values

    def run(self, block: ir.Block) -> Run:
        for name, op in self._steps(block):
            if name in _NOTHING:
                continue
            method = getattr(self, "_" + name.replace(".", "_"), None)
            if method is None:
                self.values[op.results[0]] = self._value(name, op)
                continue
            result = method(op)
            if isinstance(result, Generator):
                yield from result
            elif result is not None:
                self.values[op.results[0]] = result

    def _steps(self, block: ir.Block) -> list[tuple[str, ir.Operation]]:
        steps = self.machine.steps
        if block not in steps:
            steps[block] = [(op.operation.name, op.operation) for op in block]
        return steps[block]

    def _of(self, op: ir.Operation, *numbers: int) -> Any:
        found = [self.values[op.operands[i]] for i in numbers or range(len(op.operands))]
        return found[0] if len(found) == 1 else found

    def _value(self, name: str, op: ir.Operation) -> int:
        short = name.partition(".")[2]
        mask = _mask(op.results[0])
        if short in _SAME:
            return self._of(op, 0) & mask
        if short in ("constant", "mlir.constant"):
            return ir.IntegerAttr(op.attributes["value"]).value & mask
        if short == "sext":
            value, sign = self._of(op, 0), _mask(op.operands[0]) // 2 + 1
            return (value & sign - 1) - (value & sign) & mask
        left, right = self._of(op)
        if short == "cmpi":
            return int(_COMPARE[ir.IntegerAttr(op.attributes["predicate"]).value](left, right))
        return _BINARY[short](left, right) & mask

    # Control flow.

    def _scf_if(self, op: ir.Operation) -> Run | None:
        return self.run(op.regions[0].blocks[0]) if self._of(op, 0) else None

    def _scf_for(self, op: ir.Operation) -> Run:
        body = op.regions[0].blocks[0]
        for i in range(*self._of(op)):
            self.values[body.arguments[0]] = i
            yield from self.run(body)

    def _scf_while(self, op: ir.Operation) -> Run:
        before = op.regions[0].blocks[0]
        condition = before.operations[len(before.operations) - 1].operation
        while True:
            yield from self.run(before)
            if not self._of(condition, 0):
                return
            yield lambda: True

    def _scf_condition(self, op: ir.Operation) -> None:
        pass

    # Special registers, and memory.

    def _nvvm_read_ptx_sreg_tid_x(self, op: ir.Operation) -> int:
        return self.number

    def _nvvm_read_ptx_sreg_cluster_ctarank(self, op: ir.Operation) -> int:
        return self.block.rank

    def _nvvm_elect_sync(self, op: ir.Operation) -> int:
        return int(self.number % 32 == 0)

    def _llvm_mlir_addressof(self, op: ir.Operation) -> int:
        return self.machine.symbols[ir.FlatSymbolRefAttr(op.attributes["global_name"]).value]

    def _llvm_getelementptr(self, op: ir.Operation) -> int:
        address, *values = (self.values[operand] for operand in op.operands)
        type_ = str(ir.TypeAttr(op.attributes["elem_type"]).value)
        given = list(ir.DenseI32ArrayAttr(op.attributes["rawConstantIndices"]))
        indices = [values.pop(0) if i == DYNAMIC else i for i in given]
        address += indices[0] * _size(type_)
        for index in indices[1:]:
            type_ = _element(type_)
            address += index * _size(type_)
        return address

    def _bytes(self, pointer: ir.Value, size: int) -> Any:
        at = self.values[pointer]
        memory = {"!llvm.ptr<1>": self.machine.memory, "!llvm.ptr<3>": self.block.memory}
        assert 0 <= at <= at + size <= memory[str(pointer.type)].size
        return memory[str(pointer.type)][at : at + size]

    def _llvm_load(self, op: ir.Operation) -> Any:
        type_ = op.results[0].type
        data = self._bytes(op.operands[0], _size(str(type_)))
        self._aligned(op, 0)
        return data.copy() if str(type_).startswith("vector") else int(data.view("<u4")[0])

    def _llvm_store(self, op: ir.Operation) -> None:
        value = self._of(op, 0)
        self._aligned(op, 1)
        self._bytes(op.operands[1], value.size)[:] = value

    def _aligned(self, op: ir.Operation, pointer: int) -> None:
        if "alignment" in op.attributes:
            alignment = ir.IntegerAttr(op.attributes["alignment"]).value
            assert self._of(op, pointer) % alignment == 0, str(op)

    # Barriers.

    def _gpu_barrier(self, op: ir.Operation) -> Run:
        yield self.block.meeting.join()

    def _nvvm_cluster_wait(self, op: ir.Operation) -> Run:
        yield self.machine.cluster.join()

    def _nvvm_mbarrier_init(self, op: ir.Operation) -> None:
        address, count = self._of(op)
        assert address not in self.block.barriers
        self.block.barriers[address] = Barrier(count)

    def _nvvm_mbarrier_arrive_expect_tx(self, op: ir.Operation) -> None:
        address, size = self._of(op, 0, 1)
        self.block.barriers[address].arrive(1, size)

    def _nvvm_mbarrier_try_wait_parity(self, op: ir.Operation) -> Run:
        address, parity = self._of(op, 0, 1)
        yield lambda: self.block.barriers[address].passed(parity)

    def _nvvm_mbarrier_try_wait(self, op: ir.Operation) -> Run:
        """An attempt may take as long as it likes: this one succeeds."""
        yield from self._nvvm_mbarrier_try_wait_parity(op)
        self.values[op.results[0]] = 1

    # What happens later.

    def _nvvm_cp_async_bulk_shared_cluster_global(self, op: ir.Operation) -> None:
        to, source, address, size = self._of(op)
        data = self.machine.memory[source : source + size]

        def load() -> None:
            self.block.memory[to : to + size] = data
            self.block.barriers[address].arrive(expected=-size)

        self.machine.loads.append(load)

    def _nvvm_cp_async_bulk_tensor_shared_cluster_global(self, op: ir.Operation) -> None:
        to, tensor_map, column, row, address = self._of(op)
        matrix = self.machine.maps[tensor_map]
        assert to % 1024 == column == row == 0

        def load() -> None:
            for byte in range(0, matrix.size, 16):
                at = to + byte
                at ^= at >> 3 & 0x70
                self.block.memory[at : at + 16] = matrix.ravel()[byte : byte + 16]
            self.block.barriers[address].arrive(expected=-matrix.size)

        self.machine.loads.append(load)

    def _nvvm_inline_ptx(self, op: ir.Operation) -> None:
        copy = parse_template(ir.StringAttr(op.attributes["ptxCode"]).value)
        if copy.predicate is not None and not self._of(op, copy.predicate):
            return
        taddr, descriptor = (
            self._of(op, part.operand) + part.plus for part in (copy.taddr, copy.descriptor)
        )
        pair = "cta_group::2" in copy.opcode
        for block in self.machine.blocks if pair else [self.block]:
            self.machine.copies.append(
                lambda b=block: reference.copy(copy.opcode, b.memory, descriptor, taddr, b.tmem)
            )

    def _nvvm_tcgen05_commit(self, op: ir.Operation) -> None:
        address = self._of(op, 0)
        mask = self._of(op, 1) if len(op.operands) > 1 else 1 << self.block.rank

        def arrive() -> None:
            for block in self.machine.blocks:
                if mask >> block.rank & 1:
                    block.barriers[address].arrive(1)
                    block.tmem.wait()

        self.machine.copies.append(arrive)

    # Tensor memory.

    def _nvvm_tcgen05_alloc(self, op: ir.Operation) -> None:
        if self.number % 32 == 0:
            address, columns = self._of(op)
            assert self.block.columns == 0
            assert columns in (32, 64, 128, 256, 512)
            self.block.columns = columns
            self.block.memory[address : address + 4].view("<u4")[0] = FIRST_COLUMN

    def _nvvm_tcgen05_dealloc(self, op: ir.Operation) -> None:
        if self.number % 32 == 0:
            assert self._of(op) == [FIRST_COLUMN, self.block.columns]
            self.block.columns = 0

    def _nvvm_tcgen05_ld(self, op: ir.Operation) -> Any:
        """32x32b: thread i of a warp reads lane i of the warp's own 32."""
        lane, column = divmod(self._of(op, 0), 1 << 16)
        assert lane == self.number // 32 % 4 * 32
        columns = _size(str(op.results[0].type)) // 4
        assert FIRST_COLUMN <= column <= column + columns <= FIRST_COLUMN + self.block.columns
        words = self.block.tmem.read(lane + self.number % 32, column, columns=columns)
        return np.ascontiguousarray(words.astype("<u4")).view(np.uint8).ravel()
