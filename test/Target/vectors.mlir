// REQUIRES: ptxas
// RUN: tcgen05-opt %s -tcgen05-compile=format=isa | FileCheck %s
// RUN: tcgen05-opt %s -tcgen05-compile=format=bin | FileCheck --check-prefix=BIN %s

// Vectors of several dimensions, masks, transfers that may run out of bounds, and the parts of scf that are not scf.for:
// upstream's conversion inside of a gpu.module lowers none of them by itself.
// BIN: gpu.binary @kernels
// BIN-SAME: bin = "\7FELF
// CHECK: .visible .entry vectors(
// CHECK-SAME: st.shared
// CHECK-SAME: bar.sync
// CHECK-SAME: fma.rn

#ws = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @vectors(%in: memref<64x32xf32>, %out: memref<64x32xf32>, %n: index)
      workgroup(%b: memref<64x32xf32, #ws>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %a = vector.transfer_read %in[%t, %c0], %pad {in_bounds = [true, true]} : memref<64x32xf32>, vector<2x4xf32>
    %tr = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    %sc = vector.shape_cast %tr : vector<4x2xf32> to vector<8xf32>
    vector.transfer_write %a, %b[%t, %c0] : vector<2x4xf32>, memref<64x32xf32, #ws>
    gpu.barrier
    %m = vector.create_mask %n : vector<8xi1>
    %r = vector.maskedload %b[%t, %c0], %m, %sc : memref<64x32xf32, #ws>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    %q = vector.transfer_read %b[%t, %n], %pad : memref<64x32xf32, #ws>, vector<8xf32>
    %s = arith.addf %r, %q : vector<8xf32>
    %u = vector.multi_reduction <add>, %a, %pad [0, 1] : vector<2x4xf32> to f32
    %f = vector.broadcast %u : f32 to vector<8xf32>
    %w = vector.fma %s, %f, %s : vector<8xf32>
    %i = vector.extract_strided_slice %w {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
    vector.transfer_write %i, %out[%t, %n] : vector<4xf32>, memref<64x32xf32>
    scf.parallel (%x) = (%c0) to (%n) step (%c1) {
      memref.store %u, %out[%x, %c0] : memref<64x32xf32>
      scf.reduce
    }
    %e = scf.index_switch %n -> i32
    case 1 {
      %one = arith.constant 1 : i32
      scf.yield %one : i32
    }
    default {
      %two = arith.constant 2 : i32
      scf.yield %two : i32
    }
    %ef = arith.sitofp %e : i32 to f32
    %mx = arith.maximumf %ef, %u : f32
    memref.store %mx, %out[%c1, %c1] : memref<64x32xf32>
    %old = memref.atomic_rmw addf %u, %out[%c0, %c0] : (f32, memref<64x32xf32>) -> f32
    gpu.return
  }
}
