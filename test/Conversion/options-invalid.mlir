// RUN: not tcgen05-opt %s -convert-tcgen05-to-nvvm=emit=ptx 2>&1 | FileCheck %s

// CHECK: error: expected emit to be inline-ptx or nvvm-op, but got 'ptx'
// CHECK-NOT: Assertion
module {}
