// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_100a format=isa" | FileCheck --check-prefix=SM100a %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_100f format=isa" | FileCheck --check-prefix=SM100f %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_101a format=isa" | FileCheck --check-prefix=SM101a %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_101f format=isa" | FileCheck --check-prefix=SM101f %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_103a format=isa" | FileCheck --check-prefix=SM103a %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_103f format=isa" | FileCheck --check-prefix=SM103f %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_110a format=isa" | FileCheck --check-prefix=SM110a %s
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_110f format=isa" | FileCheck --check-prefix=SM110f %s

// Each chip gets the least version of PTX that knows it.
// SM100a: .version 8.6\0A.target sm_100a\0A
// SM100f: .version 8.8\0A.target sm_100f\0A
// SM101a: .version 8.6\0A.target sm_101a\0A
// SM101f: .version 8.8\0A.target sm_101f\0A
// SM103a: .version 8.8\0A.target sm_103a\0A
// SM103f: .version 8.8\0A.target sm_103f\0A
// SM110a: .version 9.0\0A.target sm_110a\0A
// SM110f: .version 9.0\0A.target sm_110f\0A

// The version can be raised.
// RUN: tcgen05-opt %source_root/examples/copy_128x128b.mlir -tcgen05-compile="chip=sm_100a features=+ptx88 format=isa" | FileCheck --check-prefix=RAISED %s
// RAISED: .version 8.8\0A.target sm_100a\0A
