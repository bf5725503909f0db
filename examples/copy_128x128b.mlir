// One copy from shared memory to tensor memory (TMEM) and back to global memory, complete: allocate, fill, fence, copy,
// commit, wait, read back, free.
//
// Who needs it: whoever begins: one tile to tensor memory and back, and every step around the copy written out.
// To change: the layouts, then the opcode; `tcgen05 explain` says whether they fit together.
//
//   tcgen05 compile copy_128x128b.mlir --chip sm_100a --to cubin -o copy.cubin
//
// Launch one block of 128 threads. `input` and `output` point to 512 words each, aligned to 16 bytes. Lane `i` of TMEM
// receives words 4 i to 4 i + 3 of the input, and thread `i` reads them back: afterwards output[k] == input[k] for all k.

// Tensor memory: row r in lane r, word w in column w.
#tmem_layout = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
// Shared memory: rows of four words, one after the other.
#smem_layout = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem_layout, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem_layout, align 16>

gpu.module @kernels {

  gpu.func @copy(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>)
      workgroup(%data: memref<128x4xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %true = arith.constant true
    %phase = arith.constant 0 : i32
    %one_arrival = arith.constant 1 : i32
    %lane_shift = arith.constant 16 : i32
    %columns = arith.constant 32 : i32
    %warp_size = arith.constant 32 : i32
    %first_lane_mask = arith.constant 96 : i32
    %data_index = memref.extract_aligned_pointer_as_index %data
        : memref<128x4xi32, #gpu.address_space<workgroup>> -> index
    %data_address = arith.index_cast %data_index : index to i32
    %data_start = llvm.inttoptr %data_address : i32 to !llvm.ptr<3>
    %address_slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %copy_done = llvm.mlir.addressof @copy_done : !llvm.ptr<3>

    // Each thread owns one row of four words: in the input, in shared memory and in the output.
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %input_row = llvm.getelementptr %input[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
    %data_row = llvm.getelementptr %data_start[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    %output_row = llvm.getelementptr %output[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
    %is_warp_0 = arith.cmpi ult, %thread, %warp_size : i32

    // Warp 0 allocates; one of its threads prepares the barrier that will count one arrival, the copy's.
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %address_slot, %columns : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        nvvm.mbarrier.init %copy_done, %one_arrival : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
    }

    // The copy reads shared memory through the asynchronous proxy: every writer fences, then all meet.
    %filled = llvm.load %input_row {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    llvm.store %filled, %data_row {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier

    // One thread issues the copy and lets its completion arrive at the barrier.
    %address = llvm.load %address_slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.tmem_view %address : !tmem
    %smem = tcgen05.smem_view %data : memref<128x4xi32, #gpu.address_space<workgroup>> -> !smem
    scf.if %is_warp_0 {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        tcgen05.cp "cta_group::1.128x128b" %tmem, %smem : !tmem, !smem
        nvvm.tcgen05.commit %copy_done : !llvm.ptr<3>
      }
    }

    // All threads wait for the copy; the fence orders the reads below behind that wait.
    scf.while : () -> () {
      %arrived = nvvm.mbarrier.try_wait %copy_done, %phase : !llvm.ptr<3>, i32 -> i1
      %waiting = arith.xori %arrived, %true : i1
      scf.condition(%waiting)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>

    // A warp reaches its own 32 lanes only. Bits 31-16 of a TMEM address are the lane, bits 15-0 the column.
    %first_lane = arith.andi %thread, %first_lane_mask : i32
    %lane_bits = arith.shli %first_lane, %lane_shift : i32
    %warp_address = arith.addi %address, %lane_bits : i32
    %warp_lanes = llvm.inttoptr %warp_address : i32 to !llvm.ptr<6>
    %copied = nvvm.tcgen05.ld %warp_lanes {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    nvvm.tcgen05.wait <load>
    llvm.store %copied, %output_row {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>

    // Nobody may still read when warp 0 frees the columns.
    nvvm.tcgen05.fence <before>
    gpu.barrier
    scf.if %is_warp_0 {
      %allocation = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %allocation, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Behind the kernel, so that the data comes first in shared memory: its address then needs no addition.
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copy_done() {addr_space = 3 : i32, alignment = 8 : i64} : i64
}
