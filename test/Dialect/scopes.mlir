// RUN: tcgen05-opt %s -verify-roundtrip | FileCheck %s

// Legal groups: what each thread copies is the slice that its own coordinates name.

#t_warp = #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>
#s_warp = #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>
!t_warp = !tcgen05.tmem<32x4x8xi32, #t_warp, columns 8>
!s_warp = !tcgen05.smem<32x4x8xi32, #s_warp, align 256>

// 32 lanes scatter 128 rows over all lanes of tensor memory.
// CHECK-LABEL: func.func @warp
// CHECK: tcgen05.cp "cta_group::1.4x256b" %{{.*}}, %{{.*}}, scope(warp) :
func.func @warp(%t: !t_warp, %s: !s_warp) {
  tcgen05.cp "cta_group::1.4x256b" %t, %s, scope(warp) : !t_warp, !s_warp
  return
}

// The same axis without a scope is a repeat: scope(thread) is not printed.
// CHECK-LABEL: func.func @thread
// CHECK: tcgen05.cp "cta_group::1.4x256b" %{{[^,]*}}, %{{[^,]*}} : !tcgen05
func.func @thread(%t: !t_warp, %s: !s_warp) {
  tcgen05.cp "cta_group::1.4x256b" %t, %s, scope(thread) : !t_warp, !s_warp
  return
}

// A lane axis of one: all lanes issue the same copy, which is no collision. Its stride may be anything.
// CHECK-LABEL: func.func @lane_of_one
// CHECK: scope(warp)
// CHECK: scope(warpgroup)
#t_one = #tcgen05.layout<[1, 128, 4] : [7@lane, 1@lane, 1@col]>
#s_one = #tcgen05.layout<[1, 128, 4] : [3, 4, 1]>
#t_group = #tcgen05.layout<[1, 1, 128, 4] : [3@col, 7@lane, 1@lane, 1@col]>
#s_group = #tcgen05.layout<[1, 1, 128, 4] : [-1, 3, 4, 1]>
func.func @lane_of_one(%t: !tcgen05.tmem<1x128x4xi32, #t_one>, %s: !tcgen05.smem<1x128x4xi32, #s_one>,
                       %tg: !tcgen05.tmem<1x1x128x4xi32, #t_group>, %sg: !tcgen05.smem<1x1x128x4xi32, #s_group>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(warp) : !tcgen05.tmem<1x128x4xi32, #t_one>, !tcgen05.smem<1x128x4xi32, #s_one>
  tcgen05.cp "cta_group::1.128x128b" %tg, %sg, scope(warpgroup) : !tcgen05.tmem<1x1x128x4xi32, #t_group>, !tcgen05.smem<1x1x128x4xi32, #s_group>
  return
}

// Members may read the same source: only what is written must be distinct.
// CHECK-LABEL: func.func @same_source
// CHECK: scope(cta)
#t_cta = #tcgen05.layout<[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]>
#s_cta = #tcgen05.layout<[4, 1, 128, 4] : [0, 0, 4, 1]>
func.func @same_source(%t: !tcgen05.tmem<4x1x128x4xi32, #t_cta, columns 16>, %s: !tcgen05.smem<4x1x128x4xi32, #s_cta>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(cta) : !tcgen05.tmem<4x1x128x4xi32, #t_cta, columns 16>, !tcgen05.smem<4x1x128x4xi32, #s_cta>
  return
}

// Each rank has a tensor memory of its own: the same cells in both are two places. Repeats come behind the group axes.
// CHECK-LABEL: func.func @ranks
// CHECK: scope(cluster)
#t_ranks = #tcgen05.layout<[2, 2, 1, 2, 128, 4] : [0@col, 4@col, 0@col, 8@col, 1@lane, 1@col]>
#s_ranks = #tcgen05.layout<[2, 2, 1, 2, 128, 4] : [512, 1024, 0, 0, 4, 1]>
func.func @ranks(%t: !tcgen05.tmem<2x2x1x2x128x4xi32, #t_ranks, columns 16>, %s: !tcgen05.smem<2x2x1x2x128x4xi32, #s_ranks>) {
  tcgen05.cp "cta_group::2.128x128b" %t, %s, scope(cluster) : !tcgen05.tmem<2x2x1x2x128x4xi32, #t_ranks, columns 16>, !tcgen05.smem<2x2x1x2x128x4xi32, #s_ranks>
  return
}

// Replicas are sets: two modes of two are one mode of four, in any order, counted from either end.
// CHECK-LABEL: func.func @replicas
// CHECK-COUNT-4: tcgen05.cp "cta_group::1.32x128b.warpx4"
#s32 = #tcgen05.layout<[32, 4] : [4, 1]>
!s32 = !tcgen05.smem<32x4xi32, #s32>
!r0 = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>>
!r1 = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [(2, 2) : (64@lane, 32@lane)]>>
!r2 = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [2 : 32@lane, 2 : 64@lane]>>
!r3 = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [(2, 2) : (-64@lane, 32@lane)], offset [64@lane]>>
func.func @replicas(%a: !r0, %b: !r1, %c: !r2, %d: !r3, %s: !s32) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %a, %s : !r0, !s32
  tcgen05.cp "cta_group::1.32x128b.warpx4" %b, %s : !r1, !s32
  tcgen05.cp "cta_group::1.32x128b.warpx4" %c, %s : !r2, !s32
  tcgen05.cp "cta_group::1.32x128b.warpx4" %d, %s : !r3, !s32
  // Equal sets are equal layouts: a cast changes the spelling.
  %e = tcgen05.cast %b : !r1 -> !r0
  return
}
