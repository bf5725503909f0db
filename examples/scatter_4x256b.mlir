// Every fourth row to each warp, by 4x256b: its four rows land in four warps.
//
// Who needs it: kernels whose rows are interleaved, row r for warp r % 4; and convolutions, which shift an image in tensor
// memory down by one lane (tcgen05.shift) and then renew one lane of each warp. 32 repeats down the lanes fill all of them
// here; that single copy has a layout with offset [31@lane].
// To change: the number of repeats, down the lanes and along the columns. Each copy moves 128 bytes: where rows may stay in
// order, 128x256b takes one for all.
//
//   tcgen05 compile scatter_4x256b.mlir --chip sm_100a --to cubin -o scatter_4x256b.cubin
//
// Input: 128 rows of 8 words. Output: 128 lanes of 8 words; row r is in lane 32 (r % 4) + r / 4. Launch blocks of 128
// threads.

// Tensor memory: the four rows of a copy are 32 lanes apart, the next copy is one lane further down.
#tmem_layout = #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>
// Shared memory: without swizzle a tile is 16 bytes wide; the second 16 bytes of a row are 2048 bytes behind the first.
#smem_layout = #tcgen05.layout<[32, 4, (2, 4)] : [16, 4, (512, 1)]>
!tmem = !tcgen05.tmem<32x4x8xi32, #tmem_layout, columns 32>
!smem = !tcgen05.smem<32x4x8xi32, #smem_layout>
!data = memref<1024xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {

  gpu.func @scatter_4x256b(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>)
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

    // Each thread owns one row, 32 bytes.
    %from_0 = llvm.getelementptr %input[%thread, 0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<2 x array<4 x i32>>
    %filled_0 = llvm.load %from_0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to_0 = llvm.getelementptr %data_start[0, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_0, %to_0 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    %from_1 = llvm.getelementptr %input[%thread, 1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<2 x array<4 x i32>>
    %filled_1 = llvm.load %from_1 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to_1 = llvm.getelementptr %data_start[1, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_1, %to_1 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>

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
        tcgen05.cp "cta_group::1.4x256b" %tmem, %smem : !tmem, !smem
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
