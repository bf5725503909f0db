// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -canonicalize -cse -loop-invariant-code-motion -gpu-eliminate-barriers -canonicalize | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!t = !tcgen05.tmem<128x4xi32, #t>
!s = !tcgen05.smem<128x4xi32, #s>
!buffer = memref<512xi32, #gpu.address_space<workgroup>>

// Equal copies are two, their descriptor is one.
// CHECK-LABEL: func.func @equal_copies
// CHECK-SAME: (%[[ADDR:.*]]: i32,
// CHECK-COUNT-1: llvm.or
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}" ro(%[[ADDR]], %[[BASE:.*]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{{.*}}" ro(%[[ADDR]], %[[BASE]] : i32, i64)
// CHECK-NEXT: return
func.func @equal_copies(%addr: i32, %ptr: !llvm.ptr<3>) {
  %t0 = tcgen05.tmem_view %addr : !t
  %s0 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !s
  tcgen05.cp "cta_group::1.128x128b" %t0, %s0 : !t, !s
  %t1 = tcgen05.tmem_view %addr : !t
  %s1 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !s
  tcgen05.cp "cta_group::1.128x128b" %t1, %s1 : !t, !s
  return
}

// The descriptor leaves the loop, the copy does not.
// CHECK-LABEL: func.func @loop
// CHECK: llvm.or
// CHECK-NEXT: scf.for
// CHECK-NEXT: nvvm.inline_ptx
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT: return
func.func @loop(%addr: i32, %ptr: !llvm.ptr<3>, %from: index, %to: index, %by: index) {
  scf.for %i = %from to %to step %by {
    %t = tcgen05.tmem_view %addr : !t
    %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !s
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s
  }
  return
}

// The barrier between the stores of all threads and the copy stays, the one that does nothing more is removed.
// CHECK-LABEL: func.func @barrier
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: nvvm.inline_ptx
func.func @barrier(%addr: i32, %buffer: !buffer, %value: i32, %i: index) attributes {__parallel_region_boundary_for_test} {
  %t = tcgen05.tmem_view %addr : !t
  %s = tcgen05.smem_view %buffer : !buffer -> !s
  memref.store %value, %buffer[%i] : !buffer
  gpu.barrier
  gpu.barrier
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s
  return
}

// A constant address and a constant predicate remain operands: the template moves both to registers of its own.
// CHECK-LABEL: func.func @constants
// CHECK: nvvm.inline_ptx "{{.*}} setp.ne.b32 p, $2, 0; mov.b32 t, $0; mov.b64 d, $1; @p tcgen05.cp.cta_group::1.128x128b [t], d; }" ro(%{{.*}}, %{{.*}}, %{{.*}} : i32, i64, i32)
func.func @constants(%ptr: !llvm.ptr<3>) {
  %addr = arith.constant 4 : i32
  %true = arith.constant true
  %t = tcgen05.tmem_view %addr : !t
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !s
  tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %true : !t, !s
  return
}
