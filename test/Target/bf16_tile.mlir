// REQUIRES: ptxas, python-package
// RUN: %tcgen05 compile %s --chip sm_100a --to ptx | FileCheck %s
// RUN: %tcgen05 compile %s --chip sm_100a --to cubin -o %t.cubin

// A tile of bf16 in 128B swizzle: 64 elements of a row are 32 words. The view says which bytes are meant, slices then speak of words:
// a k-step of 16 elements is 8 words, 32 bytes along the row.

#words = #tcgen05.layout<[256, 32] : [32, 1], swizzle 128B>
!tile = memref<256x64xbf16, #gpu.address_space<workgroup>>
!words = !tcgen05.smem<256x32xi32, #words, align 1024>
!tmem = !tcgen05.tmem<128x32xi32, #tcgen05.layout<[128, 32] : [1@lane, 1@col]>, columns 32>
!step = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [?2*4096 + ?4*8], swizzle 128B>, align 1024>
!columns = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [?4*8@col]>, columns 32>

gpu.module @tiles {
  // Known steps: one base for 128B with 1024 bytes between row groups, and 2 units of 16 bytes a step.
  // CHECK-LABEL: .entry steps
  // CHECK: or.b64 [[BASE:%rd[0-9]+]], %rd{{[0-9]+}}, 4611756662049538048;
  // CHECK: mov.b64 d, [[BASE]]; tcgen05.cp.cta_group::1.128x256b [t], d; }
  // CHECK: add.s64 d, [[BASE]], 2; tcgen05.cp.cta_group::1.128x256b [t+8], d; }
  // CHECK: add.s64 d, [[BASE]], 4; tcgen05.cp.cta_group::1.128x256b [t+16], d; }
  // CHECK: add.s64 d, [[BASE]], 6; tcgen05.cp.cta_group::1.128x256b [t+24], d; }
  // CHECK-NOT: tcgen05.cp
  // CHECK: ret
  gpu.func @steps(%address: i32) workgroup(%tile: !tile {llvm.align = 1024 : i64})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %tmem = tcgen05.tmem_view %address : !tcgen05.tmem<4x128x8xi32, #tcgen05.layout<[4, 128, 8] : [8@col, 1@lane, 1@col]>, columns 32>
    %words = tcgen05.smem_view %tile : !tile -> !tcgen05.smem<4x128x8xi32, #tcgen05.layout<[4, 128, 8] : [8, 32, 1], swizzle 128B>, align 1024>
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x256b" %tmem, %words
          : !tcgen05.tmem<4x128x8xi32, #tcgen05.layout<[4, 128, 8] : [8@col, 1@lane, 1@col]>, columns 32>, !tcgen05.smem<4x128x8xi32, #tcgen05.layout<[4, 128, 8] : [8, 32, 1], swizzle 128B>, align 1024>
    }
    gpu.return
  }

  // Half and k-step known at run time: 128 rows of 128 bytes are 1024 units of 16, a step is 2 units and 8 columns.
  // CHECK-LABEL: .entry part
  // CHECK-DAG: ld.param.b64 [[HALF:%rd[0-9]+]], [part_param_1];
  // CHECK-DAG: ld.param.b64 [[STEP:%rd[0-9]+]], [part_param_2];
  // CHECK-DAG: cvt.u32.u64 [[HALF32:%r[0-9]+]], [[HALF]];
  // CHECK-DAG: cvt.u32.u64 [[STEP32:%r[0-9]+]], [[STEP]];
  // CHECK-DAG: shl.b32 [[COLUMNS:%r[0-9]+]], [[STEP32]], 3;
  // CHECK-DAG: add.s32 [[T:%r[0-9]+]], [[COLUMNS]], %r
  // CHECK-DAG: shl.b32 %r{{[0-9]+}}, [[HALF32]], 10;
  // CHECK-DAG: shl.b32 %r{{[0-9]+}}, [[STEP32]], 1;
  // CHECK: add.s64 [[D:%rd[0-9]+]], %rd{{[0-9]+}}, 4611756662049538048;
  // CHECK: mov.b32 t, [[T]]; mov.b64 d, [[D]]; tcgen05.cp.cta_group::1.128x256b [t], d; }
  // CHECK-NOT: tcgen05.cp
  // CHECK: ret
  gpu.func @part(%address: i32, %half: index, %step: index) workgroup(%tile: !tile {llvm.align = 1024 : i64})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %tmem = tcgen05.tmem_view %address : !tmem
    %words = tcgen05.smem_view %tile : !tile -> !words
    %columns = tcgen05.slice %tmem[0, %step * 8] [128, 8] : !tmem -> !columns
    %part = tcgen05.slice %words[%half * 128, %step * 8] [128, 8] : !words -> !step
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x256b" %columns, %part : !columns, !step
    }
    gpu.return
  }
}
