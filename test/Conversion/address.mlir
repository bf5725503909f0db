// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -canonicalize -cse | FileCheck %s

#t = #tcgen05.layout<[4, 8] : [32@lane, 1@col], offset [3@lane, 8@col]>
#t0 = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#t_ring = #tcgen05.layout<[128, 16] : [1@lane, 1@col], offset [4@col]>
#s = #tcgen05.layout<[128, 8] : [32, 1], offset [8], swizzle 128B>
#ring = #tcgen05.layout<[4, 128, 8] : [4096, 32, 1], offset [8], swizzle 128B>
#half = #tcgen05.layout<[8, 8] : [8, 1], offset [24]>
!t = !tcgen05.tmem<4x8xi32, #t>
!t0 = !tcgen05.tmem<128x4xi32, #t0>

// CHECK-LABEL: func.func @zero
// CHECK-SAME: (%[[T:.*]]: i32) -> i32
// CHECK-NEXT: return %[[T]] : i32
func.func @zero(%t: !t0) -> i32 {
  %a = tcgen05.address %t : !t0 -> i32
  return %a : i32
}

// Coordinate zero: lane 3 and column 8 are 0x30008; 8 words are 32 bytes, before swizzling.
// CHECK-LABEL: func.func @constants
// CHECK-SAME: (%[[T:.*]]: i32, %[[S:.*]]: i32) -> (i32, !llvm.ptr<3>)
// CHECK-DAG: %[[PLACE:.*]] = llvm.mlir.constant(196616 : i32) : i32
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(32 : i32) : i32
// CHECK-DAG: %[[T2:.*]] = llvm.add %[[T]], %[[PLACE]] : i32
// CHECK-DAG: %[[S2:.*]] = llvm.add %[[S]], %[[BYTES]] : i32
// CHECK-DAG: %[[PTR:.*]] = llvm.inttoptr %[[S2]] : i32 to !llvm.ptr<3>
// CHECK: return %[[T2]], %[[PTR]]
func.func @constants(%t: !t, %s: !tcgen05.smem<128x8xi32, #s, align 1024>) -> (i32, !llvm.ptr<3>) {
  %a = tcgen05.address %t : !t -> i32
  %b = tcgen05.address %s : !tcgen05.smem<128x8xi32, #s, align 1024> -> !llvm.ptr<3>
  return %a, %b : i32, !llvm.ptr<3>
}

// Elements of two bytes: 24 of them are 48 bytes.
// CHECK-LABEL: func.func @small_elements
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(48 : i32) : i32
// CHECK: llvm.add %{{.*}}, %[[BYTES]] : i32
func.func @small_elements(%s: !tcgen05.smem<8x8xbf16, #half>) -> !llvm.ptr<3> {
  %b = tcgen05.address %s : !tcgen05.smem<8x8xbf16, #half> -> !llvm.ptr<3>
  return %b : !llvm.ptr<3>
}

// Run-time parts are in the address: 4 columns a step, 16384 bytes a stage.
// CHECK-LABEL: func.func @terms
// CHECK-SAME: (%[[T:.*]]: i32, %[[S:.*]]: i32, %[[I:.*]]: index)
// CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-DAG: %[[C32:.*]] = llvm.mlir.constant(32 : i32) : i32
// CHECK-DAG: %[[C16384:.*]] = llvm.mlir.constant(16384 : i32) : i32
// CHECK-DAG: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-DAG: %[[COLUMN:.*]] = llvm.mul %[[I32]], %[[C4]] : i32
// CHECK-DAG: %[[T1:.*]] = llvm.add %[[T]], %[[COLUMN]] : i32
// CHECK-DAG: %[[T2:.*]] = llvm.add %[[T1]], %[[C4]] : i32
// CHECK-DAG: %[[STAGE:.*]] = llvm.mul %[[I32]], %[[C16384]] : i32
// CHECK-DAG: %[[S1:.*]] = llvm.add %[[S]], %[[STAGE]] : i32
// CHECK-DAG: %[[S2:.*]] = llvm.add %[[S1]], %[[C32]] : i32
// CHECK-DAG: %[[PTR:.*]] = llvm.inttoptr %[[S2]] : i32 to !llvm.ptr<3>
// CHECK: return %[[T2]], %[[PTR]]
#t_at = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?4*4 + 4@col]>
#stage = #tcgen05.layout<[1, 128, 8] : [4096, 32, 1], offset [?4*4096 + 8], swizzle 128B>
!t_ring = !tcgen05.tmem<128x16xi32, #t_ring>
!ring = !tcgen05.smem<4x128x8xi32, #ring, align 1024, storage 65536>
func.func @terms(%t: !t_ring, %s: !ring, %i: index) -> (i32, !llvm.ptr<3>) {
  %ti = tcgen05.slice %t[0, %i * 4] [128, 4] : !t_ring
  %si = tcgen05.slice %s[%i, 0, 0] [1, 128, 8] : !ring
  %a = tcgen05.address %ti : !tcgen05.tmem<128x4xi32, #t_at> -> i32
  %b = tcgen05.address %si : !tcgen05.smem<1x128x8xi32, #stage, align 1024, storage 65536> -> !llvm.ptr<3>
  return %a, %b : i32, !llvm.ptr<3>
}
