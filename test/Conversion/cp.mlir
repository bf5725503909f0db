// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm | FileCheck %s

// The constants are the descriptors of the specification for a shared address of zero: the address field is or-ed in.

#t128 = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#t256 = #tcgen05.layout<[128, 8] : [1@lane, 1@col]>
#t4 = #tcgen05.layout<[4, 8] : [32@lane, 1@col]>
#t02_13 = #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]>
#t01_23 = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>
#t32 = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>
!t128 = !tcgen05.tmem<128x4xi32, #t128>
!t256 = !tcgen05.tmem<128x8xi32, #t256>
!t4 = !tcgen05.tmem<4x8xi32, #t4>
!t02_13 = !tcgen05.tmem<64x4xi32, #t02_13>
!t01_23 = !tcgen05.tmem<64x4xi32, #t01_23>
!t32 = !tcgen05.tmem<32x4xi32, #t32>

// 0x0000400800010000: no swizzle, LDO 16 (unobserved), SDO 128.
// CHECK-LABEL: func.func @k_major
// CHECK-SAME: (%[[T:.*]]: i32, %[[S:.*]]: i32)
// CHECK-NEXT: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT: %[[CHUNK:.*]] = llvm.lshr %[[S]], %[[FOUR]] : i32
// CHECK-NEXT: %[[MASK:.*]] = llvm.mlir.constant(16383 : i32) : i32
// CHECK-NEXT: %[[FIELD:.*]] = llvm.and %[[CHUNK]], %[[MASK]] : i32
// CHECK-DAG: %[[CONSTANT:.*]] = llvm.mlir.constant(70403103981568 : i64) : i64
// CHECK-DAG: %[[WIDE:.*]] = llvm.zext %[[FIELD]] : i32 to i64
// CHECK: %[[BASE:.*]] = llvm.or %[[WIDE]], %[[CONSTANT]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; mov.b64 d, $1; tcgen05.cp.cta_group::1.128x128b [t], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: return
#s_k_major = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @k_major(%t: !t128, %s: !tcgen05.smem<128x4xi32, #s_k_major>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !t128, !tcgen05.smem<128x4xi32, #s_k_major>
  return
}

// 0x0000401000080000: LDO 128, SDO 256.
// CHECK-LABEL: func.func @two_word_groups
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(70437464178688 : i64) : i64
// CHECK: %[[BASE:.*]] = llvm.or %{{.*}}, %[[CONSTANT]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; mov.b64 d, $1; tcgen05.cp.cta_group::2.128x256b [t], d; }" ro(%{{.*}}, %[[BASE]] : i32, i64)
#s_two = #tcgen05.layout<[(16, 8), (2, 4)] : [(64, 4), (32, 1)]>
func.func @two_word_groups(%t: !t256, %s: !tcgen05.smem<128x8xi32, #s_two>) {
  tcgen05.cp "cta_group::2.128x256b" %t, %s : !t256, !tcgen05.smem<128x8xi32, #s_two>
  return
}

// 0x4000404000010000: 128B, SDO 1024.
// CHECK-LABEL: func.func @swizzle_128
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(4611756662049538048 : i64) : i64
// CHECK: %[[BASE:.*]] = llvm.or %{{.*}}, %[[CONSTANT]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}mov.b64 d, $1; tcgen05.cp.cta_group::1.128x256b [t], d; }" ro(%{{.*}}, %[[BASE]] : i32, i64)
#s_128 = #tcgen05.layout<[128, 8] : [32, 1], swizzle 128B>
func.func @swizzle_128(%t: !t256, %s: !tcgen05.smem<128x8xi32, #s_128, align 1024>) {
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !t256, !tcgen05.smem<128x8xi32, #s_128, align 1024>
  return
}

// 32 bytes into the row: the start alone moves, by two chunks of 16 bytes.
// CHECK-LABEL: func.func @swizzle_128_inside_the_row
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(4611756662049538048 : i64) : i64
// CHECK: %[[BASE:.*]] = llvm.or %{{.*}}, %[[CONSTANT]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 2; tcgen05.cp.cta_group::1.128x256b [t], d; }" ro(%{{.*}}, %[[BASE]] : i32, i64)
#s_inside = #tcgen05.layout<[128, 8] : [32, 1], offset [8], swizzle 128B>
func.func @swizzle_128_inside_the_row(%t: !t256, %s: !tcgen05.smem<128x8xi32, #s_inside, align 1024, storage 16384>) {
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !t256, !tcgen05.smem<128x8xi32, #s_inside, align 1024, storage 16384>
  return
}

// 0x8000402000010000: 64B, SDO 512.
// CHECK-LABEL: func.func @swizzle_64
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(-9223301530671579136 : i64) : i64
// CHECK: llvm.or %{{.*}}, %[[CONSTANT]] : i64
#s_64 = #tcgen05.layout<[128, 8] : [16, 1], swizzle 64B>
func.func @swizzle_64(%t: !t256, %s: !tcgen05.smem<128x8xi32, #s_64, align 512>) {
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !t256, !tcgen05.smem<128x8xi32, #s_64, align 512>
  return
}

// 0xC000401000010000: 32B, SDO 256.
// CHECK-LABEL: func.func @swizzle_32
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(-4611615580963667968 : i64) : i64
// CHECK: llvm.or %{{.*}}, %[[CONSTANT]] : i64
#s_32 = #tcgen05.layout<[128, 8] : [8, 1], swizzle 32B>
func.func @swizzle_32(%t: !t256, %s: !tcgen05.smem<128x8xi32, #s_32, align 256>) {
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !t256, !tcgen05.smem<128x8xi32, #s_32, align 256>
  return
}

// 0x4000400000010000: four rows never reach a second row group, SDO is zero.
// CHECK-LABEL: func.func @four_rows
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(4611756387171631104 : i64) : i64
// CHECK: llvm.or %{{.*}}, %[[CONSTANT]] : i64
#s_four = #tcgen05.layout<[4, 8] : [32, 1], swizzle 128B>
func.func @four_rows(%t: !t4, %s: !tcgen05.smem<4x8xi32, #s_four, align 1024, storage 1024>) {
  tcgen05.cp "cta_group::1.4x256b" %t, %s : !t4, !tcgen05.smem<4x8xi32, #s_four, align 1024, storage 1024>
  return
}

// The other atoms, with decompression: the opcode is the one that was written.
// CHECK-LABEL: func.func @atoms
// CHECK: nvvm.inline_ptx "{{.*}} tcgen05.cp.cta_group::2.64x128b.warpx2::02_13.b8x16.b6x16_p32 [t], d; }"
// CHECK: nvvm.inline_ptx "{{.*}} tcgen05.cp.cta_group::2.64x128b.warpx2::01_23.b8x16.b4x16_p64 [t], d; }"
// CHECK: nvvm.inline_ptx "{{.*}} tcgen05.cp.cta_group::2.32x128b.warpx4 [t], d; }"
#s64 = #tcgen05.layout<[64, 4] : [4, 1]>
#s32 = #tcgen05.layout<[32, 4] : [4, 1]>
func.func @atoms(%t02_13: !t02_13, %t01_23: !t01_23, %s64: !tcgen05.smem<64x4xf32, #s64>,
                 %t32: !t32, %s32: !tcgen05.smem<32x4xui32, #s32>) {
  tcgen05.cp "cta_group::2.64x128b.warpx2::02_13.b8x16.b6x16_p32" %t02_13, %s64 : !t02_13, !tcgen05.smem<64x4xf32, #s64>
  tcgen05.cp "cta_group::2.64x128b.warpx2::01_23.b8x16.b4x16_p64" %t01_23, %s64 : !t01_23, !tcgen05.smem<64x4xf32, #s64>
  tcgen05.cp "cta_group::2.32x128b.warpx4" %t32, %s32 : !t32, !tcgen05.smem<32x4xui32, #s32>
  return
}

// Scale factors in two repeat axes, row-major: one base, columns 0, 4, 16, 20, sources 512 bytes apart.
// CHECK-LABEL: func.func @repeats
// CHECK-SAME: (%[[T:.*]]: i32, %[[S:.*]]: i32)
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; mov.b64 d, $1; tcgen05.cp.cta_group::1.32x128b.warpx4 [t], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 32; tcgen05.cp.cta_group::1.32x128b.warpx4 [t+4], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 64; tcgen05.cp.cta_group::1.32x128b.warpx4 [t+16], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 96; tcgen05.cp.cta_group::1.32x128b.warpx4 [t+20], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: return
#t_repeats = #tcgen05.layout<[2, 2, 32, 4] : [16@col, 4@col, 1@lane, 1@col], replica [4 : 32@lane]>
#s_repeats = #tcgen05.layout<[2, 2, 32, 4] : [256, 128, 4, 1]>
func.func @repeats(%t: !tcgen05.tmem<2x2x32x4xi32, #t_repeats>, %s: !tcgen05.smem<2x2x32x4xi32, #s_repeats>) {
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %s : !tcgen05.tmem<2x2x32x4xi32, #t_repeats>, !tcgen05.smem<2x2x32x4xi32, #s_repeats>
  return
}

// Repeats may walk backwards on both sides; coordinate zero lies last.
// CHECK-LABEL: func.func @backwards
// CHECK: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 256; tcgen05.cp.cta_group::1.128x128b [t+8], d; }"
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 128; tcgen05.cp.cta_group::1.128x128b [t+4], d; }"
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} mov.b64 d, $1; tcgen05.cp.cta_group::1.128x128b [t], d; }"
#t_back = #tcgen05.layout<[3, 128, 4] : [-4@col, 1@lane, 1@col], offset [8@col]>
#s_back = #tcgen05.layout<[3, 128, 4] : [-512, 4, 1], offset [1024]>
func.func @backwards(%t: !tcgen05.tmem<3x128x4xi32, #t_back>, %s: !tcgen05.smem<3x128x4xi32, #s_back>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tcgen05.tmem<3x128x4xi32, #t_back>, !tcgen05.smem<3x128x4xi32, #s_back>
  return
}

// Four rows scattered over the lanes: a lane is worth 65536 of an address. Sixteen copies read 64 rows, and the storage
// of 2048 bytes is exactly theirs.
// CHECK-LABEL: func.func @scatter
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(-4611615649683144704 : i64) : i64
// CHECK: nvvm.inline_ptx "{{.*}} mov.b64 d, $1; tcgen05.cp.cta_group::1.4x256b [t], d; }"
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 8; tcgen05.cp.cta_group::1.4x256b [t+65536], d; }"
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 16; tcgen05.cp.cta_group::1.4x256b [t+131072], d; }"
// CHECK-COUNT-12: nvvm.inline_ptx
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 120; tcgen05.cp.cta_group::1.4x256b [t+983040], d; }"
// CHECK-NEXT: return
#t_scatter = #tcgen05.layout<[16, 4, 8] : [1@lane, 32@lane, 1@col]>
#s_scatter = #tcgen05.layout<[16, 4, 8] : [32, 8, 1], swizzle 32B>
func.func @scatter(%t: !tcgen05.tmem<16x4x8xi32, #t_scatter>, %s: !tcgen05.smem<16x4x8xi32, #s_scatter, align 256, storage 2048>) {
  tcgen05.cp "cta_group::1.4x256b" %t, %s : !tcgen05.tmem<16x4x8xi32, #t_scatter>, !tcgen05.smem<16x4x8xi32, #s_scatter, align 256, storage 2048>
  return
}

// Coordinate zero of both regions lies away from their addresses: lane 8, column 12, and byte 256.
// CHECK-LABEL: func.func @origins
// CHECK: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 16; tcgen05.cp.cta_group::1.4x256b [t+524300], d; }"
#t_origin = #tcgen05.layout<[4, 8] : [32@lane, 1@col], offset [8@lane, 12@col]>
#s_origin = #tcgen05.layout<[4, 8] : [8, 1], offset [64], swizzle 32B>
func.func @origins(%t: !tcgen05.tmem<4x8xi32, #t_origin>, %s: !tcgen05.smem<4x8xi32, #s_origin, align 256, storage 512>) {
  tcgen05.cp "cta_group::1.4x256b" %t, %s : !tcgen05.tmem<4x8xi32, #t_origin>, !tcgen05.smem<4x8xi32, #s_origin, align 256, storage 512>
  return
}

// The predicate is made inside of the braces, from a register, for each copy.
// CHECK-LABEL: func.func @predicate
// CHECK-SAME: (%[[P:.*]]: i1, %[[T:.*]]: i32, %{{.*}}: i32)
// CHECK-DAG: %[[BASE:.*]] = llvm.or
// CHECK-DAG: %[[WIDE:.*]] = llvm.zext %[[P]] : i1 to i32
// CHECK: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; .reg .pred p; setp.ne.b32 p, $2, 0; mov.b32 t, $0; mov.b64 d, $1; @p tcgen05.cp.cta_group::1.128x128b [t], d; }" ro(%[[T]], %[[BASE]], %[[WIDE]] : i32, i64, i32)
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; .reg .pred p; setp.ne.b32 p, $2, 0; mov.b32 t, $0; add.s64 d, $1, 128; @p tcgen05.cp.cta_group::1.128x128b [t+4], d; }" ro(%[[T]], %[[BASE]], %[[WIDE]] : i32, i64, i32)
// CHECK-NEXT: return
#t_two = #tcgen05.layout<[2, 128, 4] : [4@col, 1@lane, 1@col]>
#s_2 = #tcgen05.layout<[2, 128, 4] : [512, 4, 1]>
func.func @predicate(%p: i1, %t: !tcgen05.tmem<2x128x4xi32, #t_two>, %s: !tcgen05.smem<2x128x4xi32, #s_2>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %p : !tcgen05.tmem<2x128x4xi32, #t_two>, !tcgen05.smem<2x128x4xi32, #s_2>
  return
}
