"""The kernel of copy_128x128b.mlir, built through the Python bindings.

Who needs it: whoever begins: one tile to tensor memory and back, and every step around the copy
written out.
To change: the layouts, then the opcode; `tcgen05 explain` says whether they fit together.

    python copy_128x128b.py                                   prints the module
    python copy_128x128b.py | tcgen05 compile - --to cubin -o copy.cubin

One copy from shared memory to tensor memory and back to global memory, complete: allocate, fill,
fence, copy, commit, wait, read back, free. Launch one block of 128 threads; afterwards
output[k] == input[k] for all 512 words.
"""

from __future__ import annotations

from contextlib import contextmanager

import mlir_tcgen05 as t5
from mlir import ir
from mlir.dialects import arith, gpu, llvm, memref, nvvm, scf
from mlir_tcgen05.dialects import tcgen05
from mlir_tcgen05.layout import Layout, col, lane

THREADS = 128
COLUMNS = 32
# How getelementptr marks an index that is a value.
DYNAMIC = -(2**31)
DATA = "memref<128x4xi32, #gpu.address_space<workgroup>>"

# Tensor memory: row r in lane r, word w in column w. Shared memory: one row after the other.
TMEM = Layout((128, 4), (1 @ lane, 1 @ col))
SMEM = Layout((128, 4), (4, 1))


def shared_variable(name: str, type_: ir.Type, alignment: int) -> None:
    """A variable in shared memory."""
    i32, i64 = ir.IntegerType.get_signless(32), ir.IntegerType.get_signless(64)
    llvm.mlir_global(
        type_,
        name,
        ir.Attribute.parse("#llvm.linkage<internal>"),
        alignment=ir.IntegerAttr.get(i64, alignment),
        addr_space=ir.IntegerAttr.get(i32, 3),
    )


@contextmanager
def where(condition: ir.Value):
    """The code inside runs where the condition holds."""
    branch = scf.IfOp(condition)
    with ir.InsertionPoint(branch.then_block):
        yield
        scf.yield_([])


def row(pointer: ir.Value, thread: ir.Value) -> ir.Value:
    """The address of the four words that belong to a thread."""
    words = ir.Type.parse("vector<4xi32>")
    return llvm.getelementptr(pointer.type, pointer, [thread], [DYNAMIC], words, None)


def kernel_body(input_: ir.Value, output: ir.Value, data: ir.Value) -> None:
    """The body of the kernel, for pointers to 512 words each and a buffer in shared memory."""
    i1, i32 = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(32)
    words = ir.VectorType.get([4], i32)
    shared, tensor = ir.Type.parse("!llvm.ptr<3>"), ir.Type.parse("!llvm.ptr<6>")

    true = arith.constant(i1, True)
    phase = arith.constant(i32, 0)
    one_arrival = arith.constant(i32, 1)
    lane_shift = arith.constant(i32, 16)
    columns = arith.constant(i32, COLUMNS)
    warp_size = arith.constant(i32, 32)
    first_lane_mask = arith.constant(i32, 96)
    data_index = memref.extract_aligned_pointer_as_index(data)
    data_start = llvm.inttoptr(shared, arith.index_cast(i32, data_index))
    address_slot = llvm.mlir_addressof(shared, "tmem_address")
    copy_done = llvm.mlir_addressof(shared, "copy_done")

    # Each thread owns one row of four words: in the input, in shared memory and in the output.
    thread = nvvm.read_ptx_sreg_tid_x(i32)
    input_row, data_row, output_row = (row(p, thread) for p in (input_, data_start, output))
    is_warp_0 = arith.cmpi(arith.CmpIPredicate.ult, thread, warp_size)

    # Warp 0 allocates; one of its threads prepares the barrier that will count one arrival.
    with where(is_warp_0):
        nvvm.tcgen05_alloc(address_slot, columns)
        nvvm.tcgen05_relinquish_alloc_permit()
        with where(nvvm.elect_sync(i1)):
            nvvm.mbarrier_init(copy_done, one_arrival)
            nvvm.fence_mbarrier_init()

    # The copy reads shared memory through the asynchronous proxy: every writer fences, all meet.
    filled = llvm.load(words, input_row, alignment=16)
    llvm.store(filled, data_row, alignment=16)
    nvvm.fence_proxy(nvvm.ProxyKind.async_shared, space=nvvm.SharedSpace.shared_cta)
    gpu.barrier()

    # One thread issues the copy and lets its completion arrive at the barrier.
    address = llvm.load(i32, address_slot)
    tmem = tcgen05.tmem_view(tcgen05.TmemType.get(None, i32, TMEM, columns=COLUMNS), address)
    smem = tcgen05.smem_view(tcgen05.SmemType.get(None, i32, SMEM), data)
    with where(is_warp_0), where(nvvm.elect_sync(i1)):
        tcgen05.cp("cta_group::1.128x128b", tmem, smem)
        nvvm.tcgen05_commit(copy_done)

    # All threads wait for the copy; the fence orders the reads below behind that wait.
    wait = scf.WhileOp([], [])
    with ir.InsertionPoint(wait.before.blocks.append()):
        arrived = nvvm.mbarrier_try_wait(i1, copy_done, phase)
        scf.condition(arith.xori(arrived, true), [])
    with ir.InsertionPoint(wait.after.blocks.append()):
        scf.yield_([])
    nvvm.tcgen05_fence(nvvm.Tcgen05FenceKind.AFTER_THREAD_SYNC)

    # A warp reaches its own 32 lanes only. Bits 31-16 of a TMEM address are the lane.
    first_lane = arith.andi(thread, first_lane_mask)
    lane_bits = arith.shli(first_lane, lane_shift)
    warp_lanes = llvm.inttoptr(tensor, arith.addi(address, lane_bits))
    copied = nvvm.tcgen05_ld(words, nvvm.Tcgen05LdStShape.SHAPE_32X32B, warp_lanes)
    nvvm.tcgen05_wait(nvvm.Tcgen05WaitKind.LOAD)
    llvm.store(copied, output_row, alignment=16)

    # Nobody may still read when warp 0 frees the columns.
    nvvm.tcgen05_fence(nvvm.Tcgen05FenceKind.BEFORE_THREAD_SYNC)
    gpu.barrier()
    with where(is_warp_0):
        nvvm.tcgen05_dealloc(llvm.inttoptr(tensor, address), columns)
    gpu.return_([])


def build() -> ir.Module:
    """The module, in the context that is entered."""
    module = ir.Module.create()
    pointer, i64 = ir.Type.parse("!llvm.ptr<1>"), ir.IntegerType.get_signless(64)
    with ir.InsertionPoint(module.body):
        kernels = gpu.GPUModuleOp("kernels")
    with ir.InsertionPoint(kernels.bodyRegion.blocks.append()):
        kernel = gpu.GPUFuncOp(
            ir.FunctionType.get([pointer, pointer], []),
            "copy",
            kernel=True,
            workgroup_attrib_attrs=[{"llvm.align": ir.IntegerAttr.get(i64, 16)}],
            known_block_size=[THREADS, 1, 1],
        )
        # The workgroup buffer is an argument of the entry block behind those of the function.
        kernel.attributes["workgroup_attributions"] = ir.IntegerAttr.get(i64, 1)
        entry = kernel.add_entry_block()
        entry.add_argument(ir.Type.parse(DATA), ir.Location.unknown())
        with ir.InsertionPoint(entry):
            kernel_body(*entry.arguments)
        # Behind the kernel, so that the data comes first in shared memory.
        shared_variable("tmem_address", ir.IntegerType.get_signless(32), 4)
        shared_variable("copy_done", i64, 8)
    module.operation.verify()
    return module


def main() -> None:
    """Prints the module."""
    with t5.Context(), ir.Location.unknown():
        print(build())


if __name__ == "__main__":
    main()
