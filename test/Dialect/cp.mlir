// RUN: tcgen05-opt %s -verify-roundtrip | FileCheck %s

// The operands of the six atoms.
#t128 = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s128 = #tcgen05.layout<[128, 4] : [4, 1]>
#t256 = #tcgen05.layout<[128, 8] : [1@lane, 1@col]>
#s256 = #tcgen05.layout<[128, (2, 4)] : [4, (512, 1)]>
#t4 = #tcgen05.layout<[4, 8] : [32@lane, 1@col]>
#s4 = #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>
#t02_13 = #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]>
#t01_23 = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>
#s64 = #tcgen05.layout<[64, 4] : [4, 1]>
#t32 = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>
#s32 = #tcgen05.layout<[32, 4] : [4, 1]>
!t128 = !tcgen05.tmem<128x4xi32, #t128, columns 32>
!s128 = !tcgen05.smem<128x4xi32, #s128>

// CHECK-LABEL: func.func @atoms
// CHECK: tcgen05.cp "cta_group::1.128x256b" %{{.*}}, %{{.*}} : !tcgen05.tmem<128x8xi32, #{{tmem_layout[0-9]*}}>, !tcgen05.smem<128x8xi32, #{{smem_layout[0-9]*}}>
// CHECK-NEXT: tcgen05.cp "cta_group::2.128x128b" %
// CHECK-NEXT: tcgen05.cp "cta_group::1.4x256b.b8x16.b4x16_p64" %
// CHECK-NEXT: tcgen05.cp "cta_group::2.64x128b.warpx2::02_13.b8x16.b6x16_p32" %
// CHECK-NEXT: tcgen05.cp "cta_group::1.64x128b.warpx2::01_23.b8x16.b4x16_p64" %
// CHECK-NEXT: tcgen05.cp "cta_group::1.32x128b.warpx4" %
func.func @atoms(
    %t256: !tcgen05.tmem<128x8xi32, #t256>, %s256: !tcgen05.smem<128x8xi32, #s256>,
    %t128: !t128, %s128: !s128,
    %t4: !tcgen05.tmem<4x8xi32, #t4>, %s4: !tcgen05.smem<4x8xi32, #s4, align 256, storage 256>,
    %t02_13: !tcgen05.tmem<64x4xi32, #t02_13>, %t01_23: !tcgen05.tmem<64x4xi32, #t01_23>, %s64: !tcgen05.smem<64x4xf32, #s64>,
    %t32: !tcgen05.tmem<32x4xi32, #t32>, %s32: !tcgen05.smem<32x4xui32, #s32>) {
  tcgen05.cp "cta_group::1.128x256b" %t256, %s256 : !tcgen05.tmem<128x8xi32, #t256>, !tcgen05.smem<128x8xi32, #s256>
  // The prefix of PTX is accepted and not printed.
  tcgen05.cp "tcgen05.cp.cta_group::2.128x128b" %t128, %s128 : !t128, !s128
  tcgen05.cp "cta_group::1.4x256b.b8x16.b4x16_p64" %t4, %s4 : !tcgen05.tmem<4x8xi32, #t4>, !tcgen05.smem<4x8xi32, #s4, align 256, storage 256>
  tcgen05.cp "cta_group::2.64x128b.warpx2::02_13.b8x16.b6x16_p32" %t02_13, %s64 : !tcgen05.tmem<64x4xi32, #t02_13>, !tcgen05.smem<64x4xf32, #s64>
  tcgen05.cp "cta_group::1.64x128b.warpx2::01_23.b8x16.b4x16_p64" %t01_23, %s64 : !tcgen05.tmem<64x4xi32, #t01_23>, !tcgen05.smem<64x4xf32, #s64>
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t32, %s32 : !tcgen05.tmem<32x4xi32, #t32>, !tcgen05.smem<32x4xui32, #s32>
  return
}

// CHECK-LABEL: func.func @pred
// CHECK-SAME: %[[PRED:[a-z0-9]*]]: i1
// CHECK-NEXT: tcgen05.cp "cta_group::1.128x128b" %{{.*}}, %{{.*}}, pred %[[PRED]] : !tcgen05.tmem
// A scope of thread is not printed, other attributes are.
// CHECK-NEXT: tcgen05.cp "cta_group::1.128x128b" %{{.*}}, %{{.*}} {note = "kept"} : !tcgen05.tmem
func.func @pred(%p: i1, %t: !t128, %s: !s128) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %p : !t128, !s128
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(thread) {note = "kept"} : !t128, !s128
  return
}

// Two repeat axes; leading unit extents are ignored on both sides, independently.
#t_repeats = #tcgen05.layout<[2, 2, 32, 4] : [16@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane]>
#s_repeats = #tcgen05.layout<[1, 2, 2, 32, 4] : [0, 256, 128, 4, 1]>
// CHECK-LABEL: func.func @repeats
// CHECK: tcgen05.cp "cta_group::1.32x128b.warpx4" %{{.*}}, %{{.*}} : !tcgen05.tmem<2x2x32x4xi32, #{{tmem_layout[0-9]*}}>, !tcgen05.smem<1x2x2x32x4xi32, #{{smem_layout[0-9]*}}>
func.func @repeats(%t: !tcgen05.tmem<2x2x32x4xi32, #t_repeats>, %s: !tcgen05.smem<1x2x2x32x4xi32, #s_repeats>) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %s : !tcgen05.tmem<2x2x32x4xi32, #t_repeats>, !tcgen05.smem<1x2x2x32x4xi32, #s_repeats>
  return
}

// A run-time stage of a swizzled ring, and a run-time column.
#t_any = #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [?4*8@col]>
#s_ring = #tcgen05.layout<[128, 8] : [32, 1], offset [?4*4096], swizzle 128B>
// CHECK-LABEL: func.func @terms
// CHECK: tcgen05.cp "cta_group::1.128x256b"
func.func @terms(%t: !tcgen05.tmem<128x8xi32, #t_any, columns 32>, %s: !tcgen05.smem<128x8xi32, #s_ring, align 1024>) {
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !tcgen05.tmem<128x8xi32, #t_any, columns 32>, !tcgen05.smem<128x8xi32, #s_ring, align 1024>
  return
}

// Group axes: 32 lanes of a warp, four warps of a group, two warps of a block, two ranks of a cluster.
#t_warp = #tcgen05.layout<[32, 128, 4] : [4@col, 1@lane, 1@col]>
#s_warp = #tcgen05.layout<[32, 128, 4] : [0, 4, 1]>
#t_group = #tcgen05.layout<[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]>
#s_group = #tcgen05.layout<[4, 1, 128, 4] : [512, 0, 4, 1]>
#t_cta = #tcgen05.layout<[2, 1, 3, 128, 4] : [12@col, 0@col, 4@col, 1@lane, 1@col]>
#s_cta = #tcgen05.layout<[2, 1, 3, 128, 4] : [1536, 0, 512, 4, 1]>
#t_cluster = #tcgen05.layout<[2, 2, 1, 128, 4] : [0@col, 4@col, 0@col, 1@lane, 1@col]>
#s_cluster = #tcgen05.layout<[2, 2, 1, 128, 4] : [0, 512, 0, 4, 1]>
// CHECK-LABEL: func.func @scopes
// CHECK: tcgen05.cp "cta_group::1.128x128b" %{{.*}}, %{{.*}}, scope(warp) : !tcgen05
// CHECK: tcgen05.cp "cta_group::1.128x128b" %{{.*}}, %{{.*}}, pred %{{.*}}, scope(warpgroup) : !tcgen05
// CHECK: tcgen05.cp "cta_group::1.128x128b" %{{.*}}, %{{.*}}, scope(cta) : !tcgen05
// CHECK: tcgen05.cp "cta_group::1.128x128b" %{{.*}}, %{{.*}}, scope(cluster) : !tcgen05
func.func @scopes(
    %p: i1, %t0: !tcgen05.tmem<32x128x4xi32, #t_warp>, %s0: !tcgen05.smem<32x128x4xi32, #s_warp>,
    %t1: !tcgen05.tmem<4x1x128x4xi32, #t_group>, %s1: !tcgen05.smem<4x1x128x4xi32, #s_group>,
    %t2: !tcgen05.tmem<2x1x3x128x4xi32, #t_cta>, %s2: !tcgen05.smem<2x1x3x128x4xi32, #s_cta>,
    %t3: !tcgen05.tmem<2x2x1x128x4xi32, #t_cluster>, %s3: !tcgen05.smem<2x2x1x128x4xi32, #s_cluster>) {
  tcgen05.cp "cta_group::1.128x128b" %t0, %s0, scope(warp) : !tcgen05.tmem<32x128x4xi32, #t_warp>, !tcgen05.smem<32x128x4xi32, #s_warp>
  tcgen05.cp "cta_group::1.128x128b" %t1, %s1, pred %p, scope(warpgroup) : !tcgen05.tmem<4x1x128x4xi32, #t_group>, !tcgen05.smem<4x1x128x4xi32, #s_group>
  tcgen05.cp "cta_group::1.128x128b" %t2, %s2, scope(cta) : !tcgen05.tmem<2x1x3x128x4xi32, #t_cta>, !tcgen05.smem<2x1x3x128x4xi32, #s_cta>
  tcgen05.cp "cta_group::1.128x128b" %t3, %s3, scope(cluster) : !tcgen05.tmem<2x2x1x128x4xi32, #t_cluster>, !tcgen05.smem<2x2x1x128x4xi32, #s_cluster>
  return
}

// C15 asks for a target only where there is one, and takes every chip that has the instruction.
// CHECK: gpu.module @target [#nvvm.target<chip = "sm_100a">, #nvvm.target<chip = "sm_110f">]
gpu.module @target [#nvvm.target<chip = "sm_100a">, #nvvm.target<chip = "sm_110f">] {
  gpu.func @copy(%t: !t128, %s: !s128) {
    // CHECK: tcgen05.cp "cta_group::1.128x128b"
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !t128, !s128
    gpu.return
  }
}
