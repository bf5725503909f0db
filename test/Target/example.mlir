// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile=format=isa | FileCheck %s

// The whole kernel as PTX, in order and once each. The text is one attribute, on one line.
// CHECK: gpu.binary @kernels
// CHECK: .version 8.6
// CHECK: .target sm_100a
// CHECK: .visible .entry copy(
// CHECK: .reqntid 128, 1, 1
// CHECK-NOT: tcgen05.cp
// CHECK-NOT: tcgen05.commit
// CHECK: tcgen05.alloc.cta_group::1
// CHECK-NOT: tcgen05.alloc
// CHECK-NOT: tcgen05.cp
// CHECK: fence.proxy.async
// CHECK-NOT: fence.proxy.async
// The descriptor of the specification, without its address: 0x0000400800010000.
// CHECK: 70403103981568;
// CHECK: { .reg .b32 t; .reg .b64 d; mov.b32 t, {{%r[0-9]+}}; mov.b64 d, {{%rd[0-9]+}}; tcgen05.cp.cta_group::1.128x128b [t], d; }
// CHECK-NOT: tcgen05.cp
// CHECK: tcgen05.commit.cta_group::1
// CHECK-NOT: tcgen05.commit
// CHECK: tcgen05.fence::after_thread_sync
// CHECK: tcgen05.ld.sync.aligned.32x32b.x4
// CHECK-NOT: tcgen05.ld
// CHECK: tcgen05.dealloc.cta_group::1
// CHECK-NOT: tcgen05
