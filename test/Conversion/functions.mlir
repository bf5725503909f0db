// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm | FileCheck %s

// Regions through functions and control flow: everywhere an i32, and nothing of the dialect is left.

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
#first = #tcgen05.layout<[128, 4] : [4, 1]>
#second = #tcgen05.layout<[128, 4] : [4, 1], offset [512]>
#either = #tcgen05.layout<[128, 4] : [4, 1], offset [?2*512]>
!tmem = !tcgen05.tmem<128x4xi32, #t, columns 32>
!smem = !tcgen05.smem<128x4xi32, #s>
!first = !tcgen05.smem<128x4xi32, #first, storage 4096>
!second = !tcgen05.smem<128x4xi32, #second, storage 4096>
!either = !tcgen05.smem<128x4xi32, #either, storage 4096>

// CHECK-NOT: !tcgen05

// CHECK-LABEL: func.func private @declared(i32, i32) -> i32
func.func private @declared(!tmem, !smem) -> !smem

// CHECK-LABEL: func.func @call
// CHECK-SAME: (%[[T:.*]]: i32, %[[S:.*]]: i32) -> (i32, i32)
// CHECK-NEXT: %[[R:.*]] = call @declared(%[[T]], %[[S]]) : (i32, i32) -> i32
// CHECK-NEXT: return %[[T]], %[[R]] : i32, i32
func.func @call(%t: !tmem, %s: !smem) -> (!tmem, !smem) {
  %r = call @declared(%t, %s) : (!tmem, !smem) -> !smem
  return %t, %r : !tmem, !smem
}

// CHECK-LABEL: func.func @for
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32,
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} iter_args(%[[X:.*]] = %[[A]], %[[Y:.*]] = %[[B]]) -> (i32, i32)
// CHECK: scf.yield %[[Y]], %[[X]] : i32, i32
// CHECK: return %[[R]]#0 : i32
func.func @for(%a: !smem, %b: !smem, %from: index, %to: index, %by: index) -> !smem {
  %r:2 = scf.for %i = %from to %to step %by iter_args(%x = %a, %y = %b) -> (!smem, !smem) {
    scf.yield %y, %x : !smem, !smem
  }
  return %r#0 : !smem
}

// Two stages of a buffer, chosen by a condition: the second brings its 2048 bytes along.
// CHECK-LABEL: func.func @if
// CHECK-SAME: (%[[P:.*]]: i1, %[[PTR:.*]]: !llvm.ptr<3>, %[[T:.*]]: i32)
// CHECK: %[[STAGE:.*]] = scf.if %[[P]] -> (i32)
// CHECK: %[[INT:.*]] = llvm.ptrtoint %[[PTR]]
// CHECK: scf.yield %[[INT]] : i32
// CHECK: } else {
// CHECK: %[[INT2:.*]] = llvm.ptrtoint %[[PTR]]
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(2048 : i32) : i32
// CHECK: %[[AT:.*]] = llvm.add %[[INT2]], %[[BYTES]] : i32
// CHECK: scf.yield %[[AT]] : i32
// CHECK: llvm.lshr %[[STAGE]], %{{.*}} : i32
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK: nvvm.inline_ptx "{{.*}} mov.b64 d, $1; tcgen05.cp.cta_group::1.128x128b [t], d; }" ro(%[[T]], %[[BASE]] : i32, i64)
func.func @if(%p: i1, %ptr: !llvm.ptr<3>, %t: !tmem) {
  %stage = scf.if %p -> !either {
    %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !first
    %e = tcgen05.cast %s : !first -> !either
    scf.yield %e : !either
  } else {
    %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !second
    %e = tcgen05.cast %s : !second -> !either
    scf.yield %e : !either
  }
  tcgen05.cp "cta_group::1.128x128b" %t, %stage : !tmem, !either
  return
}

// CHECK-LABEL: func.func @while
// CHECK-SAME: (%[[S:.*]]: i32, %[[P:.*]]: i1) -> i32
// CHECK: %[[R:.*]] = scf.while (%[[X:.*]] = %[[S]]) : (i32) -> i32
// CHECK: scf.condition(%[[P]]) %[[X]] : i32
// CHECK: ^bb0(%[[Y:.*]]: i32):
// CHECK: scf.yield %[[Y]] : i32
// CHECK: return %[[R]] : i32
func.func @while(%s: !smem, %p: i1) -> !smem {
  %r = scf.while (%x = %s) : (!smem) -> !smem {
    scf.condition(%p) %x : !smem
  } do {
  ^bb0(%y: !smem):
    scf.yield %y : !smem
  }
  return %r : !smem
}

// CHECK-LABEL: func.func @branches
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[P:.*]]: i1) -> i32
// CHECK: cf.cond_br %[[P]], ^[[THEN:.*]](%[[A]] : i32), ^[[ELSE:.*]](%[[B]] : i32)
// CHECK: ^[[THEN]](%[[X:.*]]: i32):
// CHECK: cf.br ^[[ELSE]](%[[X]] : i32)
// CHECK: ^[[ELSE]](%[[Y:.*]]: i32):
// CHECK: return %[[Y]] : i32
func.func @branches(%a: !smem, %b: !smem, %p: i1) -> !smem {
  cf.cond_br %p, ^then(%a : !smem), ^else(%b : !smem)
^then(%x: !smem):
  cf.br ^else(%x : !smem)
^else(%y: !smem):
  return %y : !smem
}

// CHECK-LABEL: func.func @select
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[P:.*]]: i1) -> i32
// CHECK: %[[R:.*]] = arith.select %[[P]], %[[A]], %[[B]] : i32
// CHECK: return %[[R]] : i32
func.func @select(%a: !smem, %b: !smem, %p: i1) -> !smem {
  %r = arith.select %p, %a, %b : !smem
  return %r : !smem
}

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK: gpu.func @device(%[[S:.*]]: i32) -> i32 {
  // CHECK-NEXT: gpu.return %[[S]] : i32
  gpu.func @device(%s: !smem) -> !smem {
    gpu.return %s : !smem
  }
  // Attributions follow the arguments, and stay what they are.
  // CHECK: gpu.func @attributions(%[[T:.*]]: i32) workgroup(%[[W:.*]] : memref<512xi32, #gpu.address_space<workgroup>>{{.*}}) private(%[[V:.*]] : memref<4xi32, #gpu.address_space<private>>) kernel {
  // CHECK: memref.extract_aligned_pointer_as_index %[[W]]
  // CHECK: nvvm.inline_ptx "{{.*}}" ro(%[[T]], %{{.*}} : i32, i64)
  // CHECK: memref.load %[[V]]
  gpu.func @attributions(%t: !tmem) workgroup(%w: memref<512xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      private(%v: memref<4xi32, #gpu.address_space<private>>) kernel {
    %s = tcgen05.smem_view %w : memref<512xi32, #gpu.address_space<workgroup>> -> !smem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    %c0 = arith.constant 0 : index
    %x = memref.load %v[%c0] : memref<4xi32, #gpu.address_space<private>>
    gpu.return
  }
}

// A block that nobody reaches is no obstacle; it is gone.
// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unreachable(%t: !tmem, %s: !smem) {
  return
^never(%r: !smem):
  tcgen05.cp "cta_group::1.128x128b" %t, %r : !tmem, !smem
  cf.br ^never(%s : !smem)
}
