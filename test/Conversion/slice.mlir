// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -canonicalize -cse | FileCheck %s

#t8 = #tcgen05.layout<[128, 8] : [1@lane, 1@col]>
!t8 = !tcgen05.tmem<128x8xi32, #t8>

// Four steps along a swizzled row, 32 bytes apart: one base (0x4000404000010000), starts +0, +2, +4 and +6 in chunks of
// 16 bytes. The slices' origins are literals of the template.
// CHECK-LABEL: func.func @steps_of_a_row
// CHECK-SAME: (%[[T:.*]]: i32, %[[PTR:.*]]: !llvm.ptr<3>)
// CHECK-DAG: %[[CONSTANT:.*]] = llvm.mlir.constant(4611756662049538048 : i64) : i64
// CHECK-DAG: %[[WIDE:.*]] = llvm.zext
// CHECK: %[[BASE:.*]] = llvm.or %[[WIDE]], %[[CONSTANT]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; mov.b64 d, $1; tcgen05.cp.cta_group::1.128x256b [t], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 2; tcgen05.cp.cta_group::1.128x256b [t+8], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 4; tcgen05.cp.cta_group::1.128x256b [t+16], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 6; tcgen05.cp.cta_group::1.128x256b [t+24], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
// CHECK-NEXT: return
#row = #tcgen05.layout<[128, 32] : [32, 1], swizzle 128B>
#row1 = #tcgen05.layout<[128, 8] : [32, 1], offset [8], swizzle 128B>
#row2 = #tcgen05.layout<[128, 8] : [32, 1], offset [16], swizzle 128B>
#row3 = #tcgen05.layout<[128, 8] : [32, 1], offset [24], swizzle 128B>
#row0 = #tcgen05.layout<[128, 8] : [32, 1], swizzle 128B>
#wide = #tcgen05.layout<[128, 32] : [1@lane, 1@col]>
#wide1 = #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [8@col]>
#wide2 = #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [16@col]>
#wide3 = #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [24@col]>
!wide = !tcgen05.tmem<128x32xi32, #wide, columns 32>
!row = !tcgen05.smem<128x32xi32, #row, align 1024>
!wide0 = !tcgen05.tmem<128x8xi32, #t8, columns 32>
!wide1 = !tcgen05.tmem<128x8xi32, #wide1, columns 32>
!wide2 = !tcgen05.tmem<128x8xi32, #wide2, columns 32>
!wide3 = !tcgen05.tmem<128x8xi32, #wide3, columns 32>
!row0 = !tcgen05.smem<128x8xi32, #row0, align 1024, storage 16384>
!row1 = !tcgen05.smem<128x8xi32, #row1, align 1024, storage 16384>
!row2 = !tcgen05.smem<128x8xi32, #row2, align 1024, storage 16384>
!row3 = !tcgen05.smem<128x8xi32, #row3, align 1024, storage 16384>
func.func @steps_of_a_row(%addr: i32, %ptr: !llvm.ptr<3>) {
  %t = tcgen05.tmem_view %addr : !wide
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !row
  %t0 = tcgen05.slice %t[0, 0] [128, 8] : !wide
  %s0 = tcgen05.slice %s[0, 0] [128, 8] : !row
  tcgen05.cp "cta_group::1.128x256b" %t0, %s0 : !wide0, !row0
  %t1 = tcgen05.slice %t[0, 8] [128, 8] : !wide
  %s1 = tcgen05.slice %s[0, 8] [128, 8] : !row
  tcgen05.cp "cta_group::1.128x256b" %t1, %s1 : !wide1, !row1
  %t2 = tcgen05.slice %t[0, 16] [128, 8] : !wide
  %s2 = tcgen05.slice %s[0, 16] [128, 8] : !row
  tcgen05.cp "cta_group::1.128x256b" %t2, %s2 : !wide2, !row2
  %t3 = tcgen05.slice %t[0, 24] [128, 8] : !wide
  %s3 = tcgen05.slice %s[0, 24] [128, 8] : !row
  tcgen05.cp "cta_group::1.128x256b" %t3, %s3 : !wide3, !row3
  return
}

// A run-time stage of a ring and a run-time column: 16384 bytes are 1024 chunks, added to the base after the shift.
// CHECK-LABEL: func.func @stage
// CHECK-SAME: (%[[ADDR:.*]]: i32, %[[PTR:.*]]: !llvm.ptr<3>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-DAG: %[[C8:.*]] = llvm.mlir.constant(8 : i32) : i32
// CHECK-DAG: %[[C1024:.*]] = llvm.mlir.constant(1024 : i32) : i32
// CHECK-DAG: %[[J32:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK-DAG: %[[COLUMN:.*]] = llvm.mul %[[J32]], %[[C8]] : i32
// CHECK-DAG: %[[TADDR:.*]] = llvm.add %[[ADDR]], %[[COLUMN]] : i32
// CHECK-DAG: %[[INT:.*]] = llvm.ptrtoint %[[PTR]] : !llvm.ptr<3> to i32
// CHECK-DAG: llvm.lshr %[[INT]], %{{.*}} : i32
// CHECK-DAG: %[[BASE:.*]] = llvm.or
// CHECK-DAG: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-DAG: %[[CHUNKS:.*]] = llvm.mul %[[I32]], %[[C1024]] : i32
// CHECK-DAG: %[[WIDE:.*]] = llvm.sext %[[CHUNKS]] : i32 to i64
// CHECK: %[[DESC:.*]] = llvm.add %[[BASE]], %[[WIDE]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; mov.b64 d, $1; tcgen05.cp.cta_group::1.128x256b [t], d; }" ro(%[[TADDR]], %[[DESC]] : i32, i64)
// CHECK-NEXT: return
#ring = #tcgen05.layout<[4, 128, 8] : [4096, 32, 1], swizzle 128B>
#stage = #tcgen05.layout<[1, 128, 8] : [4096, 32, 1], offset [?4*4096], swizzle 128B>
#columns = #tcgen05.layout<[8, 128, 8] : [8@col, 1@lane, 1@col]>
#column = #tcgen05.layout<[1, 128, 8] : [8@col, 1@lane, 1@col], offset [?8*8@col]>
!ring = !tcgen05.smem<4x128x8xi32, #ring, align 1024>
!stage = !tcgen05.smem<1x128x8xi32, #stage, align 1024>
!columns = !tcgen05.tmem<8x128x8xi32, #columns, columns 64>
!column = !tcgen05.tmem<1x128x8xi32, #column, columns 64>
func.func @stage(%addr: i32, %ptr: !llvm.ptr<3>, %i: index, %j: index) {
  %t = tcgen05.tmem_view %addr : !columns
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !ring
  %ti = tcgen05.slice %t[%j, 0, 0] [1, 128, 8] : !columns
  %si = tcgen05.slice %s[%i, 0, 0] [1, 128, 8] : !ring
  tcgen05.cp "cta_group::1.128x256b" %ti, %si : !column, !stage
  return
}

// Constant plus index times multiplier, on a column base that was allocated further up: the constants are literals,
// 32 rows of 16 bytes are 32 chunks.
// CHECK-LABEL: func.func @constant_and_index
// CHECK-SAME: (%[[ADDR:.*]]: i32, %{{.*}}: !llvm.ptr<3>, %[[I:.*]]: index)
// CHECK-DAG: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-DAG: %[[C32:.*]] = llvm.mlir.constant(32 : i32) : i32
// CHECK-DAG: %[[COLUMN:.*]] = llvm.mul %[[I32]], %[[C4]] : i32
// CHECK-DAG: %[[TADDR:.*]] = llvm.add %[[ADDR]], %[[COLUMN]] : i32
// CHECK-DAG: %[[CHUNKS:.*]] = llvm.mul %[[I32]], %[[C32]] : i32
// CHECK: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 32; tcgen05.cp.cta_group::1.32x128b.warpx4 [t+20], d; }" ro(%[[TADDR]], %{{.*}} : i32, i64)
#t_from = #tcgen05.layout<[32, 16] : [1@lane, 1@col], replica [4 : 32@lane], offset [16@col]>
#t_at = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane], offset [?3*4 + 20@col]>
#s_rows = #tcgen05.layout<[128, 4] : [4, 1]>
#s_at = #tcgen05.layout<[32, 4] : [4, 1], offset [?3*128 + 128]>
!t_from = !tcgen05.tmem<32x16xi32, #t_from, columns 32>
!t_at = !tcgen05.tmem<32x4xi32, #t_at, columns 32>
!s_rows = !tcgen05.smem<128x4xi32, #s_rows>
!s_at = !tcgen05.smem<32x4xi32, #s_at, storage 2048>
func.func @constant_and_index(%addr: i32, %ptr: !llvm.ptr<3>, %i: index) {
  %t = tcgen05.tmem_view %addr : !t_from
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !s_rows
  %ti = tcgen05.slice %t[0, 4 + %i * 4] [32, 4] : !t_from
  %si = tcgen05.slice %s[32 + %i * 32, 0] [32, 4] : !s_rows
  tcgen05.cp "cta_group::1.32x128b.warpx4" %ti, %si : !t_at, !s_at
  return
}

// A slice of a slice: stage times 1024 chunks plus step times two, on one base.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%{{.*}}: i32, %[[PTR:.*]]: !llvm.ptr<3>, %[[I:.*]]: index, %[[K:.*]]: index)
// CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK-DAG: %[[C1024:.*]] = llvm.mlir.constant(1024 : i32) : i32
// CHECK-DAG: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-DAG: %[[K32:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK-DAG: %[[STAGE:.*]] = llvm.mul %[[I32]], %[[C1024]] : i32
// CHECK-DAG: %[[STEP:.*]] = llvm.mul %[[K32]], %[[C2]] : i32
// CHECK-DAG: %[[BASE:.*]] = llvm.or
// CHECK-DAG: %[[WIDE_STAGE:.*]] = llvm.sext %[[STAGE]] : i32 to i64
// CHECK-DAG: %[[WIDE_STEP:.*]] = llvm.sext %[[STEP]] : i32 to i64
// CHECK-DAG: %[[ONE:.*]] = llvm.add %[[BASE]], %[[WIDE_STAGE]] : i64
// CHECK: %[[BOTH:.*]] = llvm.add %[[ONE]], %[[WIDE_STEP]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} mov.b64 d, $1; tcgen05.cp.cta_group::1.128x256b [t], d; }" ro(%{{.*}}, %[[BOTH]] : i32, i64)
#rows = #tcgen05.layout<[4, 128, 32] : [4096, 32, 1], swizzle 128B>
#one = #tcgen05.layout<[1, 128, 32] : [4096, 32, 1], offset [?4*4096], swizzle 128B>
#step = #tcgen05.layout<[1, 128, 8] : [4096, 32, 1], offset [?4*4096 + ?4*8], swizzle 128B>
!rows = !tcgen05.smem<4x128x32xi32, #rows, align 1024>
!one = !tcgen05.smem<1x128x32xi32, #one, align 1024, storage 65536>
!step = !tcgen05.smem<1x128x8xi32, #step, align 1024, storage 65536>
func.func @nested(%addr: i32, %ptr: !llvm.ptr<3>, %i: index, %k: index) {
  %t = tcgen05.tmem_view %addr : !t8
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !rows
  %si = tcgen05.slice %s[%i, 0, 0] [1, 128, 32] : !rows
  %sk = tcgen05.slice %si[0, 0, %k * 8] [1, 128, 8] : !one
  tcgen05.cp "cta_group::1.128x256b" %t, %sk : !t8, !step
  return
}

// A lane is 65536 of an address.
// CHECK-LABEL: func.func @lane
// CHECK-SAME: (%[[ADDR:.*]]: i32, %{{.*}}: i32, %[[I:.*]]: index)
// CHECK-DAG: %[[LANE:.*]] = llvm.mlir.constant(65536 : i32) : i32
// CHECK-DAG: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-DAG: %[[LANES:.*]] = llvm.mul %[[I32]], %[[LANE]] : i32
// CHECK: %[[TADDR:.*]] = llvm.add %[[ADDR]], %[[LANES]] : i32
// CHECK: nvvm.inline_ptx "{{.*}}" ro(%[[TADDR]], %{{.*}} : i32, i64)
#lanes = #tcgen05.layout<[32, 4, 8] : [1@lane, 32@lane, 1@col]>
#lane = #tcgen05.layout<[1, 4, 8] : [1@lane, 32@lane, 1@col], offset [?32*1@lane]>
#four = #tcgen05.layout<[4, 8] : [8, 1], swizzle 32B>
!lanes = !tcgen05.tmem<32x4x8xi32, #lanes>
!lane = !tcgen05.tmem<1x4x8xi32, #lane>
!four = !tcgen05.smem<4x8xi32, #four, align 256, storage 256>
func.func @lane(%addr: i32, %s: !four, %i: index) {
  %t = tcgen05.tmem_view %addr : !lanes
  %ti = tcgen05.slice %t[%i, 0, 0] [1, 4, 8] : !lanes
  tcgen05.cp "cta_group::1.4x256b" %ti, %s : !lane, !four
  return
}

// Terms that lead below the view: what the argument holds may be less than a shared address, so that the constant is
// added before the address is cut to the descriptor's field.
// CHECK-LABEL: func.func @below
// CHECK-SAME: (%{{.*}}: i32, %[[S:.*]]: i32)
// CHECK-DAG: %[[CONSTANT:.*]] = llvm.mlir.constant(49152 : i32) : i32
// CHECK: %[[START:.*]] = llvm.add %[[S]], %[[CONSTANT]] : i32
// CHECK: llvm.lshr %[[START]], %{{.*}} : i32
// CHECK: nvvm.inline_ptx "{{.*}} mov.b64 d, $1; tcgen05.cp.cta_group::1.128x256b [t], d; }"
#below = #tcgen05.layout<[128, 8] : [32, 1], offset [?4*-4096 + 12288], swizzle 128B>
!below = !tcgen05.smem<128x8xi32, #below, align 1024, storage 65536>
func.func @below(%t: !t8, %s: !below) {
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !t8, !below
  return
}

// Terms that stay inside of the storage: the constant is a literal, as everywhere.
// CHECK-LABEL: func.func @inside
// CHECK-SAME: (%{{.*}}: i32, %[[S:.*]]: i32)
// CHECK: llvm.lshr %[[S]], %{{.*}} : i32
// CHECK: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 1024; tcgen05.cp.cta_group::1.128x256b [t], d; }"
#inside = #tcgen05.layout<[128, 8] : [32, 1], offset [?3*4096 + 4096], swizzle 128B>
!inside = !tcgen05.smem<128x8xi32, #inside, align 1024, storage 65536>
func.func @inside(%t: !t8, %s: !inside) {
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !t8, !inside
  return
}
