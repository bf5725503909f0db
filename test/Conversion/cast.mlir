// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -cse | FileCheck %s

#first = #tcgen05.layout<[128, 4] : [4, 1]>
#second = #tcgen05.layout<[128, 4] : [4, 1], offset [512]>
#either = #tcgen05.layout<[128, 4] : [4, 1], offset [?2*512]>
#split = #tcgen05.layout<[(16, 8), 4] : [(32, 4), 1], offset [512]>
#t0 = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#t1 = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [8@col]>
#t_any = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?4*8@col]>
#t_lanes = #tcgen05.layout<[4, 8] : [32@lane, 1@col], offset [3@lane, 8@col]>
#t_any_lane = #tcgen05.layout<[4, 8] : [32@lane, 1@col], offset [?32*1@lane, ?4*8@col]>
!first = !tcgen05.smem<128x4xi32, #first, storage 4096>
!second = !tcgen05.smem<128x4xi32, #second, storage 4096>
!either = !tcgen05.smem<128x4xi32, #either, storage 4096>
!split = !tcgen05.smem<128x4xi32, #split, storage 4096>
!t0 = !tcgen05.tmem<128x4xi32, #t0, columns 32>
!t1 = !tcgen05.tmem<128x4xi32, #t1, columns 32>
!t_any = !tcgen05.tmem<128x4xi32, #t_any, columns 32>

// What was constant becomes part of the value: 512 words are 2048 bytes.
// CHECK-LABEL: func.func @less_static
// CHECK-SAME: (%[[S:.*]]: i32, %[[T:.*]]: i32) -> (i32, i32)
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(2048 : i32) : i32
// CHECK-DAG: %[[COLUMNS:.*]] = llvm.mlir.constant(8 : i32) : i32
// CHECK-DAG: %[[S2:.*]] = llvm.add %[[S]], %[[BYTES]] : i32
// CHECK-DAG: %[[T2:.*]] = llvm.add %[[T]], %[[COLUMNS]] : i32
// CHECK: return %[[S2]], %[[T2]]
func.func @less_static(%s: !second, %t: !t1) -> (!either, !t_any) {
  %0 = tcgen05.cast %s : !second -> !either
  %1 = tcgen05.cast %t : !t1 -> !t_any
  return %0, %1 : !either, !t_any
}

// And back.
// CHECK-LABEL: func.func @more_static
// CHECK-SAME: (%[[S:.*]]: i32, %[[T:.*]]: i32) -> (i32, i32)
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(-2048 : i32) : i32
// CHECK-DAG: %[[COLUMNS:.*]] = llvm.mlir.constant(-8 : i32) : i32
// CHECK-DAG: %[[S2:.*]] = llvm.add %[[S]], %[[BYTES]] : i32
// CHECK-DAG: %[[T2:.*]] = llvm.add %[[T]], %[[COLUMNS]] : i32
// CHECK: return %[[S2]], %[[T2]]
func.func @more_static(%s: !either, %t: !t_any) -> (!second, !t1) {
  %0 = tcgen05.cast %s : !either -> !second
  %1 = tcgen05.cast %t : !t_any -> !t1
  return %0, %1 : !second, !t1
}

// Lane 3 and column 8 are 0x30008.
// CHECK-LABEL: func.func @lanes_and_columns
// CHECK-SAME: (%[[T:.*]]: i32) -> i32
// CHECK: %[[PLACE:.*]] = llvm.mlir.constant(196616 : i32) : i32
// CHECK: %[[T2:.*]] = llvm.add %[[T]], %[[PLACE]] : i32
// CHECK: return %[[T2]]
func.func @lanes_and_columns(%t: !tcgen05.tmem<4x8xi32, #t_lanes>) -> !tcgen05.tmem<4x8xi32, #t_any_lane> {
  %0 = tcgen05.cast %t : !tcgen05.tmem<4x8xi32, #t_lanes> -> !tcgen05.tmem<4x8xi32, #t_any_lane>
  return %0 : !tcgen05.tmem<4x8xi32, #t_any_lane>
}

// The same constant, or another spelling of the same function: no instruction.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-SAME: (%[[S0:.*]]: i32, %[[S1:.*]]: i32) -> (i32, i32)
// CHECK-NEXT: return %[[S0]], %[[S1]] : i32, i32
func.func @nothing_to_do(%s0: !first, %s1: !second) -> (!either, !split) {
  %0 = tcgen05.cast %s0 : !first -> !either
  %1 = tcgen05.cast %s1 : !second -> !split
  return %0, %1 : !either, !split
}

// Constants that casts add behind a pointer are literals again where a copy uses them: both copies share one base, and
// read 2048 bytes, 128 chunks, further on.
// CHECK-LABEL: func.func @copies
// CHECK: %[[INT:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
// CHECK: llvm.lshr %[[INT]], %{{.*}} : i32
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 128; tcgen05.cp.cta_group::1.128x128b [t], d; }" ro(%{{.*}}, %[[BASE]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 128; tcgen05.cp.cta_group::1.128x128b [t+8], d; }" ro(%{{.*}}, %[[BASE]] : i32, i64)
func.func @copies(%t: !t0, %t1: !t1, %ptr: !llvm.ptr<3>) {
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !second
  %e = tcgen05.cast %s : !second -> !either
  tcgen05.cp "cta_group::1.128x128b" %t, %e : !t0, !either
  tcgen05.cp "cta_group::1.128x128b" %t1, %s : !t1, !second
  return
}
