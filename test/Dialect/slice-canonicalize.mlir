// RUN: tcgen05-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s

#rows = #tcgen05.layout<[128, 4] : [4, 1]>
#blocks = #tcgen05.layout<[(16, 8), 4] : [(64, 4), 1]>
!rows = !tcgen05.smem<128x4xi32, #rows>
!blocks = !tcgen05.smem<128x4xi32, #blocks>
!any = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?97*4]>>

// All of a region is the region.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[VIEW:.*]]: !tcgen05
// CHECK-NEXT: return %[[VIEW]]
func.func @whole(%v: !rows) -> !rows {
  %0 = tcgen05.slice %v[0, 0] [128, 4] : !rows
  return %0 : !rows
}

// An index that is known becomes the origin, and its term goes. The cast keeps the type that others were promised.
// CHECK-LABEL: func.func @constant
// CHECK-SAME: (%[[VIEW:.*]]: !tcgen05
// CHECK-NEXT: %[[SLICE:.*]] = tcgen05.slice %[[VIEW]][40, 0] [32, 4] : {{.*}} -> !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [160]>, storage 2048>
// CHECK-NEXT: %[[CAST:.*]] = tcgen05.cast %[[SLICE]] : !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [160]>, storage 2048> -> !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?6*64 + 32]>, storage 2048>
// CHECK-NEXT: return %[[CAST]]
!some = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?6*64 + 32]>, storage 2048>
func.func @constant(%v: !rows) -> !some {
  %c2 = arith.constant 2 : index
  %0 = tcgen05.slice %v[8 + %c2 * 16, 0] [32, 4] : !rows
  return %0 : !some
}

// Products with a constant go into the multiplier, sums into the constant, times what the index is multiplied by.
// CHECK-LABEL: func.func @arithmetic
// CHECK-SAME: %[[I:[^:]*]]: index
// CHECK: tcgen05.slice %{{.*}}[%[[I]] * 8, 0] [32, 4] : {{.*}} offset [?13*32]>
// CHECK: tcgen05.slice %{{.*}}[5 + %[[I]], 0] [32, 4] : {{.*}} offset [?92*4 + 20]>
// CHECK: tcgen05.slice %{{.*}}[%[[I]] * 16, 0] [32, 4] : {{.*}} offset [?7*64]>
// CHECK: tcgen05.slice %{{.*}}[21 + %[[I]] * 24, 0] [32, 4] : {{.*}} offset [?4*96 + 84]>
!by24 = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?24*16 + 4]>, storage 2048>
func.func @arithmetic(%i: index, %v: !rows) -> (!any, !any, !any, !by24) {
  %c8 = arith.constant 8 : index
  %c6 = arith.constant 6 : index
  %c5 = arith.constant 5 : index
  %c4 = arith.constant 4 : index
  %times = arith.muli %c8, %i : index
  %0 = tcgen05.slice %v[%times, 0] [32, 4] : !rows
  %plus = arith.addi %c5, %i : index
  %1 = tcgen05.slice %v[%plus, 0] [32, 4] : !rows
  %shifted = arith.shli %i, %c4 : index
  %2 = tcgen05.slice %v[%shifted, 0] [32, 4] : !rows
  // 1 + 4 (5 + 6 i) = 21 + 24 i
  %product = arith.muli %i, %c6 : index
  %sum = arith.addi %product, %c5 : index
  %3 = tcgen05.slice %v[1 + %sum * 4, 0] [32, 4] : !rows
  return %0, %1, %2, %3 : !any, !any, !any, !by24
}

// What is not constant stays, and so does a product that would not be positive.
// CHECK-LABEL: func.func @stays
// CHECK-SAME: %[[I:[^:]*]]: index, %[[J:[^:]*]]: index
// CHECK: %[[MINUS:.*]] = arith.constant -1 : index
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[I]], %[[J]] : index
// CHECK: tcgen05.slice %{{.*}}[%[[PRODUCT]], 0] [32, 4]
// CHECK: %[[NEGATED:.*]] = arith.muli %[[I]], %[[MINUS]] : index
// CHECK: tcgen05.slice %{{.*}}[%[[NEGATED]], 0] [32, 4]
func.func @stays(%i: index, %j: index, %v: !rows) -> (!any, !any) {
  %product = arith.muli %i, %j : index
  %0 = tcgen05.slice %v[%product, 0] [32, 4] : !rows
  %minus = arith.constant -1 : index
  %negated = arith.muli %i, %minus : index
  %1 = tcgen05.slice %v[%negated, 0] [32, 4] : !rows
  return %0, %1 : !any, !any
}

// Constants that leave the region are undefined behaviour at run time and no reason to fail: nothing is folded.
// CHECK-LABEL: func.func @out_of_bounds
// CHECK: tcgen05.slice %{{.*}}[%{{.*}}, 0] [32, 4] : {{.*}} offset [?97*4]>>
// CHECK: tcgen05.slice %{{.*}}[%{{.*}}, 0] [32, 4] : {{.*}} offset [?97*4]>>
// CHECK: tcgen05.slice %{{.*}}[%{{.*}} * 32, 0] [32, 4] : {{.*}} offset [?4*128]>>
func.func @out_of_bounds(%v: !rows) -> (!any, !any, !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>>) {
  %far = arith.constant 97 : index
  %0 = tcgen05.slice %v[%far, 0] [32, 4] : !rows
  %below = arith.constant -1 : index
  %1 = tcgen05.slice %v[%below, 0] [32, 4] : !rows
  %huge = arith.constant 9223372036854775807 : index
  %2 = tcgen05.slice %v[%huge * 32, 0] [32, 4] : !rows
  return %0, %1, %2 : !any, !any, !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>>
}

// A slice of a slice is one slice.
// CHECK-LABEL: func.func @merged
// CHECK-SAME: %[[I:[^:]*]]: index, %[[J:[^:]*]]: index, %[[V:[^:]*]]: !tcgen05
// CHECK-NEXT: %[[A:.*]] = tcgen05.slice %[[V]][24, 1] [8, 2] : {{.*}} offset [97]>, storage 2048>
// CHECK-NEXT: %[[B:.*]] = tcgen05.slice %[[V]][16 + %[[I]] * 4, 0] [8, 4] : {{.*}}
// CHECK: tcgen05.slice %[[V]][%[[I]] * 32, %[[J]]] [32, 1] : {{.*}} -> !tcgen05.smem<32x1xi32, #tcgen05.layout<[32, 1] : [4, 1], offset [?4*128 + ?4*1]>>
func.func @merged(%i: index, %j: index, %v: !rows)
    -> (!tcgen05.smem<8x2xi32, #tcgen05.layout<[8, 2] : [4, 1], offset [97]>, storage 2048>,
        !tcgen05.smem<8x4xi32, #tcgen05.layout<[8, 4] : [4, 1], offset [?13*16 + 64]>, storage 2048>,
        !tcgen05.smem<32x1xi32, #tcgen05.layout<[32, 1] : [4, 1], offset [?4*128 + ?4*1]>>) {
  %0 = tcgen05.slice %v[16, 0] [64, 4] : !rows
  %1 = tcgen05.slice %0[8, 1] [8, 2] : !tcgen05.smem<64x4xi32, #tcgen05.layout<[64, 4] : [4, 1], offset [64]>, storage 2048>
  %2 = tcgen05.slice %v[16, 0] [56, 4] : !rows
  %3 = tcgen05.slice %2[%i * 4, 0] [8, 4] : !tcgen05.smem<56x4xi32, #tcgen05.layout<[56, 4] : [4, 1], offset [64]>, storage 2048>
  %4 = tcgen05.slice %v[%i * 32, 0] [32, 4] : !rows
  %5 = tcgen05.slice %4[0, %j] [32, 1] : !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>>
  return %1, %3, %5 : !tcgen05.smem<8x2xi32, #tcgen05.layout<[8, 2] : [4, 1], offset [97]>, storage 2048>,
        !tcgen05.smem<8x4xi32, #tcgen05.layout<[8, 4] : [4, 1], offset [?13*16 + 64]>, storage 2048>,
        !tcgen05.smem<32x1xi32, #tcgen05.layout<[32, 1] : [4, 1], offset [?4*128 + ?4*1]>>
}

// Two indices along one dimension stay two slices; blocks of rows that are no single stride merge like others.
// CHECK-LABEL: func.func @two_indices
// CHECK: %[[OUTER:.*]] = tcgen05.slice %{{.*}}[%{{.*}} * 32, 0] [32, 4]
// CHECK: tcgen05.slice %[[OUTER]][%{{.*}} * 8, 0] [8, 4] : {{.*}} offset [?4*128 + ?4*32]>>
// CHECK: %[[BLOCK:.*]] = tcgen05.slice %{{.*}}[16, 0] [8, 4]
// CHECK-NOT: tcgen05.slice
// CHECK: return
func.func @two_indices(%i: index, %j: index, %v: !rows, %b: !blocks)
    -> (!tcgen05.smem<8x4xi32, #tcgen05.layout<[8, 4] : [4, 1], offset [?4*128 + ?4*32]>>,
        !tcgen05.smem<8x4xi32, #tcgen05.layout<[8, 4] : [4, 1], offset [128]>, storage 3968>) {
  %0 = tcgen05.slice %v[%i * 32, 0] [32, 4] : !rows
  %1 = tcgen05.slice %0[%j * 8, 0] [8, 4] : !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>>
  %2 = tcgen05.slice %b[8, 0] [32, 4] : !blocks
  %3 = tcgen05.slice %2[8, 0] [8, 4] : !tcgen05.smem<32x4xi32, #tcgen05.layout<[(4, 8), 4] : [(64, 4), 1], offset [64]>, storage 3968>
  return %1, %3 : !tcgen05.smem<8x4xi32, #tcgen05.layout<[8, 4] : [4, 1], offset [?4*128 + ?4*32]>>,
        !tcgen05.smem<8x4xi32, #tcgen05.layout<[8, 4] : [4, 1], offset [128]>, storage 3968>
}
