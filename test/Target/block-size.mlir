// RUN: tcgen05-opt %s -tcgen05-compile=format=isa | FileCheck %s --check-prefix=BOTH --check-prefix=REQUIRED
// RUN: tcgen05-opt %s -tcgen05-compile="format=isa reqntid=false" | FileCheck %s --check-prefix=BOTH --check-prefix=KNOWN

// The size that is known becomes the required one. A bound that somebody wrote
// stays a bound: fewer threads may be launched. Beside a known size it says
// nothing more, and upstream's conversion would assert that there is none.

// BOTH: .entry known(
// REQUIRED: .reqntid 128, 1, 1
// KNOWN: .maxntid 128, 1, 1
// BOTH: .entry bound(
// BOTH: .maxntid 256, 1, 1
// BOTH-NOT: .reqntid
// BOTH: .entry known_and_bound(
// BOTH-NOT: .maxntid 256
// REQUIRED: .reqntid 128, 1, 1
// KNOWN: .maxntid 128, 1, 1
// BOTH: .entry lowered_already(
// BOTH: .maxntid 256, 1, 1
// BOTH-NOT: .reqntid
gpu.module @kernels {
  gpu.func @known() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    gpu.return
  }
  gpu.func @bound() kernel attributes {nvvm.maxntid = array<i32: 256, 1, 1>} {
    gpu.return
  }
  gpu.func @known_and_bound() kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.maxntid = array<i32: 256, 1, 1>} {
    gpu.return
  }
  llvm.func @lowered_already() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    llvm.return
  }
}
