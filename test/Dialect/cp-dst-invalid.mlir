// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// C6: every row in its lane.
!dst = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]>>
!src = !tcgen05.smem<64x4xi32, #tcgen05.layout<[64, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst row 32 in lane 64 for 64x128b.warpx2::01_23, but got lane 32}}
  // expected-note@+1 {{this mapping is 64x128b.warpx2::02_13}}
  tcgen05.cp "cta_group::1.64x128b.warpx2::01_23" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.64x128b.warpx2::01_23" %dst, %src : !near_dst, !src
  return
}

// -----

// C6: every word in the next column.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 2@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[(4, 32), (2, 2)] : [(32@lane, 1@lane), (2@col, 1@col)]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst row 0, word 1 in column 1 for 128x128b, but got column 2}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C6: rows of stride zero fail by themselves.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [0@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst row 1 in lane 1 for 128x128b, but got lane 0}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C7: the column origin is a multiple of 4.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [6@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [8@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 6}}
  // expected-note@+1 {{the nearest legal columns are 4 and 8}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C7: for every value of a term.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?2*2 + 4@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?2*4 + 4@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 6 for a column origin of 4 + 2 * 1}}
  // expected-note@+1 {{the nearest legal columns are 4 and 8}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C7: for every repeat.
!dst = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [6@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [512, 4, 1]>>
!near_dst = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [8@col, 1@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 6 for repeat (1)}}
  // expected-note@+1 {{the nearest legal columns are 4 and 8}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C8: 512 columns.
!dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [508@col]>>
!src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, (2, 4)] : [4, (512, 1)]>>
!near_dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [504@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 512 columns, but got columns 508 to 515}}
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !near_dst, !src
  return
}

// -----

// C8: `columns` of them, for every repeat.
!dst = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [32@col, 1@lane, 1@col]>, columns 32>
!src = !tcgen05.smem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [512, 4, 1]>>
!near_dst = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [28@col, 1@lane, 1@col]>, columns 32>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 32 columns, but got columns 32 to 35 for repeat (1)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C8: 128 lanes, replicas included.
!dst = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane], offset [32@lane]>>
!src = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 128 lanes, but got lanes 32 to 159}}
  tcgen05.cp "cta_group::1.32x128b.warpx4" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %dst, %src : !near_dst, !src
  return
}

// -----

// C8: lanes may be chosen where the atom leaves room.
!dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col], offset [32@lane]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>, align 256, storage 256>
!near_dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col], offset [31@lane]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 128 lanes, but got lanes 32 to 128}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !near_dst, !src
  return
}

// -----

// C9: repeats write distinct cells.
!dst = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [0@col, 1@lane, 1@col], offset [4@col]>>
!src = !tcgen05.smem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [512, 4, 1]>>
!near_dst = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [-4@col, 1@lane, 1@col], offset [4@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected repeats to write distinct cells, but repeats (0) and (1) both write lane 0, column 4}}
  // expected-note@+1 {{copies are not ordered among each other}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C9: so do the members of a group; a lane axis of one means that all lanes issue the same copy.
!dst = !tcgen05.tmem<32x128x4xi32, #tcgen05.layout<[32, 128, 4] : [0@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<32x128x4xi32, #tcgen05.layout<[32, 128, 4] : [512, 4, 1]>>
!near_dst = !tcgen05.tmem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [0@col, 1@lane, 1@col]>>
!near_src = !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [0, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected group members and repeats to write distinct cells, but lane 0 and lane 1 both write lane 0, column 0}}
  // expected-note@+1 {{copies are not ordered among each other}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warp) : !near_dst, !near_src
  return
}

// -----

// C9: warps of one CTA collide, CTA ranks do not.
!dst = !tcgen05.tmem<1x2x1x128x4xi32, #tcgen05.layout<[1, 2, 1, 128, 4] : [0@col, 0@col, 0@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<1x2x1x128x4xi32, #tcgen05.layout<[1, 2, 1, 128, 4] : [0, 512, 0, 4, 1]>>
!near_dst = !tcgen05.tmem<2x1x1x128x4xi32, #tcgen05.layout<[2, 1, 1, 128, 4] : [0@col, 0@col, 0@col, 1@lane, 1@col]>>
!near_src = !tcgen05.smem<2x1x1x128x4xi32, #tcgen05.layout<[2, 1, 1, 128, 4] : [0, 0, 0, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected group members and repeats to write distinct cells, but rank 0, warp 0, lane 0 and rank 0, warp 1, lane 0 both write lane 0, column 0}}
  // expected-note@+1 {{copies are not ordered among each other}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(cluster) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(cluster) : !near_dst, !near_src
  return
}
