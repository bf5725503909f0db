// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// tmem_view: the image, replicas included, inside 128 lanes and the columns.
#l = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [4@lane]>
func.func @f(%addr: i32) {
  // expected-error@+1 {{'tcgen05.tmem_view' op expected image to stay within 128 lanes, but got lanes 4 to 131}}
  %0 = tcgen05.tmem_view %addr : !tcgen05.tmem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 96@lane]>
func.func @f(%addr: i32) {
  // expected-error@+1 {{'tcgen05.tmem_view' op expected image to stay within 128 lanes, but got lanes 0 to 159}}
  %0 = tcgen05.tmem_view %addr : !tcgen05.tmem<64x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [32@col]>
func.func @f(%addr: i32) {
  // expected-error@+1 {{'tcgen05.tmem_view' op expected image to stay within 32 columns, but got columns 32 to 35}}
  %0 = tcgen05.tmem_view %addr : !tcgen05.tmem<128x4xi32, #l, columns 32>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [1@lane, -1@col]>
func.func @f(%addr: i32) {
  // expected-error@+1 {{'tcgen05.tmem_view' op expected image to stay within 512 columns, but got columns -3 to 0}}
  %0 = tcgen05.tmem_view %addr : !tcgen05.tmem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?2*4@col]>
func.func @f(%addr: i32) {
  // expected-error@+1 {{'tcgen05.tmem_view' op expected the layout of a view to have no run-time terms, but got [128, 4] : [1@lane, 1@col], offset [?2*4@col]}}
  %0 = tcgen05.tmem_view %addr : !tcgen05.tmem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
func.func @f(%addr: i64) {
  // expected-note@-1 {{prior use here}}
  // expected-error@+1 {{expects different type than prior uses: 'i32' vs 'i64'}}
  %0 = tcgen05.tmem_view %addr : !tcgen05.tmem<128x4xi32, #l>
  return
}

// -----

// smem_view: no byte below the start.
#l = #tcgen05.layout<[128, 4] : [4, 1], offset [-4]>
func.func @f(%ptr: !llvm.ptr<3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected image to start at byte 0 or later, but got byte -16}}
  %0 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1], offset [?2*512]>
func.func @f(%ptr: !llvm.ptr<3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected the layout of a view to have no run-time terms, but got [128, 4] : [4, 1], offset [?2*512]}}
  %0 = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

// Sources that are no shared memory.
#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%ptr: !llvm.ptr) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to be !llvm.ptr<3> or a workgroup memref, but got '!llvm.ptr'}}
  %0 = tcgen05.smem_view %ptr : !llvm.ptr -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%address: i32) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to be !llvm.ptr<3> or a workgroup memref, but got 'i32'}}
  %0 = tcgen05.smem_view %address : i32 -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to be in workgroup memory, but got 'memref<512xi32>'}}
  %0 = tcgen05.smem_view %m : memref<512xi32> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32, #gpu.address_space<private>>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to be in workgroup memory, but got 'memref<512xi32, #gpu.address_space<private>>'}}
  %0 = tcgen05.smem_view %m : memref<512xi32, #gpu.address_space<private>> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

// Dynamic sizes, strides, offsets, and a layout that is not strided.
#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<?xi32, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to have a static shape, but got 'memref<?xi32, 3>'}}
  %0 = tcgen05.smem_view %m : memref<?xi32, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<*xi32, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to have a static shape, but got 'memref<*xi32, 3>'}}
  %0 = tcgen05.smem_view %m : memref<*xi32, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32, strided<[1], offset: ?>, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to have static strides and a static offset, but got 'memref<512xi32, strided<[1], offset: ?>, 3>'}}
  %0 = tcgen05.smem_view %m : memref<512xi32, strided<[1], offset: ?>, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32, strided<[?]>, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to have static strides and a static offset, but got 'memref<512xi32, strided<[?]>, 3>'}}
  %0 = tcgen05.smem_view %m : memref<512xi32, strided<[?]>, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32, affine_map<(d0) -> (d0 mod 64)>, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to be contiguous or strided, but got}}
  %0 = tcgen05.smem_view %m : memref<512xi32, affine_map<(d0) -> (d0 mod 64)>, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32, strided<[-1], offset: 512>, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src strides and offset to be nonnegative, but got 'memref<512xi32, strided<[-1], offset: 512>, 3>'}}
  %0 = tcgen05.smem_view %m : memref<512xi32, strided<[-1], offset: 512>, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

// Elements of no fixed number of bytes.
#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<16384xi1, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src elements to be a power of two of whole bytes, but got 'memref<16384xi1, 3>'}}
  %0 = tcgen05.smem_view %m : memref<16384xi1, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xindex, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src elements to be a power of two of whole bytes, but got 'memref<512xindex, 3>'}}
  %0 = tcgen05.smem_view %m : memref<512xindex, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

// Too small: for the image, for the storage, for want of any element; gaps of a strided memref count.
#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<1023xi16, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to hold at least 2048 bytes, but got 2046}}
  %0 = tcgen05.smem_view %m : memref<1023xi16, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to hold at least 2049 bytes, but got 2048}}
  %0 = tcgen05.smem_view %m : memref<512xi32, 3> -> !tcgen05.smem<128x4xi32, #l, storage 2049>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512x0xi32, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to hold at least 2048 bytes, but got 0}}
  %0 = tcgen05.smem_view %m : memref<512x0xi32, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<2x32xi32, strided<[479, 1]>, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to hold at least 2048 bytes, but got 2044}}
  %0 = tcgen05.smem_view %m : memref<2x32xi32, strided<[479, 1]>, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

// Too large to be counted.
#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<4611686018427387904x4xi32, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to have fewer than 2^63 elements, but got 'memref<4611686018427387904x4xi32, 3>'}}
  %0 = tcgen05.smem_view %m : memref<4611686018427387904x4xi32, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

// Alignment that is not there. The natural one of i32 is four bytes.
#l = #tcgen05.layout<[128, 4] : [4, 1]>
gpu.module @m {
  // expected-note@+1 {{the buffer would be with the attribute llvm.align = 1024 : i64}}
  gpu.func @f() workgroup(%buffer: memref<4096xi32, #gpu.address_space<workgroup>>) kernel {
    // expected-error@+1 {{'tcgen05.smem_view' op expected src aligned to 1024 bytes, but got 4}}
    %0 = tcgen05.smem_view %buffer : memref<4096xi32, #gpu.address_space<workgroup>> -> !tcgen05.smem<128x4xi32, #l, align 1024>
    gpu.return
  }
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
gpu.module @m {
  // expected-note@+1 {{the buffer would be with the attribute llvm.align = 1024 : i64}}
  gpu.func @f() workgroup(%buffer: memref<4096xi32, #gpu.address_space<workgroup>> {llvm.align = 512 : i64}) kernel {
    %part = memref.subview %buffer[1024] [1024] [1]
      : memref<4096xi32, #gpu.address_space<workgroup>> to memref<1024xi32, strided<[1], offset: 1024>, #gpu.address_space<workgroup>>
    // expected-error@+1 {{'tcgen05.smem_view' op expected src aligned to 1024 bytes, but got 512}}
    %0 = tcgen05.smem_view %part : memref<1024xi32, strided<[1], offset: 1024>, #gpu.address_space<workgroup>> -> !tcgen05.smem<128x4xi32, #l, align 1024>
    gpu.return
  }
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
// expected-note@+1 {{the buffer would be with the attribute alignment = 128 : i64}}
memref.global "private" @buffer : memref<512xi32, 3> {alignment = 64}
func.func @f() {
  %m = memref.get_global @buffer : memref<512xi32, 3>
  %cast = memref.cast %m : memref<512xi32, 3> to memref<512xi32, strided<[1]>, 3>
  // expected-error@+1 {{'tcgen05.smem_view' op expected src aligned to 128 bytes, but got 64}}
  %0 = tcgen05.smem_view %cast : memref<512xi32, strided<[1]>, 3> -> !tcgen05.smem<128x4xi32, #l, align 128>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f() {
  // expected-note@+1 {{the buffer would be with the attribute alignment = 16 : i64}}
  %m = memref.alloca() : memref<512xi32, 3>
  // expected-error@+1 {{'tcgen05.smem_view' op expected src aligned to 16 bytes, but got 4}}
  %0 = tcgen05.smem_view %m : memref<512xi32, 3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

#l = #tcgen05.layout<[128, 4] : [4, 1]>
// expected-note@+1 {{the buffer would be with the attribute alignment = 16 : i64}}
llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<4 x array<128 x i32>>
func.func @f() {
  %p = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  // expected-error@+1 {{'tcgen05.smem_view' op expected src aligned to 16 bytes, but got 4}}
  %0 = tcgen05.smem_view %p : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #l>
  return
}

// -----

// The offset of a memref is part of the address.
#l = #tcgen05.layout<[128, 4] : [4, 1]>
func.func @f(%m: memref<512xi32, strided<[1], offset: 16>, 3>) {
  // expected-error@+1 {{'tcgen05.smem_view' op expected src to start at a multiple of 128 bytes in its buffer, but got byte 64}}
  %0 = tcgen05.smem_view %m : memref<512xi32, strided<[1], offset: 16>, 3> -> !tcgen05.smem<128x4xi32, #l, align 128>
  return
}
