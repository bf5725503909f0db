// REQUIRES: ptxas, python-package
// RUN: %tcgen05 compile %s --chip sm_100a --to ptx | FileCheck %s
// RUN: %tcgen05 compile %s --chip sm_100a --to cubin -o %t.cubin

// Regions are values like others: a loop carries them, a branch chooses between them. What is known of each is in its type, and a
// cast says less where both ways meet.

#tmem = #tcgen05.layout<[2, 2, 32, 4] : [16@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane]>
#ring = #tcgen05.layout<[6, 2, 2, 32, 4] : [512, 256, 128, 4, 1]>
#stage = #tcgen05.layout<[1, 2, 2, 32, 4] : [512, 256, 128, 4, 1], offset [?6*512]>
#first = #tcgen05.layout<[1, 2, 2, 32, 4] : [512, 256, 128, 4, 1]>
#fourth = #tcgen05.layout<[1, 2, 2, 32, 4] : [512, 256, 128, 4, 1], offset [1536]>
!tmem = !tcgen05.tmem<2x2x32x4xi32, #tmem, columns 32>
!ring = !tcgen05.smem<6x2x2x32x4xi32, #ring, align 128>
!stage = !tcgen05.smem<1x2x2x32x4xi32, #stage, align 128>
!first = !tcgen05.smem<1x2x2x32x4xi32, #first, align 128, storage 12288>
!fourth = !tcgen05.smem<1x2x2x32x4xi32, #fourth, align 128, storage 12288>
!words = memref<3072xi32, #gpu.address_space<workgroup>>

gpu.module @rings {
  // The stage of the next turn is chosen at the end of each: what the loop carries is the address of a stage, and each copy of it is
  // its descriptor plus a literal.
  // CHECK-LABEL: .entry carried
  // CHECK: or.b64 [[BASE:%rd[0-9]+]], %rd{{[0-9]+}}, 70403103981568;
  // CHECK: mov.b64 d, [[BASE]]; tcgen05.cp.cta_group::2.32x128b.warpx4 [t], d; }
  // CHECK: add.s64 d, [[BASE]], 32; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+4], d; }
  // CHECK: add.s64 d, [[BASE]], 64; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+16], d; }
  // CHECK: add.s64 d, [[BASE]], 96; tcgen05.cp.cta_group::2.32x128b.warpx4 [t+20], d; }
  // CHECK: bra
  gpu.func @carried(%address: i32, %tiles: index) workgroup(%words: !words {llvm.align = 128 : i64})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %tmem = tcgen05.tmem_view %address : !tmem
    %ring = tcgen05.smem_view %words : !words -> !ring
    %start = tcgen05.slice %ring[0, 0, 0, 0, 0] [1, 2, 2, 32, 4] : !ring -> !first
    %any = tcgen05.cast %start : !first -> !stage
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      %last = scf.for %tile = %c0 to %tiles step %c1 iter_args(%stage = %any) -> (!stage) {
        tcgen05.cp "cta_group::2.32x128b.warpx4" %tmem, %stage : !tmem, !stage
        %next = arith.addi %tile, %c1 : index
        %index = arith.remui %next, %c6 : index
        %following = tcgen05.slice %ring[%index, 0, 0, 0, 0] [1, 2, 2, 32, 4] : !ring -> !stage
        scf.yield %following : !stage
      }
    }
    gpu.return
  }

  // The stage of one of two buffers. In the fourth stage coordinate zero lies 6144 bytes from the view's address, a part that its type
  // keeps; the cast adds it to the address, since the type behind the branch no longer says which it is.
  // CHECK-LABEL: .entry chosen
  // CHECK: add.s32 [[FOURTH:%r[0-9]+]], [[FIRST:%r[0-9]+]], 6144;
  // CHECK: selp.b32 %r{{[0-9]+}}, [[FOURTH]], [[FIRST]], %p
  // CHECK-COUNT-4: tcgen05.cp.cta_group::2.32x128b.warpx4
  // CHECK-NOT: tcgen05.cp
  // CHECK: ret
  gpu.func @chosen(%address: i32, %second: i1) workgroup(%words: !words {llvm.align = 128 : i64})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %tmem = tcgen05.tmem_view %address : !tmem
    %ring = tcgen05.smem_view %words : !words -> !ring
    %stage = scf.if %second -> (!stage) {
      %part = tcgen05.slice %ring[3, 0, 0, 0, 0] [1, 2, 2, 32, 4] : !ring -> !fourth
      %any = tcgen05.cast %part : !fourth -> !stage
      scf.yield %any : !stage
    } else {
      %part = tcgen05.slice %ring[0, 0, 0, 0, 0] [1, 2, 2, 32, 4] : !ring -> !first
      %any = tcgen05.cast %part : !first -> !stage
      scf.yield %any : !stage
    }
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::2.32x128b.warpx4" %tmem, %stage : !tmem, !stage
    }
    gpu.return
  }
}
