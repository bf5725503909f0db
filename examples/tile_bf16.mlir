// A bf16 operand tile in 128B swizzle, as TMA leaves it, by 128x256b: four copies along the row.
//
// Who needs it: kernels that keep operand A in tensor memory and load it by TMA in the swizzle that is free of bank
// conflicts. A row is 64 elements, 128 bytes; a copy takes 16 of them, and the next one begins 32 bytes further along the
// same swizzled rows.
// To change: the swizzle, here and in the tensor map; K, by the repeats: 8 of them for two tiles of 64 elements.
//
//   tcgen05 compile tile_bf16.mlir --chip sm_100a --to cubin -o tile_bf16.cubin
//
// Arguments: a tensor map (a CUtensorMap in global memory: bf16, box 64 x 128, SWIZZLE_128B), and the output, 128 rows of 32
// words. Launch blocks of 128 threads.

// Tensor memory: 4 copies of 8 columns; a column of a lane holds 2 elements.
#tmem_layout = #tcgen05.layout<[4, 128, 8] : [8@col, 1@lane, 1@col]>
// Shared memory: rows of 32 words, 128 bytes, swizzled. A copy takes 8 words of each row, the next copy the 8 beside them.
#smem_layout = #tcgen05.layout<[4, 128, 8] : [8, 32, 1], swizzle 128B>
!tmem = !tcgen05.tmem<4x128x8xi32, #tmem_layout, columns 32>
!smem = !tcgen05.smem<4x128x8xi32, #smem_layout, align 1024>
!data = memref<4096xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {

  gpu.func @tile_bf16(%map: !llvm.ptr, %output: !llvm.ptr<1>)
      workgroup(%data: !data {llvm.align = 1024 : i64})
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
    gpu.barrier

    // One thread lets TMA fill the tile, waits for its bytes, and copies. TMA writes through the asynchronous proxy, as the
    // copies read: no fence between.
    %address = llvm.load %address_slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.tmem_view %address : !tmem
    %smem = tcgen05.smem_view %data : !data -> !smem
    scf.if %is_warp_0 {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        %full = llvm.mlir.addressof @tile_full : !llvm.ptr<3>
        %one_arrival = arith.constant 1 : i32
        nvvm.mbarrier.init %full, %one_arrival : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
        %tile_bytes = arith.constant 16384 : i32
        nvvm.mbarrier.arrive.expect_tx %full, %tile_bytes : !llvm.ptr<3>, i32
        %start = llvm.addrspacecast %data_start : !llvm.ptr<3> to !llvm.ptr<7>
        %column = arith.constant 0 : i32
        %row = arith.constant 0 : i32
        nvvm.cp.async.bulk.tensor.shared.cluster.global %start, %map, %full, box[%column, %row] : !llvm.ptr<7>, !llvm.ptr
        %full_phase = arith.constant 0 : i32
        %full_ticks = arith.constant 1000000 : i32
        nvvm.mbarrier.try_wait.parity %full, %full_phase, %full_ticks : !llvm.ptr<3>, i32, i32
        tcgen05.cp "cta_group::1.128x256b" %tmem, %smem : !tmem, !smem
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
    %copied = nvvm.tcgen05.ld %warp_lanes {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<32xi32>
    nvvm.tcgen05.wait <load>
    %output_row = llvm.getelementptr %output[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<32 x i32>
    llvm.store %copied, %output_row {alignment = 16 : i64} : vector<32xi32>, !llvm.ptr<1>

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
  llvm.mlir.global internal @tile_full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
}
