// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// Group axes take part in the rules as repeats do, and messages name the member.

// C4: the axes are positional. A lane axis is 1 or 32 long, and none is dropped, not even in front.
!dst = !tcgen05.tmem<16x4x8xi32, #tcgen05.layout<[16, 4, 8] : [1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<16x4x8xi32, #tcgen05.layout<[16, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
!near_src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst lane axis to be 1 or 32 long, but got 16}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !near_dst, !near_src
  return
}

// -----

// C4: both operands have the same group axes; those of one element count.
!dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<1x4x8xi32, #tcgen05.layout<[1, 4, 8] : [0, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
!near_src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [0, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src group extents (32), but got (1)}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !near_dst, !near_src
  return
}

// -----

// C4: leading repeat axes of one are dropped, group axes are not: this is a lane and no repeat.
!dst = !tcgen05.tmem<1x4x8xi32, #tcgen05.layout<[1, 4, 8] : [0@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>, align 256, storage 256>
!near_dst = !tcgen05.tmem<1x1x4x8xi32, #tcgen05.layout<[1, 1, 4, 8] : [0@lane, 0@lane, 32@lane, 1@col]>>
!near_src = !tcgen05.smem<1x4x8xi32, #tcgen05.layout<[1, 4, 8] : [0, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src to lead with group axes (lane) for scope warp, but got shape (4, 8)}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !near_dst, !near_src
  return
}

// -----

// C4: without a scope the same axes are repeats, and those agree.
!dst = !tcgen05.tmem<4x32x4x8xi32, #tcgen05.layout<[4, 32, 4, 8] : [8@col, 1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<4x8x4x8xi32, #tcgen05.layout<[4, 8, 4, 8] : [1024, 32, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_src = !tcgen05.smem<4x32x4x8xi32, #tcgen05.layout<[4, 32, 4, 8] : [1024, 32, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src repeat extents (4, 32), but got (4, 8)}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// C4: a repeat axis behind the group axes is compared by itself.
!dst = !tcgen05.tmem<32x2x4x8xi32, #tcgen05.layout<[32, 2, 4, 8] : [1@lane, 8@col, 32@lane, 1@col]>>
!src = !tcgen05.smem<32x3x4x8xi32, #tcgen05.layout<[32, 3, 4, 8] : [32, 1024, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_src = !tcgen05.smem<32x2x4x8xi32, #tcgen05.layout<[32, 2, 4, 8] : [32, 1024, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src repeat extents (2), but got (3)}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !near_src
  return
}

// -----

// C4: cta has two group axes, cluster three.
!dst = !tcgen05.tmem<2x1x4x8xi32, #tcgen05.layout<[2, 1, 4, 8] : [8@col, 0@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<2x1x4x8xi32, #tcgen05.layout<[2, 1, 4, 8] : [32, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<1x2x1x4x8xi32, #tcgen05.layout<[1, 2, 1, 4, 8] : [0@col, 8@col, 0@lane, 32@lane, 1@col]>>
!near_src = !tcgen05.smem<1x2x1x4x8xi32, #tcgen05.layout<[1, 2, 1, 4, 8] : [0, 32, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to lead with group axes (rank, warp, lane) for scope cluster, but got shape (2, 1, 4, 8)}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cluster) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cluster) : !near_dst, !near_src
  return
}

// -----

// C6: the rows of every member lie in the lanes of the atom, so the axis alone decides.
!dst = !tcgen05.tmem<4x1x128x4xi32, #tcgen05.layout<[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 2@col]>>
!src = !tcgen05.smem<4x1x128x4xi32, #tcgen05.layout<[4, 1, 128, 4] : [512, 0, 4, 1]>>
!near_dst = !tcgen05.tmem<4x1x128x4xi32, #tcgen05.layout<[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst row 0, word 1 in column 1 for 128x128b, but got column 2}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warpgroup) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warpgroup) : !near_dst, !src
  return
}

// -----

// C7: the column of each member is a multiple of 4.
!dst = !tcgen05.tmem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [10@col, 0@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [32, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [12@col, 0@lane, 32@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 10 for warp 1, lane 0}}
  // expected-note@+1 {{the nearest legal columns are 8 and 12}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !near_dst, !src
  return
}

// -----

// C8: each member stays inside of the lanes ...
!dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [2@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 128 lanes, but got lanes 32 to 128 for lane 16}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !near_dst, !src
  return
}

// -----

// ... and of the columns: three warps of eight columns need 24.
!dst = !tcgen05.tmem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [8@col, 0@lane, 32@lane, 1@col]>, columns 20>
!src = !tcgen05.smem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [32, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [8@col, 0@lane, 32@lane, 1@col]>, columns 24>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 20 columns, but got columns 16 to 23 for warp 2, lane 0}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !near_dst, !src
  return
}

// -----

// C8: ranks have a tensor memory each, but none of them is wider.
!dst = !tcgen05.tmem<2x1x1x4x8xi32, #tcgen05.layout<[2, 1, 1, 4, 8] : [8@col, 0@col, 0@lane, 32@lane, 1@col]>, columns 8>
!src = !tcgen05.smem<2x1x1x4x8xi32, #tcgen05.layout<[2, 1, 1, 4, 8] : [0, 0, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<2x1x1x4x8xi32, #tcgen05.layout<[2, 1, 1, 4, 8] : [0@col, 0@col, 0@lane, 32@lane, 1@col]>, columns 8>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 8 columns, but got columns 8 to 15 for rank 1, warp 0, lane 0}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cluster) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cluster) : !near_dst, !src
  return
}

// -----

// C9: lanes of one warp that write the same rows.
!dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [0@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected group members and repeats to write distinct cells, but lane 0 and lane 1 both write lane 0, column 0}}
  // expected-note@+1 {{copies are not ordered among each other}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !near_dst, !src
  return
}

// -----

// C9: one member's second repeat is another's first.
!dst = !tcgen05.tmem<2x1x2x4x8xi32, #tcgen05.layout<[2, 1, 2, 4, 8] : [8@col, 0@lane, 8@col, 32@lane, 1@col]>>
!src = !tcgen05.smem<2x1x2x4x8xi32, #tcgen05.layout<[2, 1, 2, 4, 8] : [32, 0, 1024, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<2x1x2x4x8xi32, #tcgen05.layout<[2, 1, 2, 4, 8] : [16@col, 0@lane, 8@col, 32@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected group members and repeats to write distinct cells, but warp 0, lane 0, repeat (1) and warp 1, lane 0, repeat (0) both write lane 0, column 8}}
  // expected-note@+1 {{copies are not ordered among each other}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !near_dst, !src
  return
}

// -----

// C9: warps of a group half an atom apart.
!dst = !tcgen05.tmem<4x32x4x8xi32, #tcgen05.layout<[4, 32, 4, 8] : [4@col, 1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<4x32x4x8xi32, #tcgen05.layout<[4, 32, 4, 8] : [1024, 32, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<4x32x4x8xi32, #tcgen05.layout<[4, 32, 4, 8] : [8@col, 1@lane, 32@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected group members and repeats to write distinct cells, but warp in group 0, lane 0 and warp in group 1, lane 0 both write lane 0, column 4}}
  // expected-note@+1 {{copies are not ordered among each other}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warpgroup) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warpgroup) : !near_dst, !src
  return
}

// -----

// C9: warps of a rank collide, members of two ranks do not.
!dst = !tcgen05.tmem<2x2x1x4x8xi32, #tcgen05.layout<[2, 2, 1, 4, 8] : [8@col, 0@col, 0@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<2x2x1x4x8xi32, #tcgen05.layout<[2, 2, 1, 4, 8] : [0, 32, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_dst = !tcgen05.tmem<2x2x1x4x8xi32, #tcgen05.layout<[2, 2, 1, 4, 8] : [0@col, 8@col, 0@lane, 32@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected group members and repeats to write distinct cells, but rank 0, warp 0, lane 0 and rank 0, warp 1, lane 0 both write lane 0, column 0}}
  // expected-note@+1 {{copies are not ordered among each other}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cluster) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cluster) : !near_dst, !src
  return
}

// -----

// C10: a swizzle that is not the layout's own must hold for every member. The second warp's rows lie in the other half of the
// period, where 32B would move them.
!dst = !tcgen05.tmem<2x1x4x8xi32, #tcgen05.layout<[2, 1, 4, 8] : [8@col, 0@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<2x1x4x8xi32, #tcgen05.layout<[2, 1, 4, 8] : [32, 0, 8, 1]>, align 256, storage 1024>
!near_src = !tcgen05.smem<2x1x4x8xi32, #tcgen05.layout<[2, 1, 4, 8] : [64, 0, 8, 1]>, align 256, storage 1024>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+3 {{'tcgen05.cp' op expected src row 1, word 0 at byte 16, but got 32}}
  // expected-note@+2 {{the walk that was read off: ldo = 16, sdo = 0, swizzle = none}}
  // expected-note@+1 {{these strides are a walk with swizzle 32B}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !dst, !near_src
  return
}

// -----

// C12: the origin of each member.
!dst = !tcgen05.tmem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [8@col, 0@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [34, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
!near_src = !tcgen05.smem<3x1x4x8xi32, #tcgen05.layout<[3, 1, 4, 8] : [36, 0, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src origin to be 16-byte aligned, but got byte 136 for warp 1, lane 0}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(cta) : !dst, !near_src
  return
}

// -----

// C13: one alignment for all members.
!dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>, align 128, storage 65536>
!near_src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src aligned to 256 bytes for swizzle 32B, but got 128}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !near_src
  return
}

// -----

// C14: each member stays inside of the storage. Lane 31 reads four rows from byte 31 * 128 on, and the swizzle puts word 3 of
// its last row last.
!dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 4092>
!near_src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 4096>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 4092 bytes of storage, but got row 3, word 3 at byte 4092 for lane 31}}
  // expected-note@+1 {{the copy reads 4096 bytes from the view}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !near_src
  return
}

// -----

// C14: nor does any begin before it.
!dst = !tcgen05.tmem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [-32, 8, 1], offset [960], swizzle 32B>, align 256, storage 65536>
!near_src = !tcgen05.smem<32x4x8xi32, #tcgen05.layout<[32, 4, 8] : [-32, 8, 1], offset [992], swizzle 32B>, align 256, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src to start at byte 0 or later, but got byte -128 for lane 31}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src, scope(warp) : !dst, !near_src
  return
}
