// RUN: not tcgen05-opt %s -canonicalize -tcgen05-compile 2>&1 | FileCheck %s
// RUN: not tcgen05-opt %s --pass-pipeline='builtin.module(canonicalize, tcgen05-compile)' 2>&1 | FileCheck %s
// RUN: not tcgen05-opt %s -canonicalize -o %t-tcgen05-compile.mlir 2>&1 | FileCheck %s
// RUN: not tcgen05-opt %s -tcgen05-compile 2>&1 | FileCheck %s
// RUN: not tcgen05-opt %s --pass-pipeline='builtin.module(tcgen05-compile{chip=sm_103a})' 2>&1 | FileCheck %s

// No pass sees what a verifier refuses, wherever tcgen05-compile stands: the
// folder of a slice would look for a size that is not there.

!smem = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
// CHECK: error: 'tcgen05.slice' op
// CHECK-NOT: Stack dump
func.func @sizes(%view: !smem) -> !smem {
  %part = "tcgen05.slice"(%view) <{constants = array<i64: 0, 0>, multipliers = array<i64: 0>, sizes = array<i64: 128, 4, 1>}> : (!smem) -> !smem
  return %part : !smem
}
