// Scale factors of an mxfp8 operand, M = 128, by 32x128b.warpx4.
//
// Who needs it: products with block scaling, whose scale factors must lie in tensor memory. A tile has 128 rows by 4 blocks
// of 32 elements: row m is in row m % 32 of 16 bytes, in the four bytes m / 32, and every warp gets all of it. Global memory
// holds the tiles in the order of cuBLAS and PyTorch.
// To change: the rows, a multiple of 128 (256 of them take twice the columns); K; and the format: mxfp4 has blocks of 32
// elements too.
//
//   tcgen05 compile scales_mxfp8.mlir --chip sm_100a --to cubin -o scales_mxfp8.cubin
//
// Input: 4 tiles of 512 bytes, K = 512. Output: 128 lanes of 16 words. Launch blocks of 128 threads.

// Tensor memory: 4 columns for each tile. Lane i of every warp holds the scales of rows i, i + 32, i + 64 and i + 96.
#tmem_layout = #tcgen05.layout<[4, 32, 4] : [4@col, 1@lane, 1@col], replica [4 : 32@lane]>
// Shared memory: tiles of 32 rows by 16 bytes, one behind the other.
#smem_layout = #tcgen05.layout<[4, 32, 4] : [128, 4, 1]>
!tmem = !tcgen05.tmem<4x32x4xi32, #tmem_layout, columns 32>
!smem = !tcgen05.smem<4x32x4xi32, #smem_layout>
!data = memref<512xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {

  gpu.func @scales_mxfp8(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>)
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

    // Tiles lie in shared memory as they do in global memory: each thread copies 16 of the 2048 bytes.
    %from = llvm.getelementptr %input[0, %thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<128 x array<4 x i32>>
    %filled = llvm.load %from {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to = llvm.getelementptr %data_start[0, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
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
        tcgen05.cp "cta_group::1.32x128b.warpx4" %tmem, %smem : !tmem, !smem
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
