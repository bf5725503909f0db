// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -convert-scf-to-cf -convert-nvvm-to-llvm -convert-to-llvm -reconcile-unrealized-casts -o %t.mlir
// RUN: mlir-translate %t.mlir --mlir-to-llvmir -o %t.ll
// RUN: opt %t.ll -O3 -S | FileCheck %s

// What LLVM computes: all of it is constant here, so that the descriptors of the specification for shared address 0x400
// appear as one number. The start of a repeat or slice is in the template, in chunks of 16 bytes.

#t128 = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#t256 = #tcgen05.layout<[128, 8] : [1@lane, 1@col]>
#t4 = #tcgen05.layout<[4, 8] : [32@lane, 1@col]>
!t128 = !tcgen05.tmem<128x4xi32, #t128>
!t256 = !tcgen05.tmem<128x8xi32, #t256>
!t4 = !tcgen05.tmem<4x8xi32, #t4>
#s_k_major = #tcgen05.layout<[128, 4] : [4, 1]>
#s_two = #tcgen05.layout<[(16, 8), (2, 4)] : [(64, 4), (32, 1)]>
#s_128 = #tcgen05.layout<[128, 8] : [32, 1], swizzle 128B>
#s_in_row = #tcgen05.layout<[128, 8] : [32, 1], offset [8], swizzle 128B>
#s_64 = #tcgen05.layout<[128, 8] : [16, 1], swizzle 64B>
#s_32 = #tcgen05.layout<[128, 8] : [8, 1], swizzle 32B>
#s_four = #tcgen05.layout<[4, 8] : [32, 1], swizzle 128B>

// CHECK-LABEL: define void @golden
// 0x0000400800010040
// CHECK: tcgen05.cp.cta_group::1.128x128b [t], d; {{.*}}(i32 %0, i64 70403103981632)
// 0x0000401000080040
// CHECK: tcgen05.cp.cta_group::1.128x256b [t], d; {{.*}}(i32 %0, i64 70437464178752)
// 0x4000404000010040
// CHECK: mov.b64 d, $1; tcgen05.cp.cta_group::1.128x256b [t], d; {{.*}}(i32 %0, i64 4611756662049538112)
// 0x8000402000010040
// CHECK: tcgen05.cp.cta_group::1.128x256b [t], d; {{.*}}(i32 %0, i64 -9223301530671579072)
// 0xC000401000010040
// CHECK: tcgen05.cp.cta_group::1.128x256b [t], d; {{.*}}(i32 %0, i64 -4611615580963667904)
// 0x4000404000010042, as 0x4000404000010040 plus two.
// CHECK: add.s64 d, $1, 2; tcgen05.cp.cta_group::1.128x256b [t], d; {{.*}}(i32 %0, i64 4611756662049538112)
// 0x4000400000010040
// CHECK: tcgen05.cp.cta_group::1.4x256b [t], d; {{.*}}(i32 %0, i64 4611756387171631168)
func.func @golden(%addr: i32) {
  %c0x400 = arith.constant 1024 : i32
  %ptr = llvm.inttoptr %c0x400 : i32 to !llvm.ptr<3>
  %t128 = tcgen05.tmem_view %addr : !t128
  %t256 = tcgen05.tmem_view %addr : !t256
  %t4 = tcgen05.tmem_view %addr : !t4
  %0 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #s_k_major>
  tcgen05.cp "cta_group::1.128x128b" %t128, %0 : !t128, !tcgen05.smem<128x4xi32, #s_k_major>
  %1 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x8xi32, #s_two>
  tcgen05.cp "cta_group::1.128x256b" %t256, %1 : !t256, !tcgen05.smem<128x8xi32, #s_two>
  %2 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x8xi32, #s_128, align 1024>
  tcgen05.cp "cta_group::1.128x256b" %t256, %2 : !t256, !tcgen05.smem<128x8xi32, #s_128, align 1024>
  %3 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x8xi32, #s_64, align 512>
  tcgen05.cp "cta_group::1.128x256b" %t256, %3 : !t256, !tcgen05.smem<128x8xi32, #s_64, align 512>
  %4 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x8xi32, #s_32, align 256>
  tcgen05.cp "cta_group::1.128x256b" %t256, %4 : !t256, !tcgen05.smem<128x8xi32, #s_32, align 256>
  %5 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x8xi32, #s_in_row, align 1024>
  tcgen05.cp "cta_group::1.128x256b" %t256, %5 : !t256, !tcgen05.smem<128x8xi32, #s_in_row, align 1024>
  %6 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<4x8xi32, #s_four, align 1024, storage 1024>
  tcgen05.cp "cta_group::1.4x256b" %t4, %6 : !t4, !tcgen05.smem<4x8xi32, #s_four, align 1024, storage 1024>
  return
}

// Terms that lead below the view, through a call: 0x400 + 3 * 0x4000 - 2 * 0x4000 = 0x4400, whose chunk is 0x440. Were the
// constant added behind the shift, the address field would have borrowed from the field above it.
// CHECK-LABEL: define void @below
// CHECK: tcgen05.cp.cta_group::1.128x256b [t], d; {{.*}}(i32 %0, i64 4611756662049539136)
#below = #tcgen05.layout<[128, 8] : [32, 1], offset [?4*-4096 + 12288], swizzle 128B>
#stage1 = #tcgen05.layout<[128, 8] : [32, 1], offset [4096], swizzle 128B>
!below = !tcgen05.smem<128x8xi32, #below, align 1024, storage 65536>
!stage1 = !tcgen05.smem<128x8xi32, #stage1, align 1024, storage 65536>
func.func private @copy(%addr: i32, %s: !below) {
  %t = tcgen05.tmem_view %addr : !t256
  tcgen05.cp "cta_group::1.128x256b" %t, %s : !t256, !below
  return
}
func.func @below(%addr: i32) {
  %c0x400 = arith.constant 1024 : i32
  %ptr = llvm.inttoptr %c0x400 : i32 to !llvm.ptr<3>
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !stage1
  %b = tcgen05.cast %s : !stage1 -> !below
  call @copy(%addr, %b) : (i32, !below) -> ()
  return
}

// Two stages, chosen by a condition that is known in the end: 0x400 + 2048 is chunk 0xC0; and a loop that swaps its two
// regions three times ends with the other one.
// CHECK-LABEL: define void @stages
// CHECK: mov.b32 t, $0; mov.b64 d, $1; tcgen05.cp.cta_group::1.128x128b [t], d; {{.*}}(i32 %0, i64 70403103981760)
// CHECK: mov.b32 t, $0; mov.b64 d, $1; tcgen05.cp.cta_group::1.128x128b [t], d; {{.*}}(i32 %0, i64 70403103981760)
#second = #tcgen05.layout<[128, 4] : [4, 1], offset [512]>
#either = #tcgen05.layout<[128, 4] : [4, 1], offset [?2*512]>
!first = !tcgen05.smem<128x4xi32, #s_k_major, storage 4096>
!second = !tcgen05.smem<128x4xi32, #second, storage 4096>
!either = !tcgen05.smem<128x4xi32, #either, storage 4096>
func.func @stages(%addr: i32) {
  %c0x400 = arith.constant 1024 : i32
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %ptr = llvm.inttoptr %c0x400 : i32 to !llvm.ptr<3>
  %t = tcgen05.tmem_view %addr : !t128
  %first = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !first
  %second = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !second
  %chosen = scf.if %false -> !either {
    %e = tcgen05.cast %first : !first -> !either
    scf.yield %e : !either
  } else {
    %e = tcgen05.cast %second : !second -> !either
    scf.yield %e : !either
  }
  tcgen05.cp "cta_group::1.128x128b" %t, %chosen : !t128, !either
  %e0 = tcgen05.cast %first : !first -> !either
  %last:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %e0, %y = %chosen) -> (!either, !either) {
    scf.yield %y, %x : !either, !either
  }
  tcgen05.cp "cta_group::1.128x128b" %t, %last#0 : !t128, !either
  return
}
