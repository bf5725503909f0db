// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// A region with run-time terms is legal exactly if it is for every value that they take; the message names one that is not.

// C7 names the sum. Here no column is right, and 2 + 4 * 0 is the first.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?3*4 + 2@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?3*4 + 4@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 2 for a column origin of 2 + 4 * 0}}
  // expected-note@+1 {{the nearest legal columns are 0 and 4}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C7: two terms. The second is wrong alone, whatever the first.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?3*8 + ?2*2@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?3*8 + ?2*4@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 2 for a column origin of 0 + 8 * 0 + 2 * 1}}
  // expected-note@+1 {{the nearest legal columns are 0 and 4}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C8: the last of 32 stages ends beyond the columns.
!dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [?32*16 + 12@col]>>
!src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], swizzle 128B>, align 1024>
!near_dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [?32*16 + 8@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 512 columns, but got columns 508 to 515 for stage 31}}
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !near_dst, !src
  return
}

// -----

// C8: together two terms lead too far, though each is harmless.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?8*64 + ?16*4 + 4@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?8*64 + ?16*4@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 512 columns, but got columns 512 to 515 for stages (7, 15)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C8: below the region.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?4*-4 + 8@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?4*-4 + 12@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 512 columns, but got columns -4 to -1 for stage 3}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// C12: a stage stride that is no multiple of 16 bytes. Stage 0 is aligned, stage 1 is not.
!dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [?4*4098], swizzle 128B>, align 1024>
!near_src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [?4*4100], swizzle 128B>, align 1024>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src origin to be 16-byte aligned, but got byte 16392 for stage 1}}
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// C12: stage and k-step together. The stages are aligned, the k-steps are 24 bytes apart.
!dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [?4*4096 + ?4*6], swizzle 128B>, align 1024>
!near_src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [?4*4096 + ?4*8], swizzle 128B>, align 1024>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src origin to be 16-byte aligned, but got byte 24 for stages (0, 1)}}
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// C10: without swizzle in the layout, 32B fits the stages that start a period and not those half-way into it.
!dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], offset [?4*32]>, align 256, storage 1024>
!near_src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], offset [?4*64]>, align 256, storage 1024>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+3 {{'tcgen05.cp' op expected src row 1, word 0 at byte 16, but got 32}}
  // expected-note@+2 {{the walk that was read off: ldo = 16, sdo = 0, swizzle = none}}
  // expected-note@+1 {{these strides are a walk with swizzle 32B}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// C14: the last stage ends beyond the storage ...
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*512]>, storage 8191>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*512]>, storage 8192>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 8191 bytes of storage, but got row 127, word 3 at byte 8188 for stage 3}}
  // expected-note@+1 {{the copy reads 8192 bytes from the view}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// ... or the first starts before it.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*-512 + 1024]>, storage 8192>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*-512 + 1536]>, storage 8192>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src to start at byte 0 or later, but got byte -2048 for stage 3}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C14: stage and k-step together. 128B puts the first chunk of the last row last, so the first k-step reaches farthest.
!dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [?4*4096 + ?4*8], swizzle 128B>, align 1024, storage 65528>
!near_src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [?4*4096 + ?4*8], swizzle 128B>, align 1024, storage 65536>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 65528 bytes of storage, but got row 127, word 3 at byte 65532 for stages (3, 0)}}
  // expected-note@+1 {{the copy reads 65536 bytes from the view}}
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// A term with 2^40 values is decided by residues and extremes, not by a list.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?1099511627776*4]>, storage 262143>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?1024*4]>, storage 262143>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 262143 bytes of storage, but got row 127, word 3 at byte 17592186046444 for stage 1099511627775}}
  // expected-note@+1 {{the copy reads 17592186046448 bytes from the view}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// So is a column term.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?1099511627776*4@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?128*4@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 512 columns, but got columns 512 to 515 for stage 128}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// One odd value among 2^40 is found.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?1099511627776*4 + ?2*1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
!near_dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?64*8 + ?2*4@col]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 1 for a column origin of 0 + 4 * 0 + 1 * 1}}
  // expected-note@+1 {{the nearest legal columns are 0 and 4}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !near_dst, %src: !src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !near_dst, !src
  return
}

// -----

// Terms that reach 2^18 bytes: there is no such region.
// expected-error@+1 {{expected the image to end below 262144 bytes, but got 264192}}
func.func private @refused(!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?129*512]>>)
func.func private @legal(!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?127*512]>>)

// -----

// Positions are bounded to 2^56.
// expected-error@+1 {{expected offset term to stay within 2^56, but it overflows}}
func.func private @refused(!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4611686018427387904*4]>, storage 2048>)

// -----

// expected-error@+1 {{expected positions to stay within 2^56, but it overflows}}
func.func private @refused(!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?2*72057594037927936 + ?2*1]>, storage 2048>)

// -----

// expected-error@+1 {{expected the product of all extents to be below 2^63, but it overflows}}
func.func private @refused(!tcgen05.smem<4294967296x4294967296xi32, #tcgen05.layout<[4294967296, 4294967296] : [0, 0]>, storage 2048>)

// -----

// expected-error@+1 {{expected stride times extent to stay within 2^56, but it overflows}}
func.func private @refused(!tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4611686018427387904, 1]>, storage 2048>)

// -----

// A slice's terms obey the same bounds: no wrap-around. The view's last position is 2^55 + 2^55 - 1.
!far = !tcgen05.smem<36028797018963968x2xi32, #tcgen05.layout<[36028797018963968, 2] : [1, 36028797018963968]>, storage 2048>
func.func @legal(%v: !far, %i: index) {
  %0 = tcgen05.slice %v[%i * 2, 1] [1, 1] : !far
  return
}
