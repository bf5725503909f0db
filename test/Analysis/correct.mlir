// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics -o /dev/null
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-check-protocol -verify-diagnostics -o /dev/null

// Kernels as people write them. Nothing is to be said about any of them.

#scales = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>
#words = #tcgen05.layout<[32, 4] : [4, 1]>
#ring = #tcgen05.layout<[4, 32, 4] : [128, 4, 1]>
#stage = #tcgen05.layout<[1, 32, 4] : [128, 4, 1], offset [?4*128]>
!scales = !tcgen05.tmem<32x4xi32, #scales, columns 4>
!words = !tcgen05.smem<32x4xi32, #words>
!ring = !tcgen05.smem<4x32x4xi32, #ring>
!stage = !tcgen05.smem<1x32x4xi32, #stage, storage 2048>
!shared = memref<4x128xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @done() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  func.func private @fence() {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    return
  }

  // A ring of four stages and two mbarriers for each: every thread fills a part
  // of a stage when it is empty, and one thread copies it when it is full.
  gpu.func @ring(%input: !llvm.ptr<1>, %n: index, %a: i64, %b: i64, %idesc: i32)
      workgroup(%data: !shared {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : i32
    %columns = arith.constant 64 : i32
    %scale_column = arith.constant 32 : i32
    %ticks = arith.constant 1000000 : i32
    %true = arith.constant true
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %index = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : i32
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %accumulator = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %scale_address = arith.addi %address, %scale_column : i32
    %t = tcgen05.tmem_view %scale_address : !scales
    %ring = tcgen05.smem_view %data : !shared -> !ring
    %scale_start = tcgen05.address %t : !scales -> i32
    %scale = llvm.inttoptr %scale_start : i32 to !llvm.ptr<6>
    scf.for %i = %c0 to %n step %c1 {
      %stage = arith.remui %i, %c4 : index
      %round = arith.divui %i, %c4 : index
      %stage_32 = arith.index_cast %stage : index to i32
      %round_32 = arith.index_cast %round : index to i32
      %stage_full = llvm.getelementptr %full[%stage_32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %stage_empty = llvm.getelementptr %empty[%stage_32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %is_first = arith.cmpi ult, %i, %c4 : index
      %is_later = arith.xori %is_first, %true : i1
      scf.if %is_later {
        nvvm.mbarrier.try_wait.parity %stage_empty, %round_32, %ticks : !llvm.ptr<3>, i32, i32
      }
      %filled = llvm.load %input : !llvm.ptr<1> -> i32
      memref.store %filled, %data[%stage, %index] : !shared
      func.call @fence() : () -> ()
      %state = nvvm.mbarrier.arrive %stage_full : !llvm.ptr<3> -> i64
      scf.if %is_warp_0 {
        %elected = nvvm.elect.sync -> i1
        scf.if %elected {
          nvvm.mbarrier.try_wait.parity %stage_full, %round_32, %ticks : !llvm.ptr<3>, i32, i32
          %previous = arith.cmpi ne, %i, %c0 : index
          scf.if %previous {
            nvvm.mbarrier.try_wait.parity %done, %round_32, %ticks : !llvm.ptr<3>, i32, i32
          }
          %s = tcgen05.slice %ring[%stage, 0, 0] [1, 32, 4] : !ring -> !stage
          tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %s : !scales, !stage
          nvvm.tcgen05.mma.block_scale %accumulator, %a, %b, %idesc, %true, %scale, %scale {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
          nvvm.tcgen05.commit %stage_empty : !llvm.ptr<3>
          nvvm.tcgen05.commit %done : !llvm.ptr<3>
        }
      }
    }
    %parity = arith.constant 0 : i32
    nvvm.mbarrier.try_wait.parity %done, %parity, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %result = nvvm.tcgen05.ld %accumulator {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<32xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    scf.if %is_warp_0 {
      nvvm.tcgen05.dealloc %accumulator, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Two CTAs: both store and fence, the leader issues for the pair and tells
  // both by a multicast commit.
  gpu.func @pair(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>)
      workgroup(%data: memref<128xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %both = arith.constant 3 : i16
    %ticks = arith.constant 1000000 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %index = gpu.thread_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : i32
    %is_leader = arith.cmpi eq, %rank, %c0 : i32
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %c32 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    }
    %filled = llvm.load %input : !llvm.ptr<1> -> i32
    memref.store %filled, %data[%index] : memref<128xi32, #gpu.address_space<workgroup>>
    func.call @fence() : () -> ()
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tcgen05.tmem_view %address : !scales
    %s = tcgen05.smem_view %data : memref<128xi32, #gpu.address_space<workgroup>> -> !words
    %issues = arith.andi %is_leader, %is_warp_0 : i1
    scf.if %issues {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        tcgen05.cp "cta_group::2.32x128b.warpx4" %t, %s : !scales, !words
        nvvm.tcgen05.commit %done, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
      }
    }
    nvvm.mbarrier.try_wait.parity %done, %c0, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %copied = nvvm.tcgen05.ld %pointer {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    nvvm.tcgen05.wait <load>
    llvm.store %copied, %output : vector<4xi32>, !llvm.ptr<1>
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_warp_0 {
      nvvm.tcgen05.dealloc %pointer, %c32 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Warps with roles: the first one issues, the last one fills, the others read.
  gpu.func @roles(%input: !llvm.ptr<1>, %output: !llvm.ptr<1>, %n: index)
      workgroup(%data: memref<128xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
    %columns = arith.constant 32 : i32
    %ticks = arith.constant 1000000 : i32
    %lane_mask = arith.constant 31 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.shrui %thread, %five : i32
    %lane = arith.andi %thread, %lane_mask : i32
    %lane_index = arith.index_cast %lane : i32 to index
    %is_issuer = arith.cmpi eq, %warp, %zero : i32
    %is_filler = arith.cmpi eq, %warp, %five : i32
    %works = arith.ori %is_issuer, %is_filler : i1
    scf.if %is_issuer {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %t = tcgen05.tmem_view %address : !scales
    %s = tcgen05.smem_view %data : memref<128xi32, #gpu.address_space<workgroup>> -> !words
    scf.if %is_filler {
      scf.for %i = %c0 to %n step %c1 {
        %parity = arith.index_cast %i : index to i32
        nvvm.mbarrier.try_wait.parity %empty, %parity, %ticks : !llvm.ptr<3>, i32, i32
        %filled = llvm.load %input : !llvm.ptr<1> -> i32
        memref.store %filled, %data[%lane_index] : memref<128xi32, #gpu.address_space<workgroup>>
        func.call @fence() : () -> ()
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
    }
    scf.if %is_issuer {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        scf.for %i = %c0 to %n step %c1 {
          %parity = arith.index_cast %i : index to i32
          nvvm.mbarrier.try_wait.parity %full, %parity, %ticks : !llvm.ptr<3>, i32, i32
          tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %s : !scales, !words
          nvvm.tcgen05.commit %empty : !llvm.ptr<3>
          nvvm.tcgen05.commit %done : !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %empty, %parity, %ticks : !llvm.ptr<3>, i32, i32
        }
      }
    }
    scf.if %works {
    } else {
      scf.for %i = %c0 to %n step %c1 {
        %parity = arith.index_cast %i : index to i32
        nvvm.mbarrier.try_wait.parity %done, %parity, %ticks : !llvm.ptr<3>, i32, i32
        nvvm.tcgen05.fence <after>
        %copied = nvvm.tcgen05.ld %pointer {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
        nvvm.tcgen05.wait <load>
        llvm.store %copied, %output : vector<4xi32>, !llvm.ptr<1>
        nvvm.tcgen05.fence <before>
      }
    }
    gpu.barrier
    scf.if %is_issuer {
      nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
