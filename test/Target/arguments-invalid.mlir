// RUN: tcgen05-opt %s -tcgen05-compile=format=isa -split-input-file -verify-diagnostics

gpu.module @kernels {
  // expected-error@+1 {{expected argument 0 of 'dynamic' to be a static memref without a layout, but got 'memref<?xi32>'}}
  gpu.func @dynamic(%m: memref<?xi32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{expected argument 1 of 'device' to be a static memref without a layout, but got 'memref<?x4xi32>'}}
  func.func private @device(%i: index, %m: memref<?x4xi32>) -> i32 {
    %v = memref.load %m[%i, %i] : memref<?x4xi32>
    return %v : i32
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{expected argument 0 of 'shifted' to be a static memref without a layout, but got 'memref<4xi32, strided<[1], offset: ?>>'}}
  gpu.func @shifted(%m: memref<4xi32, strided<[1], offset: ?>>) kernel {
    gpu.return
  }
}
