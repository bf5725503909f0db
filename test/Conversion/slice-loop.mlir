// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -canonicalize -loop-invariant-code-motion -cse | FileCheck %s

#ring = #tcgen05.layout<[4, 128, 32] : [4096, 32, 1], swizzle 128B>
#stage = #tcgen05.layout<[1, 128, 32] : [4096, 32, 1], offset [?4*4096], swizzle 128B>
#step0 = #tcgen05.layout<[1, 128, 8] : [4096, 32, 1], offset [?4*4096], swizzle 128B>
#step1 = #tcgen05.layout<[1, 128, 8] : [4096, 32, 1], offset [?4*4096 + 8], swizzle 128B>
#t0 = #tcgen05.layout<[128, 8] : [1@lane, 1@col]>
#t1 = #tcgen05.layout<[128, 8] : [1@lane, 1@col], offset [8@col]>
!ring = !tcgen05.smem<4x128x32xi32, #ring, align 1024>
!stage = !tcgen05.smem<1x128x32xi32, #stage, align 1024, storage 65536>
!step0 = !tcgen05.smem<1x128x8xi32, #step0, align 1024, storage 65536>
!step1 = !tcgen05.smem<1x128x8xi32, #step1, align 1024, storage 65536>
!t0 = !tcgen05.tmem<128x8xi32, #t0, columns 32>
!t1 = !tcgen05.tmem<128x8xi32, #t1, columns 32>

// The base descriptor leaves the loop. Inside, a stage costs one multiplication and one addition, which its steps share.
// CHECK-LABEL: func.func @stages
// CHECK-SAME: (%[[ADDR:[a-z0-9]*]]: i32,
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT: %[[CHUNKS:.*]] = llvm.mul %[[I32]], %{{.*}} : i32
// CHECK-NEXT: %[[WIDE:.*]] = llvm.sext %[[CHUNKS]] : i32 to i64
// CHECK-NEXT: %[[DESC:.*]] = llvm.add %[[BASE]], %[[WIDE]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} mov.b64 d, $1; tcgen05.cp.cta_group::1.128x256b [t], d; }" ro(%[[ADDR]], %[[DESC]] : i32, i64)
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 2; tcgen05.cp.cta_group::1.128x256b [t+8], d; }" ro(%[[ADDR]], %[[DESC]] : i32, i64)
// CHECK-NEXT: }
func.func @stages(%addr: i32, %ptr: !llvm.ptr<3>, %from: index, %to: index, %by: index) {
  scf.for %i = %from to %to step %by {
    %ta = tcgen05.tmem_view %addr : !t0
    %tb = tcgen05.tmem_view %addr : !t1
    %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !ring
    %si = tcgen05.slice %s[%i, 0, 0] [1, 128, 32] : !ring
    %s0 = tcgen05.slice %si[0, 0, 0] [1, 128, 8] : !stage
    tcgen05.cp "cta_group::1.128x256b" %ta, %s0 : !t0, !step0
    %s1 = tcgen05.slice %si[0, 0, 8] [1, 128, 8] : !stage
    tcgen05.cp "cta_group::1.128x256b" %tb, %s1 : !t1, !step1
  }
  return
}

// The same from a view over a memref.
// CHECK-LABEL: func.func @memref_ring
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: %[[BASE:.*]] = llvm.or
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT: %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT: %[[CHUNKS:.*]] = llvm.mul %[[I32]], %{{.*}} : i32
// CHECK-NEXT: %[[WIDE:.*]] = llvm.sext %[[CHUNKS]] : i32 to i64
// CHECK-NEXT: %[[DESC:.*]] = llvm.add %[[BASE]], %[[WIDE]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} tcgen05.cp.cta_group::1.128x256b [t], d; }" ro(%{{.*}}, %[[DESC]] : i32, i64)
// CHECK-NEXT: }
func.func @memref_ring(%addr: i32, %buffer: memref<65536xi8, 3>, %from: index, %to: index, %by: index) {
  scf.for %i = %from to %to step %by {
    %ta = tcgen05.tmem_view %addr : !t0
    %s = tcgen05.smem_view %buffer : memref<65536xi8, 3> -> !ring
    %si = tcgen05.slice %s[%i, 0, 0] [1, 128, 8] : !ring
    tcgen05.cp "cta_group::1.128x256b" %ta, %si : !t0, !step0
  }
  return
}
