// REQUIRES: ptxas
// RUN: tcgen05-opt %s -tcgen05-compile=format=isa | FileCheck %s
// RUN: tcgen05-opt %s -tcgen05-compile=format=bin | FileCheck --check-prefix=BIN %s
// RUN: tcgen05-opt %s -tcgen05-compile="format=bin O=0" | FileCheck --check-prefix=BIN %s

// A TMEM address in brackets must be in a register, and so must a predicate before a brace: with literals in their place,
// ptxas crashes or refuses. The template moves its operands to registers of its own, so that constants assemble.

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!t = !tcgen05.tmem<128x4xi32, #t>
!s = !tcgen05.smem<128x4xi32, #s>
!buffer = memref<512xi32, #gpu.address_space<workgroup>>

// BIN: gpu.binary @kernels
// BIN-SAME: bin = "\7FELF

// CHECK: .entry at_once(
// CHECK: setp.ne.b32 p, {{[-0-9]+}}, 0; mov.b32 t, 4; {{.*}} @p tcgen05.cp.cta_group::1.128x128b [t], d; }
gpu.module @kernels {
  gpu.func @at_once() workgroup(%buffer: !buffer {llvm.align = 16 : i64}) kernel {
    %addr = arith.constant 4 : i32
    %true = arith.constant true
    %t = tcgen05.tmem_view %addr : !t
    %s = tcgen05.smem_view %buffer : !buffer -> !s
    tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %true : !t, !s
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s
    gpu.return
  }
}
