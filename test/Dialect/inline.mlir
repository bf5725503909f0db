// RUN: tcgen05-opt %s -inline | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #t>
!smem = !tcgen05.smem<128x4xi32, #s>

func.func private @copy(%addr: i32, %s: !smem) {
  %t = tcgen05.tmem_view %addr : !tmem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// CHECK-LABEL: func.func @caller
// CHECK-NOT: call
// CHECK: tcgen05.tmem_view
// CHECK-NEXT: tcgen05.cp
// CHECK-NEXT: return
func.func @caller(%addr: i32, %s: !smem) {
  call @copy(%addr, %s) : (i32, !smem) -> ()
  return
}
