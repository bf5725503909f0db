"""What the kernels of these examples share: everything around the copies.

An example says what it copies; `Kernel` has a method for each step that it takes before and after:

    allocate     warp 0 takes columns of tensor memory and prepares the barrier of the copies
    fill         each thread writes shared memory
    publish      fence and barrier: what all threads wrote is there for the copies
    one_thread   `with` it, one thread issues; `commit` lets the completion of its copies arrive
    wait         all threads wait for that
    read_back    each thread reads its lane, and writes it to the output
    free         warp 0 gives the columns back

A kernel runs in blocks of 128 threads, one for each lane. `copy_128x128b.py` has these steps
written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import mlir_tcgen05 as t5
from mlir import ir
from mlir.dialects import arith, gpu, llvm, memref, nvvm, scf
from mlir_tcgen05.dialects import tcgen05
from mlir_tcgen05.layout import Layout

POINTER = "!llvm.ptr<1>"

THREADS = 128
# How getelementptr marks an index that is a value.
DYNAMIC = -(2**31)
# Nanoseconds that one attempt to wait may sleep.
TICKS = 1_000_000


def i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def constant(value: int) -> ir.Value:
    """A constant of 32 bits."""
    return arith.constant(i32(), value)


def shared() -> ir.Type:
    """A pointer to shared memory."""
    return ir.Type.parse("!llvm.ptr<3>")


def element(pointer: ir.Value, indices: Sequence[ir.Value | int], type: str) -> ir.Value:  # noqa: A002
    """The address of an element: the first index counts things of the type, others go into it."""
    values = [index for index in indices if isinstance(index, ir.Value)]
    numbers = [DYNAMIC if isinstance(index, ir.Value) else index for index in indices]
    return llvm.getelementptr(pointer.type, pointer, values, numbers, ir.Type.parse(type), None)


@contextmanager
def where(condition: ir.Value) -> Iterator[None]:
    """The code inside runs where the condition holds."""
    branch = scf.IfOp(condition)
    with ir.InsertionPoint(branch.then_block):
        yield
        scf.yield_([])


class Kernel:
    """The body of a kernel that is being written.

    Args:
        data: the buffer in shared memory, a memref.
        cta_group: 1, or 2 for a pair of CTAs that the first one issues for.
    """

    def __init__(self, data: ir.Value, cta_group: int = 1) -> None:
        self.data = data
        # Upstream's ops take no group for a group of one.
        self.group = {"group": nvvm.CTAGroupKind.CTA_2} if cta_group == 2 else {}
        index = memref.extract_aligned_pointer_as_index(data)
        self.data_start = llvm.inttoptr(shared(), arith.index_cast(i32(), index))
        self.address_slot = llvm.mlir_addressof(shared(), "tmem_address")
        self.copy_done = llvm.mlir_addressof(shared(), "copy_done")
        self.thread = nvvm.read_ptx_sreg_tid_x(i32())
        self.is_warp_0 = arith.cmpi(arith.CmpIPredicate.ult, self.thread, constant(32))
        self.issues = self.is_warp_0
        if cta_group == 2:
            self.rank = nvvm.read_ptx_sreg_cluster_ctarank(i32())
            is_leader = arith.cmpi(arith.CmpIPredicate.eq, self.rank, constant(0))
            self.issues = arith.andi(is_leader, self.is_warp_0)

    def allocate(self, columns: int) -> None:
        """Warp 0 takes columns; one of its threads prepares a barrier for one arrival."""
        self.columns = constant(columns)
        with where(self.is_warp_0):
            nvvm.tcgen05_alloc(self.address_slot, self.columns, **self.group)
            nvvm.tcgen05_relinquish_alloc_permit(**self.group)
            with where(self.elected()):
                nvvm.mbarrier_init(self.copy_done, constant(1))
                nvvm.fence_mbarrier_init()

    def elected(self) -> ir.Value:
        """True in one thread of a warp."""
        return nvvm.elect_sync(ir.IntegerType.get_signless(1))

    def fill(
        self,
        input_: ir.Value,
        pieces: int,
        words: int = 4,
        in_rows: bool = False,
    ) -> None:
        """Each thread writes some pieces of 16 bytes, 128 threads side by side.

        Args:
            input_: pointer to global memory.
            pieces: how many to a thread.
            words: of 32 bits in a piece of the input; the rest of the 16 bytes stays as it is.
            in_rows: thread t takes row t of `pieces` pieces; else the input is what is to lie in
                shared memory.
        """
        type_ = ir.VectorType.get([words], i32())
        piece = f"!llvm.array<{words} x i32>"
        for i in range(pieces):
            if in_rows:
                source = element(input_, [self.thread, i], f"!llvm.array<{pieces} x {piece}>")
            else:
                source = element(input_, [i, self.thread], f"!llvm.array<{THREADS} x {piece}>")
            # Three words have no power of two to be aligned to.
            filled = llvm.load(type_, source, alignment=4 if words == 3 else 4 * words)
            target = element(
                self.data_start, [i, self.thread], f"!llvm.array<{THREADS} x vector<4xi32>>"
            )
            llvm.store(filled, target, alignment=16)

    def publish(self) -> None:
        """The copies read through the asynchronous proxy: every writer fences, then all meet."""
        nvvm.fence_proxy(nvvm.ProxyKind.async_shared, space=nvvm.SharedSpace.shared_cta)
        self.meet()

    def meet(self) -> None:
        """All threads of the block, or of both blocks of the pair, wait for one another."""
        if self.group:
            nvvm.cluster_arrive(aligned=True)
            nvvm.cluster_wait(aligned=True)
        else:
            gpu.barrier()

    def tmem(self, layout: Layout, columns: int) -> ir.Value:
        """A region over the columns that were allocated."""
        self.address = llvm.load(i32(), self.address_slot)
        return tcgen05.tmem_view(
            tcgen05.TmemType.get(None, i32(), layout, columns=columns), self.address
        )

    def smem(self, layout: Layout, align: int = 16, storage: int | None = None) -> ir.Value:
        """A region over the buffer in shared memory."""
        type_ = tcgen05.SmemType.get(None, i32(), layout, align=align, storage=storage)
        return tcgen05.smem_view(type_, self.data)

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        """The code inside runs in one thread, and ptxas knows it: no loop around each copy."""
        with where(self.issues), where(self.elected()):
            yield

    def commit(self) -> None:
        """The completion of the copies so far arrives at the barrier; at those of both CTAs."""
        both = arith.constant(ir.IntegerType.get_signless(16), 3) if self.group else None
        nvvm.tcgen05_commit(self.copy_done, multicast_mask=both, **self.group)

    def wait(self) -> None:
        """All threads wait for the copies; the fence orders what they read behind that."""
        wait_for(self.copy_done, constant(0))
        nvvm.tcgen05_fence(nvvm.Tcgen05FenceKind.AFTER_THREAD_SYNC)

    def load_lane(self, columns: int, first: ir.Value | None = None) -> ir.Value:
        """Each thread loads words of its own lane.

        Args:
            columns: how many, a power of two.
            first: the first one, from the address of the region; None is zero.
        """
        # A warp reaches its own 32 lanes only. Bits 31-16 of a TMEM address are the lane.
        first_lane = arith.andi(self.thread, constant(96))
        lane_bits = arith.shli(first_lane, constant(16))
        address = arith.addi(self.address, lane_bits)
        if first is not None:
            address = arith.addi(address, first)
        lanes = llvm.inttoptr(ir.Type.parse("!llvm.ptr<6>"), address)
        words = ir.VectorType.get([columns], i32())
        copied = nvvm.tcgen05_ld(words, nvvm.Tcgen05LdStShape.SHAPE_32X32B, lanes)
        nvvm.tcgen05_wait(nvvm.Tcgen05WaitKind.LOAD)
        return copied

    def read_back(self, output: ir.Value, columns: int) -> None:
        """Thread t writes lane t to row t of the output, 128 rows of `columns` words."""
        copied = self.load_lane(columns)
        row = element(output, [self.thread], f"!llvm.array<{columns} x i32>")
        llvm.store(copied, row, alignment=16)

    def free(self) -> None:
        """Nobody may still read when warp 0 frees the columns."""
        nvvm.tcgen05_fence(nvvm.Tcgen05FenceKind.BEFORE_THREAD_SYNC)
        self.meet()
        with where(self.is_warp_0):
            allocation = llvm.inttoptr(ir.Type.parse("!llvm.ptr<6>"), self.address)
            nvvm.tcgen05_dealloc(allocation, self.columns, **self.group)


def wait_for(barrier: ir.Value, phase: ir.Value) -> None:
    """Waits until a phase of a barrier is over."""
    nvvm.mbarrier_try_wait_parity(barrier, phase, constant(TICKS))


def barriers(name: str, count: int) -> list[ir.Value]:
    """Prepares barriers for one arrival each, in one thread, and returns their addresses."""
    first = llvm.mlir_addressof(shared(), name)
    addresses = [first, *(element(first, [i], "i64") for i in range(1, count))]
    one_arrival = constant(1)
    for address in addresses:
        nvvm.mbarrier_init(address, one_arrival)
    nvvm.fence_mbarrier_init()
    return addresses


def variable(name: str, type_: str, alignment: int) -> None:
    """A variable in shared memory."""
    llvm.mlir_global(
        ir.Type.parse(type_),
        name,
        ir.Attribute.parse("#llvm.linkage<internal>"),
        alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), alignment),
        addr_space=ir.IntegerAttr.get(i32(), 3),
    )


def build(
    name: str,
    parameters: Sequence[str],
    data_words: int,
    body: Callable[..., None],
    *,
    align: int = 16,
    cluster: int = 1,
    barriers: Sequence[tuple[str, int]] = (),
) -> ir.Module:
    """The module of one kernel, in the context that is entered.

    Args:
        name: of the kernel.
        parameters: texts of the types of its parameters.
        data_words: words of its buffer in shared memory.
        body: writes the body, given the parameters and the buffer.
        align: bytes that the buffer is aligned to.
        cluster: CTAs of a cluster.
        barriers: name and number of more barriers in shared memory.
    """
    module = ir.Module.create()
    i64 = ir.IntegerType.get_signless(64)
    with ir.InsertionPoint(module.body):
        kernels = gpu.GPUModuleOp("kernels")
    with ir.InsertionPoint(kernels.bodyRegion.blocks.append()):
        kernel = gpu.GPUFuncOp(
            ir.FunctionType.get([ir.Type.parse(p) for p in parameters], []),
            name,
            kernel=True,
            workgroup_attrib_attrs=[{"llvm.align": ir.IntegerAttr.get(i64, align)}],
            known_block_size=[THREADS, 1, 1],
        )
        if cluster > 1:
            size = ir.DenseI32ArrayAttr.get([cluster, 1, 1])
            kernel.attributes["known_cluster_size"] = size
        # The workgroup buffer is an argument of the entry block behind those of the function.
        kernel.attributes["workgroup_attributions"] = ir.IntegerAttr.get(i64, 1)
        entry = kernel.add_entry_block()
        buffer = f"memref<{data_words}xi32, #gpu.address_space<workgroup>>"
        entry.add_argument(ir.Type.parse(buffer), ir.Location.unknown())
        with ir.InsertionPoint(entry):
            body(*entry.arguments)
            gpu.return_([])
        # Behind the kernel, so that the data comes first in shared memory.
        variable("tmem_address", "i32", 4)
        variable("copy_done", "i64", 8)
        for barrier, count in barriers:
            variable(barrier, f"!llvm.array<{count} x i64>", 8)
    module.operation.verify()
    return module


def show(make: Callable[[], ir.Module]) -> None:
    """Prints a module that is made in a context of its own."""
    with t5.Context(), ir.Location.unknown():
        print(make())
