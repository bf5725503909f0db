// 64 rows in both halves of tensor memory, by 64x128b.warpx2::02_13.
//
// Who needs it: products of 64 rows that work on both halves of the lanes: warps 2 and 3 find in lanes 64 - 127 the rows that
// warps 0 and 1 have in lanes 0 - 63. One instruction writes both, so that shared memory is read once.
// To change: the opcode to warpx2::01_23, and each half of the rows goes to two neighbouring warps (scales_64_rows); the
// number of repeats, for another K.
//
//   tcgen05 compile halves_02_13.mlir --chip sm_100a --to cubin -o halves_02_13.cubin
//
// Input: 64 rows of 16 bf16. Output: 128 lanes of 8 words. Launch blocks of 128 threads.

// Tensor memory: rows 0 - 63 in lanes 0 - 63, and again 64 lanes further.
#tmem_layout = #tcgen05.layout<[2, 64, 4] : [4@col, 1@lane, 1@col], replica [2 : 64@lane]>
// Shared memory: without swizzle a tile is 16 bytes wide, so the first halves of all rows lie before the second halves.
#smem_layout = #tcgen05.layout<[2, 64, 4] : [256, 4, 1]>
!tmem = !tcgen05.tmem<2x64x4xi32, #tmem_layout, columns 32>
!smem = !tcgen05.smem<2x64x4xi32, #smem_layout>
!data = memref<512xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {

  gpu.func @halves_02_13(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>)
      workgroup(%data: !data {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %data_index = memref.extract_aligned_pointer_as_index %data : !data -> index
    %data_address = arith.index_cast %data_index : index to i32
    %data_start = llvm.inttoptr %data_address : i32 to !llvm.ptr<3>
    %address_slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %copy_done = llvm.mlir.addressof @copy_done : !llvm.ptr<3>
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %warp_size = arith.constant 32 : i32
    %is_warp_0 = arith.cmpi ult, %thread, %warp_size : i32

    // Warp 0 allocates; one of its threads prepares the barrier that will count one arrival, the copies'.
    %columns = arith.constant 32 : i32
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %address_slot, %columns : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        %one_arrival = arith.constant 1 : i32
        nvvm.mbarrier.init %copy_done, %one_arrival : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
    }

    // Two threads to a row: thread t copies half t / 64 of row t % 64, 16 bytes.
    %row_mask = arith.constant 63 : i32
    %row = arith.andi %thread, %row_mask : i32
    %row_bits = arith.constant 6 : i32
    %half = arith.shrui %thread, %row_bits : i32
    %from = llvm.getelementptr %input[%row, %half] : (!llvm.ptr<1>, i32, i32) -> !llvm.ptr<1>, !llvm.array<2 x vector<4xi32>>
    %filled = llvm.load %from {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to = llvm.getelementptr %data_start[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    llvm.store %filled, %to {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>

    // The copies read shared memory through the asynchronous proxy: every writer fences, then all meet.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier

    // One thread issues the copies and lets their completion arrive at the barrier.
    %address = llvm.load %address_slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.tmem_view %address : !tmem
    %smem = tcgen05.smem_view %data : !data -> !smem
    scf.if %is_warp_0 {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        tcgen05.cp "cta_group::1.64x128b.warpx2::02_13" %tmem, %smem : !tmem, !smem
        nvvm.tcgen05.commit %copy_done : !llvm.ptr<3>
      }
    }

    // All threads wait for the copies; the fence orders the reads below behind that wait.
    %phase = arith.constant 0 : i32
    %ticks = arith.constant 1000000 : i32
    nvvm.mbarrier.try_wait.parity %copy_done, %phase, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>

    // A warp reaches its own 32 lanes only. Bits 31-16 of a TMEM address are the lane, bits 15-0 the column.
    %first_lane_mask = arith.constant 96 : i32
    %first_lane = arith.andi %thread, %first_lane_mask : i32
    %lane_shift = arith.constant 16 : i32
    %lane_bits = arith.shli %first_lane, %lane_shift : i32
    %warp_address = arith.addi %address, %lane_bits : i32
    %warp_lanes = llvm.inttoptr %warp_address : i32 to !llvm.ptr<6>
    %copied = nvvm.tcgen05.ld %warp_lanes {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    %output_row = llvm.getelementptr %output[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<8 x i32>
    llvm.store %copied, %output_row {alignment = 16 : i64} : vector<8xi32>, !llvm.ptr<1>

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
