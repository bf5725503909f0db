// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -allow-unregistered-dialect | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!t = !tcgen05.tmem<128x4xi32, #t>
!s = !tcgen05.smem<128x4xi32, #s>

// Operations that the pass does not know stay, and what they hold is converted.
// CHECK-LABEL: func.func @in_a_region
// CHECK: "test.wrap"()
// CHECK-NOT: tcgen05.cp "
// CHECK: nvvm.inline_ptx
// CHECK: "test.end"
func.func @in_a_region(%t: !t, %s: !s) {
  "test.wrap"() ({
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// A copy needs no function around it.
// CHECK: %[[ADDR:.*]] = "test.address"() : () -> i32
// CHECK: %[[PTR:.*]] = "test.pointer"() : () -> !llvm.ptr<3>
// CHECK: llvm.ptrtoint %[[PTR]]
// CHECK: nvvm.inline_ptx "{{.*}}" ro(%[[ADDR]], %{{.*}} : i32, i64)
%addr = "test.address"() : () -> i32
%ptr = "test.pointer"() : () -> !llvm.ptr<3>
%t = tcgen05.tmem_view %addr : !t
%s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !s
tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s
