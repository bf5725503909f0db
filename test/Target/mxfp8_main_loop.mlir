// REQUIRES: ptxas, python-package
// RUN: %tcgen05 compile %s --chip sm_100a --to ptx | FileCheck %s
// RUN: %tcgen05 compile %s --chip sm_100a --to cubin -o %t.cubin
// RUN: tcgen05-opt %s -tcgen05-compile="chip=sm_100a format=bin" | FileCheck %s --check-prefix=BIN
// BIN: gpu.binary @mxfp8

// The main loop of a block-scaled matrix product as people write it: a cluster of two CTAs, one warp that fills a ring of six
// stages in shared memory and one that copies the scale factors to tensor memory and multiplies. Per CTA and stage there are
// scale factors for M = 256, N = 128, K = 256: one 32x128b.warpx4 copy for each 128 rows and 128 of K.

// Scale factors of A and of B share 16 columns per 128 of K: those of A for rows 0 - 127 and 128 - 255 lie in columns 0 and 4, those
// of B in column 8. The next 128 of K begins at column 16, so A's copies go to columns 0, 4, 16, 20. Each stage has
// columns of its own: a copy is not ordered behind an earlier product, but a full stage says that the product which last read it, and
// those columns, is done.
#tmem_a = #tcgen05.layout<[6, 2, 2, 32, 4] : [32@col, 16@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane]>
#tmem_b = #tcgen05.layout<[6, 2, 1, 32, 4] : [32@col, 16@col, 0@col, 1@lane, 1@col], replica [(2, 2) : (64@lane, 32@lane)], offset [8@col]>
#ring_a = #tcgen05.layout<[6, 2, 2, 32, 4] : [512, 256, 128, 4, 1]>
#ring_b = #tcgen05.layout<[6, 2, 1, 32, 4] : [256, 128, 0, 4, 1]>
!tmem_a = !tcgen05.tmem<6x2x2x32x4xi32, #tmem_a, columns 192>
!tmem_b = !tcgen05.tmem<6x2x1x32x4xi32, #tmem_b, columns 192>
!ring_a = !tcgen05.smem<6x2x2x32x4xi32, #ring_a, align 128>
!ring_b = !tcgen05.smem<6x2x1x32x4xi32, #ring_b, align 128>

// One slot and one stage, known when the program runs.
!slot_a = !tcgen05.tmem<1x2x2x32x4xi32, #tcgen05.layout<[1, 2, 2, 32, 4] : [32@col, 16@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane], offset [?6*32@col]>, columns 192>
!slot_b = !tcgen05.tmem<1x2x1x32x4xi32, #tcgen05.layout<[1, 2, 1, 32, 4] : [32@col, 16@col, 0@col, 1@lane, 1@col], replica [(2, 2) : (64@lane, 32@lane)], offset [?6*32 + 8@col]>, columns 192>
!stage_a = !tcgen05.smem<1x2x2x32x4xi32, #tcgen05.layout<[1, 2, 2, 32, 4] : [512, 256, 128, 4, 1], offset [?6*512]>, align 128>
!stage_b = !tcgen05.smem<1x2x1x32x4xi32, #tcgen05.layout<[1, 2, 1, 32, 4] : [256, 128, 0, 4, 1], offset [?6*256]>, align 128>

!words_a = memref<3072xi32, #gpu.address_space<workgroup>>
!words_b = memref<1536xi32, #gpu.address_space<workgroup>>

gpu.module @mxfp8 {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<6 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<6 x i64>
  llvm.mlir.global internal @done() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // The copies of a stage lie in the loop, under the leader's election. The stage is a part of the registers that all copies of a
  // view share, a base descriptor and an address; all else are literals: 512 bytes are 32 units of 16.
  // CHECK-LABEL: .entry main_loop
  // CHECK: elect.sync
  // CHECK: mapa.shared::cluster.u32
  // CHECK: elect.sync
  // CHECK: mbarrier.try_wait.parity
  // CHECK: add.s32 [[A:%r[0-9]+]], [[STAGE:%r[0-9]+]], 256;
  // CHECK: { .reg .b32 t; .reg .b64 d; mov.b32 t, [[A]]; mov.b64 d, [[DA:%rd[0-9]+]]; tcgen05.cp.cta_group::2.32x128b.warpx4 [t], d; }
  // CHECK: { .reg .b32 t; .reg .b64 d; mov.b32 t, [[A]]; add.s64 d, [[DA]], 32; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+4], d; }
  // CHECK: { .reg .b32 t; .reg .b64 d; mov.b32 t, [[A]]; add.s64 d, [[DA]], 64; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+16], d; }
  // CHECK: { .reg .b32 t; .reg .b64 d; mov.b32 t, [[A]]; add.s64 d, [[DA]], 96; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+20], d; }
  // CHECK: { .reg .b32 t; .reg .b64 d; mov.b32 t, [[A]]; mov.b64 d, [[DB:%rd[0-9]+]]; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+8], d; }
  // CHECK: { .reg .b32 t; .reg .b64 d; mov.b32 t, [[A]]; add.s64 d, [[DB]], 32; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+24], d; }
  // CHECK-NOT: tcgen05.cp
  // The products read the columns that the copies wrote, behind the accumulators' 256: A's 0, 4, 16, 20, B's 8 and 24.
  // CHECK: add.s32 [[B_0:%r[0-9]+]], [[STAGE]], 264;
  // CHECK: tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.{{.*}} {{.*}}, [[[A]]], [[[B_0]]], %p
  // CHECK: add.s32 [[A_4:%r[0-9]+]], [[STAGE]], 260;
  // CHECK: tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.{{.*}} {{.*}}, [[[A_4]]], [[[B_0]]], %p
  // CHECK-DAG: add.s32 [[A_16:%r[0-9]+]], [[STAGE]], 272;
  // CHECK-DAG: add.s32 [[B_16:%r[0-9]+]], [[STAGE]], 280;
  // CHECK: tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.{{.*}} {{.*}}, [[[A_16]]], [[[B_16]]], %p
  // CHECK: add.s32 [[A_20:%r[0-9]+]], [[STAGE]], 276;
  // CHECK: tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.{{.*}} {{.*}}, [[[A_20]]], [[[B_16]]], %p
  // CHECK-NOT: tcgen05.cp
  // CHECK: tcgen05.commit.cta_group::2
  // CHECK-NOT: tcgen05.cp
  // CHECK: tcgen05.dealloc.cta_group::2
  gpu.func @main_loop(%scales_a: !llvm.ptr<1>, %scales_b: !llvm.ptr<1>, %matrix_a: i64, %matrix_b: i64, %instruction: i32, %num_tiles: index)
      workgroup(%words_a: !words_a {llvm.align = 128 : i64}, %words_b: !words_b {llvm.align = 128 : i64})
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c128 = arith.constant 128 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %warp_size = arith.constant 32 : i32
    %columns = arith.constant 512 : i32
    %scale_columns = arith.constant 256 : i32
    %ticks = arith.constant 1000000 : i32
    %bytes_a = arith.constant 2048 : i32
    %bytes_b = arith.constant 1024 : i32
    %bytes = arith.constant 3072 : i32
    %both = arith.constant 3 : i16
    %tile_units = arith.constant 4096 : i64
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>

    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %is_leader = arith.cmpi eq, %rank, %zero : i32
    %warp = arith.divui %thread, %warp_size : i32
    %is_producer = arith.cmpi eq, %warp, %zero : i32
    %is_consumer = arith.cmpi eq, %warp, %one : i32
    // The leader reads both rings: its barriers count the peer's word as well.
    %fillers = arith.select %is_leader, %two, %one : i32

    scf.if %is_producer {
      nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        scf.for %i = %c0 to %c6 step %c1 {
          %index = arith.index_cast %i : index to i32
          %full_i = llvm.getelementptr %full[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %empty_i = llvm.getelementptr %empty[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %full_i, %fillers : !llvm.ptr<3>, i32
          nvvm.mbarrier.init %empty_i, %one : !llvm.ptr<3>, i32
        }
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    nvvm.tcgen05.fence <after>

    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    // The accumulators take 256 columns, the scale factors a part of the rest.
    %scale_address = arith.addi %address, %scale_columns : i32
    %tmem_a = tcgen05.tmem_view %scale_address : !tmem_a
    %tmem_b = tcgen05.tmem_view %scale_address : !tmem_b
    %ring_a = tcgen05.smem_view %words_a : !words_a -> !ring_a
    %ring_b = tcgen05.smem_view %words_b : !words_b -> !ring_b

    // The first warp of each CTA fills its own ring.
    scf.if %is_producer {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        scf.for %tile = %c0 to %num_tiles step %c1 {
          %stage = arith.remui %tile, %c6 : index
          %index = arith.index_cast %stage : index to i32
          %round = arith.divui %tile, %c6 : index
          %round_i32 = arith.index_cast %round : index to i32
          %odd = arith.andi %round_i32, %one : i32
          %free = arith.xori %odd, %one : i32
          %full_i = llvm.getelementptr %full[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %empty_i = llvm.getelementptr %empty[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.try_wait.parity %empty_i, %free, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.mbarrier.arrive.expect_tx %full_i, %bytes : !llvm.ptr<3>, i32
          %a = tcgen05.slice %ring_a[%stage, 0, 0, 0, 0] [1, 2, 2, 32, 4] : !ring_a -> !stage_a
          %b = tcgen05.slice %ring_b[%stage, 0, 0, 0, 0] [1, 2, 1, 32, 4] : !ring_b -> !stage_b
          %a_start = tcgen05.address %a : !stage_a -> !llvm.ptr<3>
          %b_start = tcgen05.address %b : !stage_b -> !llvm.ptr<3>
          %tile_i32 = arith.index_cast %tile : index to i32
          %a_from = llvm.getelementptr %scales_a[%tile_i32] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<512 x i32>
          %b_from = llvm.getelementptr %scales_b[%tile_i32] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<256 x i32>
          %a_cluster = llvm.addrspacecast %a_start : !llvm.ptr<3> to !llvm.ptr<7>
          %b_cluster = llvm.addrspacecast %b_start : !llvm.ptr<3> to !llvm.ptr<7>
          nvvm.cp.async.bulk.shared.cluster.global %a_cluster, %a_from, %full_i, %bytes_a : !llvm.ptr<7>, !llvm.ptr<1>
          nvvm.cp.async.bulk.shared.cluster.global %b_cluster, %b_from, %full_i, %bytes_b : !llvm.ptr<7>, !llvm.ptr<1>
        }
      }
    }

    // The second warp of the peer tells the leader what has arrived.
    %is_peer = arith.cmpi ne, %rank, %zero : i32
    %relays = arith.andi %is_peer, %is_consumer : i1
    scf.if %relays {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        scf.for %tile = %c0 to %num_tiles step %c1 {
          %stage = arith.remui %tile, %c6 : index
          %index = arith.index_cast %stage : index to i32
          %round = arith.divui %tile, %c6 : index
          %round_i32 = arith.index_cast %round : index to i32
          %odd = arith.andi %round_i32, %one : i32
          %full_i = llvm.getelementptr %full[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.try_wait.parity %full_i, %odd, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.inline_ptx "{ .reg .b32 r; mapa.shared::cluster.u32 r, $0, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]; }" ro(%full_i : !llvm.ptr<3>)
        }
      }
    }

    // The second warp of the leader copies and multiplies for both CTAs.
    %multiplies = arith.andi %is_leader, %is_consumer : i1
    scf.if %multiplies {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        scf.for %tile = %c0 to %num_tiles step %c1 {
          %stage = arith.remui %tile, %c6 : index
          %index = arith.index_cast %stage : index to i32
          %round = arith.divui %tile, %c6 : index
          %round_i32 = arith.index_cast %round : index to i32
          %odd = arith.andi %round_i32, %one : i32
          %full_i = llvm.getelementptr %full[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %empty_i = llvm.getelementptr %empty[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.try_wait.parity %full_i, %odd, %ticks : !llvm.ptr<3>, i32, i32

          %a = tcgen05.slice %ring_a[%stage, 0, 0, 0, 0] [1, 2, 2, 32, 4] : !ring_a -> !stage_a
          %b = tcgen05.slice %ring_b[%stage, 0, 0, 0, 0] [1, 2, 1, 32, 4] : !ring_b -> !stage_b
          %a_slot = tcgen05.slice %tmem_a[%stage, 0, 0, 0, 0] [1, 2, 2, 32, 4] : !tmem_a -> !slot_a
          %b_slot = tcgen05.slice %tmem_b[%stage, 0, 0, 0, 0] [1, 2, 1, 32, 4] : !tmem_b -> !slot_b
          tcgen05.cp "cta_group::2.32x128b.warpx4" %a_slot, %a : !slot_a, !stage_a
          tcgen05.cp "cta_group::2.32x128b.warpx4" %b_slot, %b : !slot_b, !stage_b

          // One product for each 128 of K and each 128 rows a CTA; its scale factors begin at the slice's address.
          %tile_i64 = arith.index_cast %tile : index to i64
          %moved = arith.muli %tile_i64, %tile_units : i64
          %a_tile = arith.addi %matrix_a, %moved : i64
          %b_tile = arith.addi %matrix_b, %moved : i64
          scf.for %k = %c0 to %c2 step %c1 {
            scf.for %m = %c0 to %c2 step %c1 {
              %a_scales = tcgen05.slice %a_slot[0, %k, %m, 0, 0] [1, 1, 1, 32, 4] : !slot_a
              %b_scales = tcgen05.slice %b_slot[0, %k, 0, 0, 0] [1, 1, 1, 32, 4] : !slot_b
              %a_address = tcgen05.address %a_scales : !tcgen05.tmem<1x1x1x32x4xi32, #tcgen05.layout<[1, 1, 1, 32, 4] : [32@col, 16@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane], offset [?6*32 + ?2*16 + ?2*4@col]>, columns 192> -> i32
              %b_address = tcgen05.address %b_scales : !tcgen05.tmem<1x1x1x32x4xi32, #tcgen05.layout<[1, 1, 1, 32, 4] : [32@col, 16@col, 0@col, 1@lane, 1@col], replica [(2, 2) : (64@lane, 32@lane)], offset [?6*32 + ?2*16 + 8@col]>, columns 192> -> i32
              %a_pointer = llvm.inttoptr %a_address : i32 to !llvm.ptr<6>
              %b_pointer = llvm.inttoptr %b_address : i32 to !llvm.ptr<6>
              %m_i32 = arith.index_cast %m : index to i32
              %m_columns = arith.muli %m_i32, %c128 : i32
              %accumulator = arith.addi %address, %m_columns : i32
              %d_pointer = llvm.inttoptr %accumulator : i32 to !llvm.ptr<6>
              %sum = arith.addi %tile, %k : index
              %accumulates = arith.cmpi ne, %sum, %c0 : index
              nvvm.tcgen05.mma.block_scale %d_pointer, %a_tile, %b_tile, %instruction, %accumulates, %a_pointer, %b_pointer
                  {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_2>}
                  : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
            }
          }
          nvvm.tcgen05.commit %empty_i, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
        }
        nvvm.tcgen05.commit %done, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
      }
    }

    nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_producer {
      nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
      %allocation = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %allocation, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
