// REQUIRES: ptxas
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_100a format=bin" | FileCheck %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_100f format=bin" | FileCheck %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_103a format=bin" | FileCheck %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_103f format=bin" | FileCheck %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_110a format=bin" | FileCheck %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_110f format=bin" | FileCheck %s

// Every chip that has the instruction, as far as a cubin: an ELF file.
// CHECK: gpu.binary @kernels
// CHECK-SAME: bin = "\7FELF
