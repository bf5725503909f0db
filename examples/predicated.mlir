// Copies under a predicate: the tiles that are there, and no branch around them.
//
// Who needs it: kernels with a ragged edge, a K that is no multiple of the tile, say: the copy of an absent tile is skipped
// by one bit. It costs no branch, and the commit does not wait for what was skipped. The rules hold for a copy whether or not
// it is taken.
// To change: the condition; a copy with repeats has one predicate for all of them. Elect by a branch, not by the predicate:
// otherwise ptxas puts a loop around each copy.
//
//   tcgen05 compile predicated.mlir --chip sm_100a --to cubin -o predicated.cubin
//
// Input: 128 rows of 16 words, and how many tiles of 4 words there are, 0 to 4. Output: these tiles. Launch blocks of 128
// threads.

// Tensor memory: a tile is 4 columns.
#tmem_layout = #tcgen05.layout<[4, 128, 4] : [4@col, 1@lane, 1@col]>
#tmem_tile = #tcgen05.layout<[1, 128, 4] : [4@col, 1@lane, 1@col], offset [?4*4@col]>
// Shared memory: a tile is 128 rows of 16 bytes.
#smem_layout = #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>
#smem_tile = #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?4*512]>
!tmem = !tcgen05.tmem<4x128x4xi32, #tmem_layout, columns 32>
!tmem_tile = !tcgen05.tmem<1x128x4xi32, #tmem_tile, columns 32>
!smem = !tcgen05.smem<4x128x4xi32, #smem_layout>
!smem_tile = !tcgen05.smem<1x128x4xi32, #smem_tile, storage 8192>
!data = memref<2048xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {

  gpu.func @predicated(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>, %count: i32)
      workgroup(%data: !data {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %first = arith.constant 0 : index
    %step = arith.constant 1 : index
    %tiles = arith.constant 4 : index
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

    // Each thread owns one row, four pieces of 16 bytes.
    %from_0 = llvm.getelementptr %input[%thread, 0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<4 x i32>>
    %filled_0 = llvm.load %from_0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to_0 = llvm.getelementptr %data_start[0, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_0, %to_0 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    %from_1 = llvm.getelementptr %input[%thread, 1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<4 x i32>>
    %filled_1 = llvm.load %from_1 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to_1 = llvm.getelementptr %data_start[1, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_1, %to_1 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    %from_2 = llvm.getelementptr %input[%thread, 2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<4 x i32>>
    %filled_2 = llvm.load %from_2 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to_2 = llvm.getelementptr %data_start[2, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_2, %to_2 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    %from_3 = llvm.getelementptr %input[%thread, 3] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x array<4 x i32>>
    %filled_3 = llvm.load %from_3 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    %to_3 = llvm.getelementptr %data_start[3, %thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<128 x vector<4xi32>>
    llvm.store %filled_3, %to_3 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>

    // The copies read shared memory through the asynchronous proxy: every writer fences, then all meet.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier

    // One thread issues the copies of the tiles that are there, and one commit for all.
    %address = llvm.load %address_slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.tmem_view %address : !tmem
    %smem = tcgen05.smem_view %data : !data -> !smem
    scf.if %is_warp_0 {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        scf.for %tile = %first to %tiles step %step {
          %number = arith.index_cast %tile : index to i32
          %is_there = arith.cmpi ult, %number, %count : i32
          %columns_of_tile = tcgen05.slice %tmem[%tile, 0, 0] [1, 128, 4] : !tmem -> !tmem_tile
          %words_of_tile = tcgen05.slice %smem[%tile, 0, 0] [1, 128, 4] : !smem -> !smem_tile
          tcgen05.cp "cta_group::1.128x128b" %columns_of_tile, %words_of_tile, pred %is_there : !tmem_tile, !smem_tile
        }
        nvvm.tcgen05.commit %copy_done : !llvm.ptr<3>
      }
    }

    // All threads wait for the copies; the fence orders the reads below behind that wait.
    %phase = arith.constant 0 : i32
    %ticks = arith.constant 1000000 : i32
    nvvm.mbarrier.try_wait.parity %copy_done, %phase, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>

    // What no copy wrote is not read either. A warp reaches its own 32 lanes only: bits 31-16 of a TMEM address.
    scf.for %tile = %first to %tiles step %step {
      %number = arith.index_cast %tile : index to i32
      %is_there = arith.cmpi ult, %number, %count : i32
      scf.if %is_there {
        %tile_columns = arith.constant 4 : i32
        %first_column = arith.muli %number, %tile_columns : i32
        %first_lane_mask = arith.constant 96 : i32
        %first_lane = arith.andi %thread, %first_lane_mask : i32
        %lane_shift = arith.constant 16 : i32
        %lane_bits = arith.shli %first_lane, %lane_shift : i32
        %warp_address = arith.addi %address, %lane_bits : i32
        %tile_address = arith.addi %warp_address, %first_column : i32
        %warp_lanes = llvm.inttoptr %tile_address : i32 to !llvm.ptr<6>
        %copied = nvvm.tcgen05.ld %warp_lanes {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
        nvvm.tcgen05.wait <load>
        %output_tile = llvm.getelementptr %output[%thread, %number]
            : (!llvm.ptr<1>, i32, i32) -> !llvm.ptr<1>, !llvm.array<4 x vector<4xi32>>
        llvm.store %copied, %output_tile {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
      }
    }

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
