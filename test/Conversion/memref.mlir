// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -cse | FileCheck %s

#s = #tcgen05.layout<[128, 4] : [4, 1]>
#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
!smem = !tcgen05.smem<128x4xi32, #s>
!tmem = !tcgen05.tmem<128x4xi32, #t>

// CHECK-LABEL: func.func @contiguous
// CHECK-SAME: (%[[M:.*]]: memref<128x8xbf16, 3>) -> i32
// CHECK-NEXT: %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
// CHECK-NEXT: %[[INT:.*]] = arith.index_cast %[[INDEX]] : index to i32
// CHECK-NEXT: return %[[INT]]
func.func @contiguous(%m: memref<128x8xbf16, 3>) -> !smem {
  %s = tcgen05.smem_view %m : memref<128x8xbf16, 3> -> !smem
  return %s : !smem
}

// The offset of a memref counts elements from its pointer: 64 of two bytes.
// CHECK-LABEL: func.func @offset
// CHECK: %[[INT:.*]] = arith.index_cast
// CHECK-NEXT: %[[BYTES:.*]] = llvm.mlir.constant(128 : i32) : i32
// CHECK-NEXT: %[[AT:.*]] = llvm.add %[[INT]], %[[BYTES]] : i32
// CHECK-NEXT: return %[[AT]]
func.func @offset(%m: memref<1024xf16, strided<[1], offset: 64>, #gpu.address_space<workgroup>>) -> !smem {
  %s = tcgen05.smem_view %m : memref<1024xf16, strided<[1], offset: 64>, #gpu.address_space<workgroup>> -> !smem
  return %s : !smem
}

// 64 vectors of 16 bytes, of which none is as wide as a number.
// CHECK-LABEL: func.func @vectors
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(1024 : i32) : i32
// CHECK: llvm.add %{{.*}}, %[[BYTES]] : i32
func.func @vectors(%m: memref<128xvector<2xf64>, strided<[1], offset: 64>, 3>) -> !smem {
  %s = tcgen05.smem_view %m : memref<128xvector<2xf64>, strided<[1], offset: 64>, 3> -> !smem
  return %s : !smem
}

// A vector of three words takes the room of four; one of no dimension, that of its element; a complex number, that of two.
// CHECK-LABEL: func.func @odd_elements
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(256 : i32) : i32
// CHECK-DAG: llvm.mlir.constant(64 : i32) : i32
// CHECK-DAG: llvm.mlir.constant(128 : i32) : i32
// CHECK: return
func.func @odd_elements(%a: memref<128xvector<3xi32>, strided<[1], offset: 16>, 3>,
                        %b: memref<512xvector<i32>, strided<[1], offset: 16>, 3>,
                        %c: memref<256xcomplex<f32>, strided<[1], offset: 16>, 3>) -> (!smem, !smem, !smem) {
  %0 = tcgen05.smem_view %a : memref<128xvector<3xi32>, strided<[1], offset: 16>, 3> -> !smem
  %1 = tcgen05.smem_view %b : memref<512xvector<i32>, strided<[1], offset: 16>, 3> -> !smem
  %2 = tcgen05.smem_view %c : memref<256xcomplex<f32>, strided<[1], offset: 16>, 3> -> !smem
  return %0, %1, %2 : !smem, !smem, !smem
}

// A bf16 tile of 128 x 64 in 128B swizzle, seen as 128 x 32 words: the second half of its rows, the third step of 16
// values. 64 rows of 128 bytes and 64 bytes are 516 chunks. The view's constant offset is no part of the base.
// CHECK-LABEL: gpu.func @tile
// CHECK-SAME: workgroup(%[[M:.*]] : memref<128x64xbf16
// CHECK: memref.extract_aligned_pointer_as_index %[[M]]
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(4611756662049538048 : i64) : i64
// CHECK: %[[BASE:.*]] = llvm.or %{{.*}}, %[[CONSTANT]] : i64
// CHECK-NEXT: nvvm.inline_ptx "{{.*}} add.s64 d, $1, 516; tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [t], d; }" ro(%{{.*}}, %[[BASE]] : i32, i64)
#tile = #tcgen05.layout<[128, 32] : [32, 1], swizzle 128B>
#part = #tcgen05.layout<[64, 4] : [32, 1], offset [2064], swizzle 128B>
#t64 = #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]>
!tile = !tcgen05.smem<128x32xi32, #tile, align 1024>
!part = !tcgen05.smem<64x4xi32, #part, align 1024, storage 16384>
!t64 = !tcgen05.tmem<64x4xi32, #t64>
gpu.module @kernels {
  gpu.func @tile(%t: !t64) workgroup(%m: memref<128x64xbf16, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64}) kernel {
    %s = tcgen05.smem_view %m : memref<128x64xbf16, #gpu.address_space<workgroup>> -> !tile
    %p = tcgen05.slice %s[64, 16] [64, 4] : !tile
    tcgen05.cp "cta_group::1.64x128b.warpx2::02_13" %t, %p : !t64, !part
    gpu.return
  }
}

// Globals and subviews: the subview's own offset is in its type.
// CHECK-LABEL: func.func @global
// CHECK: %[[G:.*]] = memref.get_global @buffer
// CHECK: %[[SUB:.*]] = memref.subview %[[G]]
// CHECK-NEXT: %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[SUB]]
// CHECK-NEXT: %[[INT:.*]] = arith.index_cast %[[INDEX]] : index to i32
// CHECK-NEXT: %[[BYTES:.*]] = llvm.mlir.constant(4096 : i32) : i32
// CHECK-NEXT: llvm.add %[[INT]], %[[BYTES]] : i32
memref.global "private" @buffer : memref<4096xi32, 3> {alignment = 16}
func.func @global() -> !smem {
  %g = memref.get_global @buffer : memref<4096xi32, 3>
  %sub = memref.subview %g[1024] [1024] [1] : memref<4096xi32, 3> to memref<1024xi32, strided<[1], offset: 1024>, 3>
  %s = tcgen05.smem_view %sub : memref<1024xi32, strided<[1], offset: 1024>, 3> -> !smem
  return %s : !smem
}
