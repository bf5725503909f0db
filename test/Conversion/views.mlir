// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#t_at = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [20@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
#s_at = #tcgen05.layout<[128, 4] : [4, 1], offset [64]>
!tmem = !tcgen05.tmem<128x4xi32, #t, columns 32>
!tmem_at = !tcgen05.tmem<128x4xi32, #t_at, columns 32>
!smem = !tcgen05.smem<128x4xi32, #s>
!smem_at = !tcgen05.smem<128x4xi32, #s_at>

// A region is its address: nothing is left of a view that nobody copies.
// CHECK-LABEL: func.func @unused
// CHECK-NOT: tcgen05
// CHECK: return
func.func @unused(%addr: i32, %ptr: !llvm.ptr<3>) {
  %t = tcgen05.tmem_view %addr : !tmem
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem
  return
}

// CHECK-LABEL: func.func @values
// CHECK-SAME: (%[[ADDR:.*]]: i32, %[[PTR:.*]]: !llvm.ptr<3>) -> (i32, i32)
// CHECK-NEXT: %[[INT:.*]] = llvm.ptrtoint %[[PTR]] : !llvm.ptr<3> to i32
// CHECK-NEXT: return %[[ADDR]], %[[INT]] : i32, i32
func.func @values(%addr: i32, %ptr: !llvm.ptr<3>) -> (!tmem, !smem) {
  %t = tcgen05.tmem_view %addr : !tmem
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem
  return %t, %s : !tmem, !smem
}

// The constant part of an offset stays in the type ...
// CHECK-LABEL: func.func @offsets
// CHECK-SAME: (%[[ADDR:.*]]: i32, %[[PTR:.*]]: !llvm.ptr<3>) -> (i32, i32)
// CHECK-NEXT: %[[INT:.*]] = llvm.ptrtoint %[[PTR]] : !llvm.ptr<3> to i32
// CHECK-NEXT: return %[[ADDR]], %[[INT]] : i32, i32
func.func @offsets(%addr: i32, %ptr: !llvm.ptr<3>) -> (!tmem_at, !smem_at) {
  %t = tcgen05.tmem_view %addr : !tmem_at
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem_at
  return %t, %s : !tmem_at, !smem_at
}

// ... and reaches the instruction as literals: 20 columns, and 256 bytes in chunks of 16.
// CHECK-LABEL: func.func @copy
// CHECK-SAME: (%[[ADDR:.*]]: i32, %[[PTR:.*]]: !llvm.ptr<3>)
// CHECK: %[[INT:.*]] = llvm.ptrtoint %[[PTR]] : !llvm.ptr<3> to i32
// CHECK: llvm.lshr %[[INT]], %{{.*}} : i32
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK-NEXT: nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 16; tcgen05.cp.cta_group::1.128x128b [t+20], d; }" ro(%[[ADDR]], %[[BASE]] : i32, i64)
func.func @copy(%addr: i32, %ptr: !llvm.ptr<3>) {
  %t = tcgen05.tmem_view %addr : !tmem_at
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem_at
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem_at, !smem_at
  return
}
