// RUN: tcgen05-opt %s -verify-roundtrip | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#t_multicast = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : -32@lane], offset [96@lane, 28@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
#s_back = #tcgen05.layout<[8, 4] : [-4, 1], offset [28]>
!tmem = !tcgen05.tmem<128x4xi32, #t, columns 32>
!smem = !tcgen05.smem<128x4xi32, #s>
!smem128 = !tcgen05.smem<128x4xi32, #s, align 128>
!smem1024 = !tcgen05.smem<128x4xi32, #s, align 1024>

// CHECK-LABEL: func.func @tmem_view
// CHECK: %{{.*}} = tcgen05.tmem_view %{{.*}} : !tcgen05.tmem<128x4xi32, #{{tmem_layout[0-9]*}}, columns 32>
// The image reaches lane 127 and column 31 exactly.
// CHECK: %{{.*}} = tcgen05.tmem_view %{{.*}} : !tcgen05.tmem<32x4xi32, #{{tmem_layout[0-9]*}}, columns 32>
func.func @tmem_view(%addr: i32) {
  %t = tcgen05.tmem_view %addr : !tmem
  %m = tcgen05.tmem_view %addr : !tcgen05.tmem<32x4xi32, #t_multicast, columns 32>
  return
}

// CHECK-LABEL: func.func @pointer
// CHECK: %{{.*}} = tcgen05.smem_view %{{.*}} : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #{{smem_layout[0-9]*}}, align 1024>
// The image begins at byte 0 exactly, and storage may be smaller than it.
// CHECK: %{{.*}} = tcgen05.smem_view %{{.*}} : !llvm.ptr<3> -> !tcgen05.smem<8x4xi32, #{{smem_layout[0-9]*}}, storage 64>
func.func @pointer(%ptr: !llvm.ptr<3>) {
  // Behind a bare pointer, alignment is the caller's word.
  %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !smem1024
  %b = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<8x4xi32, #s_back, storage 64>
  return
}

// Both spellings of workgroup memory, any element type, contiguous or strided, and no larger than needed.
// CHECK-LABEL: func.func @memrefs
// CHECK: tcgen05.smem_view %{{.*}} : memref<128x8xbf16, #gpu.address_space<workgroup>> -> !tcgen05.smem<128x4xi32, #{{smem_layout[0-9]*}}, align 1024>
// CHECK: tcgen05.smem_view %{{.*}} : memref<2048xi8, 3> ->
// CHECK: tcgen05.smem_view %{{.*}} : memref<2x64xvector<2xf64>, strided<[64, 1], offset: 64>, 3> -> !tcgen05.smem<128x4xi32, #{{smem_layout[0-9]*}}, align 1024>
// CHECK: tcgen05.smem_view %{{.*}} : memref<2x32xf32, strided<[480, 1]>, 3> ->
func.func @memrefs(%a: memref<128x8xbf16, #gpu.address_space<workgroup>>, %b: memref<2048xi8, 3>,
                   %c: memref<2x64xvector<2xf64>, strided<[64, 1], offset: 64>, 3>, %d: memref<2x32xf32, strided<[480, 1]>, 3>) {
  %0 = tcgen05.smem_view %a : memref<128x8xbf16, #gpu.address_space<workgroup>> -> !smem1024
  %1 = tcgen05.smem_view %b : memref<2048xi8, 3> -> !smem
  // 64 elements of 16 bytes: the view starts at byte 1024.
  %2 = tcgen05.smem_view %c : memref<2x64xvector<2xf64>, strided<[64, 1], offset: 64>, 3> -> !smem1024
  // 480 + 32 elements of four bytes.
  %3 = tcgen05.smem_view %d : memref<2x32xf32, strided<[480, 1]>, 3> -> !smem
  return
}

memref.global "private" @aligned : memref<4096xi32, 3> {alignment = 1024}
llvm.mlir.global internal @words() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<512 x i32>
llvm.mlir.global internal @vectors() {addr_space = 3 : i32} : !llvm.array<128 x vector<4xi32>>

// CHECK-LABEL: func.func @visible
// CHECK-COUNT-7: tcgen05.smem_view
func.func @visible() {
  %g = memref.get_global @aligned : memref<4096xi32, 3>
  %0 = tcgen05.smem_view %g : memref<4096xi32, 3> -> !smem1024
  %sub = memref.subview %g[1024] [1024] [1] : memref<4096xi32, 3> to memref<1024xi32, strided<[1], offset: 1024>, 3>
  %1 = tcgen05.smem_view %sub : memref<1024xi32, strided<[1], offset: 1024>, 3> -> !smem1024
  %odd = memref.subview %g[32] [1024] [1] : memref<4096xi32, 3> to memref<1024xi32, strided<[1], offset: 32>, 3>
  %2 = tcgen05.smem_view %odd : memref<1024xi32, strided<[1], offset: 32>, 3> -> !smem128
  %cast = memref.cast %g : memref<4096xi32, 3> to memref<4096xi32, strided<[1]>, 3>
  %3 = tcgen05.smem_view %cast : memref<4096xi32, strided<[1]>, 3> -> !smem1024
  %a = memref.alloca() {alignment = 1024} : memref<512xi32, 3>
  %4 = tcgen05.smem_view %a : memref<512xi32, 3> -> !smem1024
  %p = llvm.mlir.addressof @words : !llvm.ptr<3>
  %5 = tcgen05.smem_view %p : !llvm.ptr<3> -> !smem1024
  // Without an attribute, a buffer has its element's natural alignment.
  %v = llvm.mlir.addressof @vectors : !llvm.ptr<3>
  %6 = tcgen05.smem_view %v : !llvm.ptr<3> -> !smem
  return
}

// CHECK-LABEL: gpu.func @attribution
// CHECK-COUNT-2: tcgen05.smem_view
gpu.module @kernels {
  gpu.func @attribution(%argument: memref<512xi32, #gpu.address_space<workgroup>>)
      workgroup(%small: memref<4xi32, #gpu.address_space<workgroup>>,
                %buffer: memref<512xi32, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64}) kernel {
    %0 = tcgen05.smem_view %buffer : memref<512xi32, #gpu.address_space<workgroup>> -> !smem1024
    // An argument is no attribution: alignment is the caller's word.
    %1 = tcgen05.smem_view %argument : memref<512xi32, #gpu.address_space<workgroup>> -> !smem1024
    gpu.return
  }
}

#stage = #tcgen05.layout<[32, 4] : [4, 1], offset [128]>
#stages = #tcgen05.layout<[32, 4] : [4, 1], offset [?2*128]>
#any = #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>
#split = #tcgen05.layout<[(4, 8), 4] : [(32, 4), 1], offset [128]>
#column = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?8*4@col]>

// CHECK-LABEL: func.func @cast
// CHECK: tcgen05.cast %{{.*}} : !tcgen05.smem<32x4xi32, #{{smem_layout[0-9]*}}, align 1024> -> !tcgen05.smem<32x4xi32, #{{smem_layout[0-9]*}}, storage 1000>
// CHECK: tcgen05.cast %{{.*}} : !tcgen05.tmem<128x4xi32, #{{tmem_layout[0-9]*}}, columns 32> -> !tcgen05.tmem<128x4xi32, #{{tmem_layout[0-9]*}}, columns 32>
func.func @cast(%s: !tcgen05.smem<32x4xi32, #stage, align 1024>, %t: !tmem) {
  // Less static, and back; less aligned and smaller.
  %0 = tcgen05.cast %s : !tcgen05.smem<32x4xi32, #stage, align 1024> -> !tcgen05.smem<32x4xi32, #stages, storage 1000>
  %1 = tcgen05.cast %0 : !tcgen05.smem<32x4xi32, #stages, storage 1000> -> !tcgen05.smem<32x4xi32, #stage, storage 600>
  // Fewer values of the same term.
  %2 = tcgen05.cast %0 : !tcgen05.smem<32x4xi32, #stages, storage 1000> -> !tcgen05.smem<32x4xi32, #any, storage 1000>
  // An equal function, written otherwise.
  %3 = tcgen05.cast %1 : !tcgen05.smem<32x4xi32, #stage, storage 600> -> !tcgen05.smem<32x4xi32, #split, storage 600>
  %4 = tcgen05.cast %t : !tmem -> !tcgen05.tmem<128x4xi32, #column, columns 32>
  return
}

// CHECK-LABEL: func.func @address
// CHECK: tcgen05.address %{{.*}} : !tcgen05.tmem<128x4xi32, #{{tmem_layout[0-9]*}}, columns 32> -> i32
// CHECK: tcgen05.address %{{.*}} : !tcgen05.smem<128x4xi32, #{{smem_layout[0-9]*}}> -> !llvm.ptr<3>
func.func @address(%t: !tmem, %s: !smem) -> (i32, !llvm.ptr<3>) {
  %0 = tcgen05.address %t : !tmem -> i32
  %1 = tcgen05.address %s : !smem -> !llvm.ptr<3>
  return %0, %1 : i32, !llvm.ptr<3>
}
