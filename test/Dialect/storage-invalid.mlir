// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// What belongs to a region: bytes of shared memory, columns of tensor memory.

// Four rows of eight words are 128 bytes, but the hardware's block is eight rows of 32 bytes.
!dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>, align 256, storage 128>
!near_src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>, align 256, storage 256>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src storage of at least 256 bytes for the eight-row block, but got 128}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// Eight rows of 64 bytes.
!dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [16, 1], swizzle 64B>, align 512, storage 511>
!near_src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [16, 1], swizzle 64B>, align 512, storage 512>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src storage of at least 512 bytes for the eight-row block, but got 511}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// Eight rows of 128 bytes.
!dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [32, 1], swizzle 128B>, align 1024, storage 1023>
!near_src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [32, 1], swizzle 128B>, align 1024, storage 1024>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src storage of at least 1024 bytes for the eight-row block, but got 1023}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// Without swizzle two blocks of 128 bytes, LDO apart.
!dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, (2, 4)] : [4, (64, 1)]>, storage 383>
!near_src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, (2, 4)] : [4, (64, 1)]>, storage 384>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src storage of at least 384 bytes for the eight-row block, but got 383}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// Sixteen copies of four rows read 64 rows: 2048 bytes are exactly theirs.
!dst = !tcgen05.tmem<16x4x8xi32, #tcgen05.layout<[16, 4, 8] : [1@lane, 32@lane, 1@col]>>
!src = !tcgen05.smem<16x4x8xi32, #tcgen05.layout<[16, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 2044>
!near_src = !tcgen05.smem<16x4x8xi32, #tcgen05.layout<[16, 4, 8] : [32, 8, 1], swizzle 32B>, align 256, storage 2048>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 2044 bytes of storage, but got row 3, word 3 at byte 2044 for repeat (15)}}
  // expected-note@+1 {{the copy reads 2048 bytes from the view}}
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.4x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// A slice inherits the storage of its view: three and a half stages hold no fourth one.
!t = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
func.func @refused(%t: !t, %ring: !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>, storage 7168>, %i: index) {
  %stage = tcgen05.slice %ring[%i, 0, 0] [1, 128, 4] : !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>, storage 7168>
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 7168 bytes of storage, but got row 127, word 3 at byte 8188 for stage 3}}
  // expected-note@+1 {{the copy reads 8192 bytes from the view}}
  tcgen05.cp "cta_group::1.128x128b" %t, %stage : !t, !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?4*512]>, storage 7168>
  return
}
func.func @legal(%t: !t, %ring: !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>>, %i: index) {
  %stage = tcgen05.slice %ring[%i, 0, 0] [1, 128, 4] : !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>>
  tcgen05.cp "cta_group::1.128x128b" %t, %stage : !t, !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?4*512]>>
  return
}

// -----

// A slice of a buffer of four rows has more storage than it needs itself: the buffer's.
!t = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
func.func @legal(%t: !t, %s: !tcgen05.smem<8x8xi32, #tcgen05.layout<[8, 8] : [8, 1], swizzle 32B>, align 256>) {
  %part = tcgen05.slice %s[4, 0] [4, 8] : !tcgen05.smem<8x8xi32, #tcgen05.layout<[8, 8] : [8, 1], swizzle 32B>, align 256>
  tcgen05.cp "cta_group::1.4x256b" %t, %part : !t, !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], offset [32], swizzle 32B>, align 256>
  return
}
func.func @refused(%t: !t, %s: !tcgen05.smem<7x8xi32, #tcgen05.layout<[7, 8] : [8, 1], swizzle 32B>, align 256>) {
  %part = tcgen05.slice %s[0, 0] [4, 8] : !tcgen05.smem<7x8xi32, #tcgen05.layout<[7, 8] : [8, 1], swizzle 32B>, align 256>
  // expected-error@+1 {{'tcgen05.cp' op expected src storage of at least 256 bytes for the eight-row block, but got 224}}
  tcgen05.cp "cta_group::1.4x256b" %t, %part : !t, !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>, align 256, storage 224>
  return
}

// -----

// Columns are the bound of a slice too, and a slice of a view that fits fits.
!wide = !tcgen05.tmem<128x32xi32, #tcgen05.layout<[128, 32] : [1@lane, 1@col]>, columns 32>
!s = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @legal(%addr: i32, %s: !s, %i: index) {
  %wide = tcgen05.tmem_view %addr : !wide
  %last = tcgen05.slice %wide[0, %i * 4] [128, 4] : !wide
  tcgen05.cp "cta_group::1.128x128b" %last, %s : !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?8*4@col]>, columns 32>, !s
  return
}
func.func @refused(%wide: !tcgen05.tmem<128x32xi32, #tcgen05.layout<[128, 32] : [1@lane, 1@col]>, columns 28>, %s: !s, %i: index) {
  %last = tcgen05.slice %wide[0, %i * 4] [128, 4] : !tcgen05.tmem<128x32xi32, #tcgen05.layout<[128, 32] : [1@lane, 1@col]>, columns 28>
  // expected-error@+1 {{'tcgen05.cp' op expected dst to stay within 28 columns, but got columns 28 to 31 for stage 7}}
  tcgen05.cp "cta_group::1.128x128b" %last, %s : !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?8*4@col]>, columns 28>, !s
  return
}
