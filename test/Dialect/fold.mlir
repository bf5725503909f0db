// RUN: tcgen05-opt %s -canonicalize | FileCheck %s

#first = #tcgen05.layout<[32, 4] : [4, 1]>
#second = #tcgen05.layout<[32, 4] : [4, 1], offset [128]>
#either = #tcgen05.layout<[32, 4] : [4, 1], offset [?2*128]>
#any = #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>
!first = !tcgen05.smem<32x4xi32, #first, storage 2048>
!second = !tcgen05.smem<32x4xi32, #second, storage 2048>
!either = !tcgen05.smem<32x4xi32, #either, storage 2048>
!any = !tcgen05.smem<32x4xi32, #any, storage 2048>

// CHECK-LABEL: func.func @same
// CHECK-SAME: (%[[VIEW:.*]]: !tcgen05
// CHECK-NEXT: return %[[VIEW]]
func.func @same(%view: !first) -> !first {
  %0 = tcgen05.cast %view : !first -> !first
  return %0 : !first
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME: (%[[VIEW:.*]]: !tcgen05
// CHECK-NEXT: return %[[VIEW]]
func.func @there_and_back(%view: !first) -> !first {
  %0 = tcgen05.cast %view : !first -> !either
  %1 = tcgen05.cast %0 : !either -> !first
  return %1 : !first
}

// CHECK-LABEL: func.func @further
// CHECK-SAME: (%[[VIEW:.*]]: !tcgen05
// CHECK-NEXT: %[[CAST:.*]] = tcgen05.cast %[[VIEW]]
// CHECK-NEXT: return %[[CAST]]
func.func @further(%view: !first) -> !any {
  %0 = tcgen05.cast %view : !first -> !either
  %1 = tcgen05.cast %0 : !either -> !any
  return %1 : !any
}

// The first stage is not the second: what is said at run time stays said.
// CHECK-LABEL: func.func @contradiction
// CHECK-COUNT-2: tcgen05.cast
func.func @contradiction(%view: !first) -> !second {
  %0 = tcgen05.cast %view : !first -> !either
  %1 = tcgen05.cast %0 : !either -> !second
  return %1 : !second
}
