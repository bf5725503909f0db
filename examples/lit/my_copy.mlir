// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm | filecheck %s

// A test of your own kernel: the command above must print what the CHECK lines say, in this order. Who needs it: everyone whose
// layouts are written by a program. It holds the opcode, the columns of each copy, and the distance of their sources in units of
// 16 bytes: what a change of the layouts changes.

// CHECK-LABEL: func.func @two_copies
// CHECK: tcgen05.cp.cta_group::1.128x128b [t], d;
// CHECK: add.s64 d, $1, 128; tcgen05.cp.cta_group::1.128x128b [t+4], d;
// CHECK-NOT: tcgen05.cp
// CHECK: return
!tmem = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [4@col, 1@lane, 1@col]>>
!smem = !tcgen05.smem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [512, 4, 1]>>
func.func @two_copies(%t: !tmem, %s: !smem) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
