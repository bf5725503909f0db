// RUN: tcgen05-opt %s -tcgen05-compile="format=isa O=3" | FileCheck %s

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!t = !tcgen05.tmem<128x4xi32, #t>
!s = !tcgen05.smem<128x4xi32, #s>

// Nobody but the copy reads the buffer, and nothing else between store and copy touches memory: the store stays, and
// stays before the copy.
// CHECK: .visible .entry store(
// CHECK: st.shared
// CHECK: tcgen05.cp.cta_group::1.128x128b [t], d;
// CHECK-NOT: st.shared
gpu.module @kernels {
  gpu.func @store(%addr: i32, %word: i32) workgroup(%buffer: memref<512xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
    %tid = gpu.thread_id x
    %t = tcgen05.tmem_view %addr : !t
    %s = tcgen05.smem_view %buffer : memref<512xi32, #gpu.address_space<workgroup>> -> !s
    memref.store %word, %buffer[%tid] : memref<512xi32, #gpu.address_space<workgroup>>
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s
    gpu.return
  }
}
