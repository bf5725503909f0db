// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// C2: src elements of 32 bits; f32 with i32 is legal.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xbf16, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_src = !tcgen05.smem<128x4xf32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src elements of 32 bits, but got 'bf16'}}
  // expected-note@+1 {{view the same bytes as 32-bit words}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C2: dst elements of 32 bits, and dst before src.
!dst = !tcgen05.tmem<128x4xf64, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xbf16, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xui32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst elements of 32 bits, but got 'f64'}}
  // expected-note@+1 {{view the same bytes as 32-bit words}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !near_src
  return
}

// -----

// C3: both shapes end in (rows, words).
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, (2, 4)] : [4, (512, 1)]>>
!near_dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to end in (128, 4) for 128x128b, but got (128, 8)}}
  // expected-note@+1 {{this shape is that of 128x256b}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !near_dst, !src
  return
}

// -----

// C3: and have both.
!dst = !tcgen05.tmem<128xi32, #tcgen05.layout<[128] : [1@lane]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to end in (128, 4) for 128x128b, but got (128)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C4: repeat extents agree; a leading extent of one is no repeat.
!dst = !tcgen05.tmem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [4@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [512, 4, 1]>>
!near_dst = !tcgen05.tmem<1x2x128x4xi32, #tcgen05.layout<[1, 2, 128, 4] : [0@col, 4@col, 1@lane, 1@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src repeat extents (4), but got (2)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C4: inner extents of one are compared.
!dst = !tcgen05.tmem<4x1x128x4xi32, #tcgen05.layout<[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>>
!near_src = !tcgen05.smem<4x1x128x4xi32, #tcgen05.layout<[4, 1, 128, 4] : [512, 0, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src repeat extents (4, 1), but got (4)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C4: a lane axis is 1 or 32 long.
!dst = !tcgen05.tmem<8x128x4xi32, #tcgen05.layout<[8, 128, 4] : [4@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<8x128x4xi32, #tcgen05.layout<[8, 128, 4] : [512, 4, 1]>>
!near_dst = !tcgen05.tmem<32x128x4xi32, #tcgen05.layout<[32, 128, 4] : [4@col, 1@lane, 1@col]>>
!near_src = !tcgen05.smem<32x128x4xi32, #tcgen05.layout<[32, 128, 4] : [512, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst lane axis to be 1 or 32 long, but got 8}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warp) : !near_dst, !near_src
  return
}

// -----

// C4: a warp-in-group axis is 1 or 4 long.
!dst = !tcgen05.tmem<2x1x128x4xi32, #tcgen05.layout<[2, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<2x1x128x4xi32, #tcgen05.layout<[2, 1, 128, 4] : [512, 0, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst warp in group axis to be 1 or 4 long, but got 2}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warpgroup) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(cta) : !dst, !src
  return
}

// -----

// C4: group axes are never dropped.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [0@col, 1@lane, 1@col]>>
!near_src = !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [0, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to lead with group axes (lane) for scope warp, but got shape (128, 4)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warp) : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(warp) : !near_dst, !near_src
  return
}

// -----

// C4: group extents agree.
!dst = !tcgen05.tmem<2x1x128x4xi32, #tcgen05.layout<[2, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<4x1x128x4xi32, #tcgen05.layout<[4, 1, 128, 4] : [512, 0, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src group extents (2, 1), but got (4, 1)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(cta) : !dst, !src
  return
}

// -----

// C5: a multicast is written out; order and splitting of modes do not matter.
!dst = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [(2, 2) : (32@lane, 64@lane)]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst replica [4 : 32@lane] for warpx4, but got none}}
  tcgen05.cp "cta_group::1.32x128b.warpx4" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %dst, %src : !near_dst, !src
  return
}

// -----

// C5: replicas are sets, the offset added.
!dst = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [2 : 32@lane], offset [96@lane]>>
!src = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : -32@lane], offset [96@lane]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst replica [4 : 32@lane] for warpx4, but got [2 : 32@lane]}}
  // expected-note@+1 {{this replica is that of 64x128b.warpx2::01_23}}
  tcgen05.cp "cta_group::1.32x128b.warpx4" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %dst, %src : !near_dst, !src
  return
}

// -----

// C5: without multicast there is none; a replica of stride zero adds nothing.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], replica [2 : 4@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], replica [2 : 0@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected no dst replica for 128x128b, but got [2 : 4@col]}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}
