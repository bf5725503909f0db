// RUN: tcgen05-opt %s -cse -loop-invariant-code-motion -canonicalize -gpu-eliminate-barriers | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #t>
!smem = !tcgen05.smem<128x4xi32, #s>
!buffer = memref<512xi32, #gpu.address_space<workgroup>>

// Equal views are one, equal copies are two.
// CHECK-LABEL: func.func @cse
// CHECK-NEXT: tcgen05.tmem_view
// CHECK-NEXT: tcgen05.smem_view
// CHECK-NEXT: tcgen05.cp
// CHECK-NEXT: tcgen05.cp
// CHECK-NEXT: return
func.func @cse(%addr: i32, %ptr: !llvm.ptr<3>) {
  %t0 = tcgen05.tmem_view %addr : !tmem
  %s0 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t0, %s0 : !tmem, !smem
  %t1 = tcgen05.tmem_view %addr : !tmem
  %s1 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t1, %s1 : !tmem, !smem
  return
}

// Views leave a loop, the copy stays in it.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT: tcgen05.tmem_view
// CHECK-NEXT: tcgen05.smem_view
// CHECK-NEXT: scf.for
// CHECK-NEXT: tcgen05.cp
func.func @loop(%addr: i32, %ptr: !llvm.ptr<3>, %from: index, %to: index, %step: index) {
  scf.for %i = %from to %to step %step {
    %t = tcgen05.tmem_view %addr : !tmem
    %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  }
  return
}

// The barrier between the stores of all threads and the copy stays.
// CHECK-LABEL: func.func @barrier
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tcgen05.cp
func.func @barrier(%addr: i32, %buffer: !buffer, %value: i32, %i: index) attributes {__parallel_region_boundary_for_test} {
  %t = tcgen05.tmem_view %addr : !tmem
  %s = tcgen05.smem_view %buffer : !buffer -> !smem
  memref.store %value, %buffer[%i] : !buffer
  gpu.barrier
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
