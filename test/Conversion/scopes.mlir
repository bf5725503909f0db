// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -cse | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #t>
!smem = !tcgen05.smem<128x4xi32, #s>

// A thread reads no register, and its operands are added to nothing.
// CHECK-LABEL: func.func @thread
// CHECK-SAME: (%[[T:.*]]: i32,
// CHECK-NOT: nvvm.read
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}" ro(%[[T]], %[[BASE]] : i32, i64)
func.func @thread(%t: !tmem, %s: !smem) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(thread) : !tmem, !smem
  return
}

// The lane of a linear thread id: tid.x + ntid.x * (tid.y + ntid.y * tid.z), modulo 32. It moves the destination by four
// columns, and not the source.
// CHECK-LABEL: func.func @warp
// CHECK-SAME: (%[[T:.*]]: i32,
// CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-DAG: %[[BASE:.*]] = llvm.or
// CHECK-DAG: %[[Z:.*]] = nvvm.read.ptx.sreg.tid.z
// CHECK-DAG: %[[NY:.*]] = nvvm.read.ptx.sreg.ntid.y
// CHECK-DAG: %[[Y:.*]] = nvvm.read.ptx.sreg.tid.y
// CHECK-DAG: %[[NX:.*]] = nvvm.read.ptx.sreg.ntid.x
// CHECK-DAG: %[[X:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-DAG: %[[ZROWS:.*]] = llvm.mul %[[NY]], %[[Z]] : i32
// CHECK-DAG: %[[ROWS:.*]] = llvm.add %[[Y]], %[[ZROWS]] : i32
// CHECK-DAG: %[[REST:.*]] = llvm.mul %[[NX]], %[[ROWS]] : i32
// CHECK-DAG: %[[TID:.*]] = llvm.add %[[X]], %[[REST]] : i32
// CHECK-DAG: %[[C31:.*]] = llvm.mlir.constant(31 : i32) : i32
// CHECK-DAG: %[[LANE:.*]] = llvm.and %[[TID]], %[[C31]] : i32
// CHECK-DAG: %[[COLUMN:.*]] = llvm.mul %[[LANE]], %[[C4]] : i32
// CHECK: %[[TADDR:.*]] = llvm.add %[[T]], %[[COLUMN]] : i32
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}" ro(%[[TADDR]], %[[BASE]] : i32, i64)
#t_warp = #tcgen05.layout<[32, 128, 4] : [4@col, 1@lane, 1@col]>
#s_warp = #tcgen05.layout<[32, 128, 4] : [0, 4, 1]>
func.func @warp(%t: !tcgen05.tmem<32x128x4xi32, #t_warp>, %s: !tcgen05.smem<32x128x4xi32, #s_warp>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(warp) : !tcgen05.tmem<32x128x4xi32, #t_warp>, !tcgen05.smem<32x128x4xi32, #s_warp>
  return
}

// The warp in its group, thread / 32 % 4: four columns, and 2048 bytes or 128 chunks each.
// CHECK-LABEL: func.func @warpgroup
// CHECK-SAME: (%[[T:.*]]: i32,
// CHECK-DAG: %[[BASE:.*]] = llvm.or
// CHECK-DAG: %[[C5:.*]] = llvm.mlir.constant(5 : i32) : i32
// CHECK-DAG: %[[C3:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK-DAG: %[[C128:.*]] = llvm.mlir.constant(128 : i32) : i32
// CHECK-DAG: %[[WARP:.*]] = llvm.lshr %{{.*}}, %[[C5]] : i32
// CHECK-DAG: %[[MEMBER:.*]] = llvm.and %[[WARP]], %[[C3]] : i32
// CHECK-DAG: %[[COLUMN:.*]] = llvm.mul %[[MEMBER]], %{{.*}} : i32
// CHECK-DAG: %[[TADDR:.*]] = llvm.add %[[T]], %[[COLUMN]] : i32
// CHECK-DAG: %[[CHUNKS:.*]] = llvm.mul %[[MEMBER]], %[[C128]] : i32
// CHECK-DAG: %[[WIDE:.*]] = llvm.zext %[[CHUNKS]] : i32 to i64
// CHECK: %[[DESC:.*]] = llvm.add %[[BASE]], %[[WIDE]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}" ro(%[[TADDR]], %[[DESC]] : i32, i64)
#t_group = #tcgen05.layout<[4, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]>
#s_group = #tcgen05.layout<[4, 1, 128, 4] : [512, 0, 4, 1]>
func.func @warpgroup(%t: !tcgen05.tmem<4x1x128x4xi32, #t_group>, %s: !tcgen05.smem<4x1x128x4xi32, #s_group>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(warpgroup) : !tcgen05.tmem<4x1x128x4xi32, #t_group>, !tcgen05.smem<4x1x128x4xi32, #s_group>
  return
}

// The warp of the block, thread / 32: 12 columns and 384 chunks a warp, and three repeats of each.
// CHECK-LABEL: func.func @cta
// CHECK-SAME: (%[[T:.*]]: i32,
// CHECK-DAG: %[[BASE:.*]] = llvm.or
// CHECK-DAG: %[[C12:.*]] = llvm.mlir.constant(12 : i32) : i32
// CHECK-DAG: %[[C384:.*]] = llvm.mlir.constant(384 : i32) : i32
// CHECK-DAG: %[[C5:.*]] = llvm.mlir.constant(5 : i32) : i32
// CHECK-DAG: %[[WARP:.*]] = llvm.lshr %{{.*}}, %[[C5]] : i32
// CHECK-DAG: %[[COLUMN:.*]] = llvm.mul %[[WARP]], %[[C12]] : i32
// CHECK-DAG: %[[TADDR:.*]] = llvm.add %[[T]], %[[COLUMN]] : i32
// CHECK-DAG: %[[CHUNKS:.*]] = llvm.mul %[[WARP]], %[[C384]] : i32
// CHECK-DAG: %[[WIDE:.*]] = llvm.zext %[[CHUNKS]] : i32 to i64
// CHECK: %[[DESC:.*]] = llvm.add %[[BASE]], %[[WIDE]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} mov.b64 d, $1; tcgen05.cp.cta_group::1.128x128b [t], d; }" ro(%[[TADDR]], %[[DESC]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 128; tcgen05.cp.cta_group::1.128x128b [t+4], d; }" ro(%[[TADDR]], %[[DESC]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 256; tcgen05.cp.cta_group::1.128x128b [t+8], d; }" ro(%[[TADDR]], %[[DESC]] : i32, i64)
#t_cta = #tcgen05.layout<[2, 1, 3, 128, 4] : [12@col, 0@col, 4@col, 1@lane, 1@col]>
#s_cta = #tcgen05.layout<[2, 1, 3, 128, 4] : [1536, 0, 512, 4, 1]>
func.func @cta(%t: !tcgen05.tmem<2x1x3x128x4xi32, #t_cta>, %s: !tcgen05.smem<2x1x3x128x4xi32, #s_cta>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(cta) : !tcgen05.tmem<2x1x3x128x4xi32, #t_cta>, !tcgen05.smem<2x1x3x128x4xi32, #s_cta>
  return
}

// The rank of the block in its cluster; warp and lane axes of one read no thread id.
// CHECK-LABEL: func.func @cluster
// CHECK-SAME: (%[[T:.*]]: i32,
// CHECK-NOT: tid
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// CHECK-NOT: tid
// CHECK: llvm.mul %[[RANK]], %{{.*}} : i32
// CHECK: %[[DESC:.*]] = llvm.add %{{.*}}, %{{.*}} : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}" ro(%[[T]], %[[DESC]] : i32, i64)
#t_cluster = #tcgen05.layout<[2, 1, 1, 128, 4] : [0@col, 4@col, 0@col, 1@lane, 1@col]>
#s_cluster = #tcgen05.layout<[2, 1, 1, 128, 4] : [512, 512, 0, 4, 1]>
func.func @cluster(%t: !tcgen05.tmem<2x1x1x128x4xi32, #t_cluster>, %s: !tcgen05.smem<2x1x1x128x4xi32, #s_cluster>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(cluster) : !tcgen05.tmem<2x1x1x128x4xi32, #t_cluster>, !tcgen05.smem<2x1x1x128x4xi32, #s_cluster>
  return
}

// Axes of one only: no register at all, whatever their strides.
// CHECK-LABEL: func.func @ones
// CHECK-SAME: (%[[T:.*]]: i32,
// CHECK-NOT: nvvm.read
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}" ro(%[[T]], %[[BASE]] : i32, i64)
#t_ones = #tcgen05.layout<[1, 1, 1, 128, 4] : [8@col, 4@col, 64@lane, 1@lane, 1@col]>
#s_ones = #tcgen05.layout<[1, 1, 1, 128, 4] : [512, 1024, 16, 4, 1]>
func.func @ones(%t: !tcgen05.tmem<1x1x1x128x4xi32, #t_ones>, %s: !tcgen05.smem<1x1x1x128x4xi32, #s_ones>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(cluster) : !tcgen05.tmem<1x1x1x128x4xi32, #t_ones>, !tcgen05.smem<1x1x1x128x4xi32, #s_ones>
  return
}

// A nested warp axis has digits: warp / 2 and warp % 2. The source goes backwards, so its chunks are signed.
// CHECK-LABEL: func.func @digits
// CHECK-DAG: %[[C5:.*]] = llvm.mlir.constant(5 : i32) : i32
// CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-DAG: %[[BACK:.*]] = llvm.mlir.constant(-128 : i32) : i32
// CHECK-DAG: %[[WARP:.*]] = llvm.lshr %{{.*}}, %[[C5]] : i32
// CHECK-DAG: llvm.lshr %[[WARP]], %[[C1]] : i32
// CHECK-DAG: llvm.and %[[WARP]], %[[C1]] : i32
// CHECK-DAG: %[[CHUNKS:.*]] = llvm.mul %[[WARP]], %[[BACK]] : i32
// CHECK-DAG: llvm.sext %[[CHUNKS]] : i32 to i64
// CHECK: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 384; tcgen05.cp.cta_group::1.128x128b [t], d; }"
#t_digits = #tcgen05.layout<[(2, 2), 1, 128, 4] : [(16@col, 4@col), 0@col, 1@lane, 1@col]>
#s_digits = #tcgen05.layout<[4, 1, 128, 4] : [-512, 0, 4, 1], offset [1536]>
func.func @digits(%t: !tcgen05.tmem<4x1x128x4xi32, #t_digits>, %s: !tcgen05.smem<4x1x128x4xi32, #s_digits>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s, scope(cta) : !tcgen05.tmem<4x1x128x4xi32, #t_digits>, !tcgen05.smem<4x1x128x4xi32, #s_digits>
  return
}
