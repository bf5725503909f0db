// FP6 in global memory, bytes in tensor memory: the copy expands the values on its way.
//
// Who needs it: products of kind f8f6f4 that take FP6 weights (e2m3, e3m2) as operand A from tensor memory, where each value
// has a byte of its own. 16 values are 12 bytes, padded to 16 in shared memory, and a value xxxxxx leaves as the byte
// 00xxxxxx by the PTX specification, which no readback has confirmed yet.
// To change: K, by the number of repeats; the swizzle, where TMA fills the tile (its type 16U6_ALIGN16B adds the padding).
//
//   tcgen05 compile decompress_fp6.mlir --chip sm_100a --to cubin -o decompress_fp6.cubin
//
// Input: 128 rows of 64 values, 48 bytes each. Output: 128 rows of 64 bytes. Launch blocks of 128 threads.

// Tensor memory: 4 copies of 4 columns; a column of a lane holds 4 values.
#tmem_layout = #tcgen05.layout<[4, 128, 4] : [4@col, 1@lane, 1@col]>
// Shared memory: blocks of 16 bytes, one for each 16 values. All rows of a block follow one another, then comes the next block.
#smem_layout = #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>
!tmem = !tcgen05.tmem<4x128x4xi32, #tmem_layout, columns 32>
!smem = !tcgen05.smem<4x128x4xi32, #smem_layout>
!data = memref<2048xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {

  gpu.func @decompress_fp6(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>)
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

    // Each thread owns one row: four blocks of 16 values, 12 bytes each. Their padding is never looked at.
    %from_0 = llvm.getelementptr %input[%thread, 0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<3 x i32>>
    %filled_0 = llvm.load %from_0 {alignment = 4 : i64} : !llvm.ptr<1> -> vector<3xi32>
    %to_0 = llvm.getelementptr %data_start[0, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_0, %to_0 {alignment = 16 : i64} : vector<3xi32>, !llvm.ptr<3>
    %from_1 = llvm.getelementptr %input[%thread, 1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<3 x i32>>
    %filled_1 = llvm.load %from_1 {alignment = 4 : i64} : !llvm.ptr<1> -> vector<3xi32>
    %to_1 = llvm.getelementptr %data_start[1, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_1, %to_1 {alignment = 16 : i64} : vector<3xi32>, !llvm.ptr<3>
    %from_2 = llvm.getelementptr %input[%thread, 2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<3 x i32>>
    %filled_2 = llvm.load %from_2 {alignment = 4 : i64} : !llvm.ptr<1> -> vector<3xi32>
    %to_2 = llvm.getelementptr %data_start[2, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_2, %to_2 {alignment = 16 : i64} : vector<3xi32>, !llvm.ptr<3>
    %from_3 = llvm.getelementptr %input[%thread, 3] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<3 x i32>>
    %filled_3 = llvm.load %from_3 {alignment = 4 : i64} : !llvm.ptr<1> -> vector<3xi32>
    %to_3 = llvm.getelementptr %data_start[3, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_3, %to_3 {alignment = 16 : i64} : vector<3xi32>, !llvm.ptr<3>

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
        tcgen05.cp "cta_group::1.128x128b.b8x16.b6x16_p32" %tmem, %smem : !tmem, !smem
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
    %copied = nvvm.tcgen05.ld %warp_lanes {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<16xi32>
    nvvm.tcgen05.wait <load>
    %output_row = llvm.getelementptr %output[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<16 x i32>
    llvm.store %copied, %output_row {alignment = 16 : i64} : vector<16xi32>, !llvm.ptr<1>

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
