// A ring of four stages in shared memory, with the stage known at run time only.
//
// Who needs it: pipelined kernels. One warp loads tiles ahead into the stages of a ring, another copies each into tensor
// memory when it has arrived, and its commit frees the stage. The stage is a slice with a run-time index: its type keeps the
// bounds, so the rules are checked for all four stages at compile time.
// To change: the number of stages, by the layout of the ring; the tile; what follows a copy: a product behind it needs no
// wait.
//
//   tcgen05 compile ring_stages.mlir --chip sm_100a --to cubin -o ring_stages.cubin
//
// Input: 32 tiles of 512 bytes: mxfp8 scales of 128 rows, K = 4096. Output: 128 lanes of 128 words. Launch blocks of 128
// threads.

// Tensor memory: 32 tiles of 4 columns, and one of them.
#tmem_layout = #tcgen05.layout<[32, 32, 4] : [4@col, 1@lane, 1@col], replica [4 : 32@lane]>
#tmem_tile = #tcgen05.layout<[1, 32, 4] : [4@col, 1@lane, 1@col], replica [4 : 32@lane], offset [?32*4@col]>
// Shared memory: four stages of 512 bytes, and one of them: ?4*128 is 128 words times a stage below 4.
#smem_layout = #tcgen05.layout<[4, 32, 4] : [128, 4, 1]>
#smem_stage = #tcgen05.layout<[1, 32, 4] : [128, 4, 1], offset [?4*128]>
!tmem = !tcgen05.tmem<32x32x4xi32, #tmem_layout, columns 128>
!tile = !tcgen05.tmem<1x32x4xi32, #tmem_tile, columns 128>
!smem = !tcgen05.smem<4x32x4xi32, #smem_layout>
!stage = !tcgen05.smem<1x32x4xi32, #smem_stage, storage 2048>
!data = memref<512xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {

  gpu.func @ring_stages(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>)
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
    %columns = arith.constant 128 : i32
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

    // Each stage has two barriers: what is loaded arrives at one, what is copied at the other.
    scf.if %is_warp_0 {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        %full_0 = llvm.mlir.addressof @full : !llvm.ptr<3>
        %full_1 = llvm.getelementptr %full_0[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
        %full_2 = llvm.getelementptr %full_0[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
        %full_3 = llvm.getelementptr %full_0[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
        %full_arrivals = arith.constant 1 : i32
        nvvm.mbarrier.init %full_0, %full_arrivals : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %full_1, %full_arrivals : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %full_2, %full_arrivals : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %full_3, %full_arrivals : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
        %empty_0 = llvm.mlir.addressof @empty : !llvm.ptr<3>
        %empty_1 = llvm.getelementptr %empty_0[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
        %empty_2 = llvm.getelementptr %empty_0[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
        %empty_3 = llvm.getelementptr %empty_0[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
        %empty_arrivals = arith.constant 1 : i32
        nvvm.mbarrier.init %empty_0, %empty_arrivals : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %empty_1, %empty_arrivals : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %empty_2, %empty_arrivals : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %empty_3, %empty_arrivals : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
    }
    gpu.barrier

    %address = llvm.load %address_slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.tmem_view %address : !tmem
    %smem = tcgen05.smem_view %data : !data -> !smem
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>

    // Warp 1 loads each tile into its stage, once the copy of the tile before it there is done.
    %warp_threads = arith.constant 32 : i32
    %warp = arith.divui %thread, %warp_threads : i32
    %loading_warp = arith.constant 1 : i32
    %is_loader = arith.cmpi eq, %warp, %loading_warp : i32
    scf.if %is_loader {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        %first = arith.constant 0 : index
        %step = arith.constant 1 : index
        %tiles = arith.constant 32 : index
        scf.for %tile = %first to %tiles step %step {
          %stages = arith.constant 4 : index
          %stage = arith.remui %tile, %stages : index
          %round_index = arith.divui %tile, %stages : index
          %round = arith.index_cast %round_index : index to i32
          %number = arith.index_cast %stage : index to i32
          %one = arith.constant 1 : i32
          %phase_of_round = arith.andi %round, %one : i32
          // A barrier that nothing has arrived at yet lets the phase before its first one pass.
          %other = arith.constant 1 : i32
          %phase_before = arith.xori %phase_of_round, %other : i32
          %stage_empty = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %empty_ticks = arith.constant 1000000 : i32
          nvvm.mbarrier.try_wait.parity %stage_empty, %phase_before, %empty_ticks : !llvm.ptr<3>, i32, i32
          %stage_full = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %expected = arith.constant 512 : i32
          nvvm.mbarrier.arrive.expect_tx %stage_full, %expected : !llvm.ptr<3>, i32
          %words = tcgen05.slice %smem[%stage, 0, 0] [1, 32, 4] : !smem -> !stage
          %words_start = tcgen05.address %words : !stage -> !llvm.ptr<3>
          %start = llvm.addrspacecast %words_start : !llvm.ptr<3> to !llvm.ptr<7>
          %tile_number = arith.index_cast %tile : index to i32
          %from = llvm.getelementptr %input[%tile_number] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<512 x i8>
          %size = arith.constant 512 : i32
          nvvm.cp.async.bulk.shared.cluster.global %start, %from, %stage_full, %size : !llvm.ptr<7>, !llvm.ptr<1>
        }
      }
    }

    // Warp 0 copies each tile when it has arrived; the commit says when its stage is free again.
    scf.if %is_warp_0 {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        %first = arith.constant 0 : index
        %step = arith.constant 1 : index
        %tiles = arith.constant 32 : index
        scf.for %tile = %first to %tiles step %step {
          %stages = arith.constant 4 : index
          %stage = arith.remui %tile, %stages : index
          %round_index = arith.divui %tile, %stages : index
          %round = arith.index_cast %round_index : index to i32
          %number = arith.index_cast %stage : index to i32
          %one = arith.constant 1 : i32
          %phase_of_round = arith.andi %round, %one : i32
          %stage_full = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %full_ticks = arith.constant 1000000 : i32
          nvvm.mbarrier.try_wait.parity %stage_full, %phase_of_round, %full_ticks : !llvm.ptr<3>, i32, i32
          %columns_of_tile = tcgen05.slice %tmem[%tile, 0, 0] [1, 32, 4] : !tmem -> !tile
          %words = tcgen05.slice %smem[%stage, 0, 0] [1, 32, 4] : !smem -> !stage
          tcgen05.cp "cta_group::1.32x128b.warpx4" %columns_of_tile, %words : !tile, !stage
          %stage_empty = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.tcgen05.commit %stage_empty : !llvm.ptr<3>
        }
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
    %copied = nvvm.tcgen05.ld %warp_lanes {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<128xi32>
    nvvm.tcgen05.wait <load>
    %output_row = llvm.getelementptr %output[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<128 x i32>
    llvm.store %copied, %output_row {alignment = 16 : i64} : vector<128xi32>, !llvm.ptr<1>

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
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
}
