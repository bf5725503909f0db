// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// C10: rows where the walk reads them. These are those of 32B.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [8, 1]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [8, 1], swizzle 32B>, align 256>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+3 {{'tcgen05.cp' op expected src row 1, word 0 at byte 16, but got 32}}
  // expected-note@+2 {{ldo = 16, sdo = 256, swizzle = none}}
  // expected-note@+1 {{these strides are a walk with swizzle 32B}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C10: all blocks are one stride apart.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(2, 8, 8), 4] : [(260, 32, 4), 1]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(2, 8, 8), 4] : [(320, 40, 4), 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src row 64, word 0 at byte 1024, but got 1040}}
  // expected-note@+1 {{ldo = 16, sdo = 128, swizzle = none}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C10: words of a chunk are consecutive.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [8, 2]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src row 0, word 1 at byte 4, but got 8}}
  // expected-note@+1 {{ldo = 16, sdo = 256, swizzle = none}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C10: rows of stride zero fail by themselves.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [0, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src row 1, word 0 at byte 16, but got 0}}
  // expected-note@+1 {{ldo = 16, sdo = 0, swizzle = none}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}

// -----

// C10: positions are relative to the view, after swizzling. Row 8 of pitch 128 begins a block, row 1 is where the XOR puts it.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(256, 28), 1], swizzle 128B>, align 1024>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(256, 32), 1], swizzle 128B>, align 1024>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src row 1, word 0 at byte 144, but got 112}}
  // expected-note@+1 {{ldo = 16, sdo = 1024, swizzle = 128B}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C11: SDO is a multiple of 16 bytes.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(50, 4), 1]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(52, 4), 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src row-group stride to be a multiple of 16 bytes, but got 200}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C11: SDO is not negative.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(-32, 4), 1], offset [480]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(0, 4), 1], offset [480]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src row-group stride to be in 0 to 262128 bytes, but got -128}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C11: so is LDO.
!dst = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, (2, 4)] : [4, (513, 1)]>>
!near_src = !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, (2, 4)] : [4, (516, 1)]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src word-group stride to be a multiple of 16 bytes, but got 2052}}
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x256b" %dst, %src : !dst, !near_src
  return
}

// -----

// C12: the origin is 16-byte aligned.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [2]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [4]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src origin to be 16-byte aligned, but got byte 8}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C12: for every value of a term.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*514]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*516]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src origin to be 16-byte aligned, but got byte 2056 for stage 1}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C12: for every repeat.
!dst = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [4@col, 1@lane, 1@col]>>
!src = !tcgen05.smem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [514, 4, 1]>>
!near_src = !tcgen05.smem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [516, 4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src origin to be 16-byte aligned, but got byte 2056 for repeat (1)}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C13: 32B repeats every 256 bytes.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [8, 1], swizzle 32B>, align 128>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [8, 1], swizzle 32B>, align 256>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src aligned to 256 bytes for swizzle 32B, but got 128}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C13: 64B repeats every 512 bytes.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [16, 1], swizzle 64B>, align 256>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [16, 1], swizzle 64B>, align 512>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src aligned to 512 bytes for swizzle 64B, but got 256}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C13: 128B repeats every 1024 bytes.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [32, 1], swizzle 128B>, align 512>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [32, 1], swizzle 128B>, align 1024>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src aligned to 1024 bytes for swizzle 128B, but got 512}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C14: storage holds one eight-row block, whatever the rows.
!dst = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
!src = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>, align 256>
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

// C14: without swizzle, eight words take LDO more.
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

// C14: every byte that the walk reads lies in storage.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>, storage 2047>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 2047 bytes of storage, but got row 127, word 3 at byte 2044}}
  // expected-note@+1 {{the copy reads 2048 bytes from the view}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C14: for every value of a term.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*512]>, storage 8000>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [?4*512]>, storage 8192>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+2 {{'tcgen05.cp' op expected src to stay within 8000 bytes of storage, but got row 127, word 3 at byte 8188 for stage 3}}
  // expected-note@+1 {{the copy reads 8192 bytes from the view}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C14: and none below byte 0.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [-4]>>
!near_src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [4]>>
func.func @refused(%dst: !dst, %src: !src) {
  // expected-error@+1 {{'tcgen05.cp' op expected src to start at byte 0 or later, but got byte -16}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
  return
}
func.func @legal(%dst: !dst, %src: !near_src) {
  tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !near_src
  return
}

// -----

// C15: the chip has tcgen05.cp.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
gpu.module @refused [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%dst: !dst, %src: !src) {
    // expected-error@+1 {{'tcgen05.cp' op expected a target with tcgen05.cp (sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f), but got sm_90a}}
    tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
    gpu.return
  }
}
gpu.module @legal [#nvvm.target<chip = "sm_100a">] {
  gpu.func @copy(%dst: !dst, %src: !src) {
    tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
    gpu.return
  }
}

// -----

// C15: a chip without its suffix has not; a module without a target may still get one.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
gpu.module @refused [#nvvm.target<chip = "sm_100">] {
  gpu.func @copy(%dst: !dst, %src: !src) {
    // expected-error@+1 {{'tcgen05.cp' op expected a target with tcgen05.cp (sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f), but got sm_100}}
    tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
    gpu.return
  }
}
gpu.module @legal {
  gpu.func @copy(%dst: !dst, %src: !src) {
    tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
    gpu.return
  }
}

// -----

// C15: all targets of the module.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
gpu.module @refused [#nvvm.target<chip = "sm_103a">, #nvvm.target<chip = "sm_120a">] {
  gpu.func @copy(%dst: !dst, %src: !src) {
    // expected-error@+1 {{'tcgen05.cp' op expected a target with tcgen05.cp (sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f), but got sm_120a}}
    tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
    gpu.return
  }
}
gpu.module @legal [#nvvm.target<chip = "sm_103a">, #nvvm.target<chip = "sm_110f">] {
  gpu.func @copy(%dst: !dst, %src: !src) {
    tcgen05.cp "cta_group::1.128x128b" %dst, %src : !dst, !src
    gpu.return
  }
}

// -----

// A false pred exempts a copy from no rule, and the first that fails is reported: C7 before C12.
!dst = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [6@col]>>
!src = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1], offset [2]>>
func.func @refused(%dst: !dst, %src: !src) {
  %false = arith.constant false
  // expected-error@+2 {{'tcgen05.cp' op expected dst column origin to be a multiple of 4, but got 6}}
  // expected-note@+1 {{the nearest legal columns are 4 and 8}}
  tcgen05.cp "cta_group::1.128x128b" %dst, %src, pred %false : !dst, !src
  return
}
