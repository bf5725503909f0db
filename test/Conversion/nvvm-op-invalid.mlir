// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm=emit=nvvm-op -verify-diagnostics

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!t = !tcgen05.tmem<128x4xi32, #t>
!s = !tcgen05.smem<128x4xi32, #s>

func.func @pred(%p: i1, %t: !t, %s: !s) {
  // expected-error@+2 {{'tcgen05.cp' op expected no pred with emit=nvvm-op, since nvvm.tcgen05.cp takes none}}
  // expected-error@+1 {{failed to legalize operation 'tcgen05.cp' that was explicitly marked illegal}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %p : !t, !s
  return
}
