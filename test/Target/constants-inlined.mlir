// REQUIRES: ptxas
// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -inline -canonicalize -tcgen05-compile=format=isa | FileCheck %s
// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -inline -canonicalize -tcgen05-compile=format=bin | FileCheck --check-prefix=BIN %s

// Address and predicate are constants only after our pass, when the function has been inlined: they reach the template as
// literals, and assemble.

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!t = !tcgen05.tmem<128x4xi32, #t>
!s = !tcgen05.smem<128x4xi32, #s>

// BIN: gpu.binary @kernels
// BIN-SAME: bin = "\7FELF
// CHECK: .func inlined(
// CHECK: setp.ne.b32 p, {{-?1}}, 0; mov.b32 t, 8; {{[^@]*}}@p tcgen05.cp.cta_group::1.128x128b [t], d; }
// CHECK: setp.ne.b32 p, 0, 0; mov.b32 t, 8; {{[^@]*}}@p tcgen05.cp.cta_group::1.128x128b [t], d; }
gpu.module @kernels {
  func.func private @copy(%addr: i32, %s: !s, %p: i1) {
    %t = tcgen05.tmem_view %addr : !t
    tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %p : !t, !s
    return
  }
  func.func @inlined(%ptr: !llvm.ptr<3>) {
    %addr = arith.constant 8 : i32
    %true = arith.constant true
    %false = arith.constant false
    %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !s
    func.call @copy(%addr, %s, %true) : (i32, !s, i1) -> ()
    func.call @copy(%addr, %s, %false) : (i32, !s, i1) -> ()
    return
  }
}
