// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// C1: 64x128b has two multicasts.
!dst = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]>>
!src = !tcgen05.smem<64x4xi32, #tcgen05.layout<[64, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected multicast warpx2::02_13 or warpx2::01_23 for 64x128b, but got none}}
  tcgen05.cp "cta_group::1.64x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::1.64x128b.warpx2::02_13" %dst, %src : !dst, !src
  return
}

// -----

// C1: 128x128b has none.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected no multicast for 128x128b, but got warpx4}}
  tcgen05.cp "cta_group::1.128x128b.warpx4" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C1: 32x128b has one.
!dst = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>>
!src = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected multicast warpx4 for 32x128b, but got warpx2::01_23}}
  tcgen05.cp "cta_group::1.32x128b.warpx2::01_23" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %dst, %src : !dst, !src
  return
}

// -----

// C1: a cta_group that does not exist.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected cta_group to be cta_group::1 or cta_group::2, but got 'cta_group::3'}}
  tcgen05.cp "cta_group::3.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::2.128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C1: a cta_group that is missing.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected cta_group to be cta_group::1 or cta_group::2, but got '128x128b'}}
  tcgen05.cp "128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C1: nothing at all.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected cta_group to be cta_group::1 or cta_group::2, but got the end of the opcode}}
  tcgen05.cp "" %dst, %src : !dst, !src
  return
}

// -----

// C1: a shape that does not exist.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected shape to be 128x256b, 128x128b, 4x256b, 64x128b or 32x128b, but got '128x64b'}}
  tcgen05.cp "cta_group::1.128x64b" %dst, %src : !dst, !src
  return
}

// -----

// C1: a repeated qualifier.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected shape to be 128x256b, 128x128b, 4x256b, 64x128b or 32x128b, but got 'cta_group::1'}}
  tcgen05.cp "cta_group::1.cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C1: half a decompression.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected what follows 128x128b to be b8x16.b4x16_p64, b8x16.b6x16_p32 or nothing, but got 'b8x16'}}
  tcgen05.cp "cta_group::1.128x128b.b8x16" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b.b8x16.b6x16_p32" %dst, %src : !dst, !src
  return
}

// -----

// C1: a misplaced qualifier.
!dst = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]>>
!src = !tcgen05.smem<64x4xi32, #tcgen05.layout<[64, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected multicast to be warpx2::02_13 or warpx2::01_23, but got 'b8x16'}}
  tcgen05.cp "cta_group::1.64x128b.b8x16.b4x16_p64.warpx2::02_13" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::1.64x128b.warpx2::02_13.b8x16.b4x16_p64" %dst, %src : !dst, !src
  return
}

// -----

// C1: a trailing dot.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected what follows 128x128b to be b8x16.b4x16_p64, b8x16.b6x16_p32 or nothing, but got '.'}}
  tcgen05.cp "cta_group::1.128x128b." %dst, %src : !dst, !src
  return
}

// -----

// A scope that does not exist.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected scope to be thread, warp, warpgroup, cta or cluster, but got 'block'}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(block) : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(thread) : !dst, !src
  return
}

// -----

// C1, generic form: the verifier has the parser's words.
!dst = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]>>
!src = !tcgen05.smem<64x4xi32, #tcgen05.layout<[64, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected multicast warpx2::02_13 or warpx2::01_23 for 64x128b, but got none}}
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "64x128b"}> : (!dst, !src) -> ()
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "64x128b", multicast = "warpx2::02_13"}> : (!dst, !src) -> ()
  return
}

// -----

// C1, generic form: cta_group.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected cta_group to be 1 or 2, but got -1}}
  "tcgen05.cp"(%dst, %src) <{cta_group = -1 : i32, shape = "128x128b"}> : (!dst, !src) -> ()
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  "tcgen05.cp"(%dst, %src) <{cta_group = 2 : i32, shape = "128x128b"}> : (!dst, !src) -> ()
  return
}

// -----

// C1, generic form: shape.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected shape to be 128x256b, 128x128b, 4x256b, 64x128b or 32x128b, but got '128X128b'}}
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128X128b"}> : (!dst, !src) -> ()
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128x128b"}> : (!dst, !src) -> ()
  return
}

// -----

// C1, generic form: decompress.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected decompression to be b8x16.b4x16_p64 or b8x16.b6x16_p32, but got 'b4x16_p64'}}
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128x128b", decompress = "b4x16_p64"}> : (!dst, !src) -> ()
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128x128b", decompress = "b8x16.b4x16_p64"}> : (!dst, !src) -> ()
  return
}

// -----

// C1, generic form: what there is none of is absent.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected multicast to be absent where there is none, but got an empty string}}
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128x128b", multicast = ""}> : (!dst, !src) -> ()
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128x128b"}> : (!dst, !src) -> ()
  return
}

// -----

// Generic form: scope.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected scope to be thread, warp, warpgroup, cta or cluster, but got 'block'}}
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128x128b", scope = "block"}> : (!dst, !src) -> ()
  return
}
func.func @legal(%dst: !dst, %src: !src) {
  "tcgen05.cp"(%dst, %src) <{cta_group = 1 : i32, shape = "128x128b", scope = "thread"}> : (!dst, !src) -> ()
  return
}

// -----

// Qualifiers are given by the string alone.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{expected scope to be given by the qualifiers, but got an attribute of that name}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src {scope = "warp"} : !dst, !src
  return
}

// -----

// pred comes before scope, and each once.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%p: i1, %dst: !dst, %src: !src) {
  // expected-error@+1 {{expected ':'}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, scope(thread), pred %p : !dst, !src
  return
}

// -----

// Operands are regions, dst of tensor and src of shared memory.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op operand #0 must be region of tensor memory, but got '!tcgen05.smem<}}
  tcgen05.cp "cta_group::1.128x128b" %src, %dst : !src, !dst
  return
}

// -----

// What is quoted need not be printable.
func.func @refused(%dst: i32, %src: i32) {
  // expected-error@+1 {{expected cta_group to be cta_group::1 or cta_group::2, but got '\FF\0A'}}
  tcgen05.cp "\FF\0A" %dst, %src : i32, i32
  return
}
