// RUN: not tcgen05-opt %s -tcgen05-compile="chip=sm_90a format=isa" 2>&1 | FileCheck --check-prefix=WITHOUT %s
// RUN: not tcgen05-opt %s -tcgen05-compile="chip=sm_100 format=isa" 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: not tcgen05-opt %s -tcgen05-compile="chip=sm_107a format=isa" 2>&1 | FileCheck --check-prefix=NEWER %s
// RUN: not tcgen05-opt %s -tcgen05-compile="chip=blackwell format=isa" 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not tcgen05-opt %s -tcgen05-compile="emit=ptx format=isa" 2>&1 | FileCheck --check-prefix=EMIT %s

// A chip without the instruction, or one that this LLVM does not know: an error that lists the others.
// WITHOUT: error: expected a chip with tcgen05.cp (sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f), but got 'sm_90a'
// PLAIN: error: expected a chip with tcgen05.cp (sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f), but got 'sm_100'
// NEWER: error: expected a chip with tcgen05.cp that LLVM can compile for (sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f), but got 'sm_107a'
// UNKNOWN: error: expected a chip with tcgen05.cp (sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f), but got 'blackwell'
// EMIT: error: expected emit to be inline-ptx or nvvm-op, but got 'ptx'
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
