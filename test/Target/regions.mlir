// REQUIRES: ptxas
// RUN: tcgen05-opt %s -tcgen05-compile=format=isa | FileCheck %s
// RUN: tcgen05-opt %s -tcgen05-compile=format=bin | FileCheck --check-prefix=BIN %s

// A kernel whose regions go through a called function, a loop and a branch over two stages.

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#t_any = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?4*4@col]>
#t_wide = #tcgen05.layout<[128, 16] : [1@lane, 1@col]>
#first = #tcgen05.layout<[128, 4] : [4, 1]>
#second = #tcgen05.layout<[128, 4] : [4, 1], offset [512]>
#either = #tcgen05.layout<[128, 4] : [4, 1], offset [?2*512]>
!buffer = memref<1024xi32, #gpu.address_space<workgroup>>
!t = !tcgen05.tmem<128x4xi32, #t, columns 32>
!t_any = !tcgen05.tmem<128x4xi32, #t_any, columns 32>
!t_wide = !tcgen05.tmem<128x16xi32, #t_wide, columns 32>
!first = !tcgen05.smem<128x4xi32, #first, storage 4096>
!second = !tcgen05.smem<128x4xi32, #second, storage 4096>
!either = !tcgen05.smem<128x4xi32, #either, storage 4096>

// BIN: gpu.binary @kernels
// BIN-SAME: bin = "\7FELF
// CHECK: .entry regions(
// CHECK: selp.b32
// CHECK: tcgen05.cp.cta_group::1.128x128b [t], d;
// CHECK: tcgen05.cp.cta_group::1.128x128b [t], d;
gpu.module @kernels {
  func.func private @copy(%t: !t_any, %s: !either) {
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !t_any, !either
    return
  }
  func.func private @pick(%p: i1, %first: !first, %second: !second) -> !either {
    %s = scf.if %p -> !either {
      %e = tcgen05.cast %first : !first -> !either
      scf.yield %e : !either
    } else {
      %e = tcgen05.cast %second : !second -> !either
      scf.yield %e : !either
    }
    return %s : !either
  }
  gpu.func @regions(%addr: i32, %p: i1, %n: index) workgroup(%buffer: !buffer {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %wide = tcgen05.tmem_view %addr : !t_wide
    %first = tcgen05.smem_view %buffer : !buffer -> !first
    %second = tcgen05.smem_view %buffer : !buffer -> !second
    %picked = func.call @pick(%p, %first, %second) : (i1, !first, !second) -> !either
    %t0 = tcgen05.tmem_view %addr : !t
    %any = tcgen05.cast %t0 : !t -> !t_any
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      func.call @copy(%any, %picked) : (!t_any, !either) -> ()
      %e = tcgen05.cast %first : !first -> !either
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %picked, %y = %e) -> (!either, !either) {
        %ti = tcgen05.slice %wide[0, %i * 4] [128, 4] : !t_wide
        func.call @copy(%ti, %x) : (!t_any, !either) -> ()
        scf.yield %y, %x : !either, !either
      }
      func.call @copy(%any, %r#1) : (!t_any, !either) -> ()
    }
    gpu.return
  }
}
