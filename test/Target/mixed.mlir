// REQUIRES: ptxas
// RUN: tcgen05-opt %s -tcgen05-compile=format=isa | FileCheck %s
// RUN: tcgen05-opt %s -tcgen05-compile=format=bin | FileCheck --check-prefix=BIN %s

// One gpu.module that mixes tcgen05, gpu, nvvm, scf, cf, arith, vector, memref and index.

#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
!t = !tcgen05.tmem<128x4xi32, #t>
!s = !tcgen05.smem<128x4xi32, #s>

// BIN: gpu.binary @kernels
// BIN-SAME: bin = "\7FELF
// Each memref is one parameter, its address.
// CHECK: .visible .entry mix(
// CHECK-SAME: mix_param_0,
// CHECK-SAME: mix_param_4\0A)
// CHECK-SAME: .reqntid 128, 1, 1
// CHECK-SAME: mbarrier.init.shared
// CHECK-SAME: mbarrier.try_wait.parity
// CHECK-SAME: shfl.sync.bfly
// CHECK-SAME: tcgen05.cp.cta_group::1.128x128b [t], d;

gpu.module @kernels {
  memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]>

  // A device function with a memref argument, a loop and a result.
  func.func private @sum(%m: memref<128x4xi32, #gpu.address_space<workgroup>>, %row: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %z = arith.constant 0 : i32
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %z) -> i32 {
      %v = memref.load %m[%row, %i] : memref<128x4xi32, #gpu.address_space<workgroup>>
      %n = arith.addi %acc, %v : i32
      scf.yield %n : i32
    }
    return %r : i32
  }
  // A gpu.func that is no kernel, with a strided memref argument.
  gpu.func @first(%m: memref<4xi32, strided<[1]>, #gpu.address_space<workgroup>>) -> i32 {
    %c0 = arith.constant 0 : index
    %v = memref.load %m[%c0] : memref<4xi32, strided<[1]>, #gpu.address_space<workgroup>>
    gpu.return %v : i32
  }
  gpu.func @mix(%in: memref<128x4xi32>, %out: memref<128x4xi32, #gpu.address_space<global>>, %n: index, %flag: i1, %addr: i32)
      workgroup(%buf: memref<128x4xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %bar: memref<1xi64, #gpu.address_space<workgroup>>)
      private(%priv: memref<4xi32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = index.constant 8
    %w = vector.load %in[%tid, %c0] {alignment = 16 : i64} : memref<128x4xi32>, vector<4xi32>
    vector.store %w, %buf[%tid, %c0] : memref<128x4xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    %p = memref.extract_aligned_pointer_as_index %bar : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %pi = arith.index_cast %p : index to i64
    %bp = llvm.inttoptr %pi : i64 to !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 1000 : i32
    nvvm.mbarrier.init %bp, %one, predicate = %flag : !llvm.ptr<3>, i32, i1
    gpu.barrier
    nvvm.mbarrier.try_wait.parity %bp, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %s = func.call @sum(%buf, %tid) : (memref<128x4xi32, #gpu.address_space<workgroup>>, index) -> i32
    %q = index.floordivs %n, %c8
    %q2 = arith.ceildivui %n, %c8 : index
    %r = scf.for %i = %c0 to %q2 step %c1 iter_args(%acc = %w) -> vector<4xi32> {
      %b = vector.broadcast %s : i32 to vector<4xi32>
      %t = arith.addi %acc, %b : vector<4xi32>
      scf.yield %t : vector<4xi32>
    }
    %lane = gpu.lane_id
    %x = arith.addi %lane, %lane : index
    %x2 = arith.addi %x, %q : index
    %xi = arith.index_cast %x2 : index to i32
    %wid = arith.constant 32 : i32
    %sh, %ok = gpu.shuffle xor %xi, %one, %wid : i32
    memref.store %sh, %priv[%c0] : memref<4xi32, #gpu.address_space<private>>
    %sub = memref.subview %buf[%tid, 0] [1, 4] [1, 1] : memref<128x4xi32, #gpu.address_space<workgroup>> to memref<4xi32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    %f = memref.load %sub[%c1] : memref<4xi32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    %g = memref.get_global @table : memref<4xi32>
    %gv = memref.load %g[%c1] : memref<4xi32>
    %e = scf.if %flag -> i32 {
      scf.yield %f : i32
    } else {
      %pv = memref.load %priv[%c0] : memref<4xi32, #gpu.address_space<private>>
      scf.yield %pv : i32
    }
    %u = arith.addi %e, %gv : i32
    %r2 = vector.insert %u, %r [0] : i32 into vector<4xi32>
    %r3 = vector.insert %sh, %r2 [1] : i32 into vector<4xi32>
    cf.cond_br %flag, ^a, ^b
  ^a:
    %t = tcgen05.tmem_view %addr : !t
    %smem = tcgen05.smem_view %buf : memref<128x4xi32, #gpu.address_space<workgroup>> -> !s
    tcgen05.cp "cta_group::1.128x128b" %t, %smem : !t, !s
    vector.transfer_write %r3, %out[%tid, %c0] {in_bounds = [true]} : vector<4xi32>, memref<128x4xi32, #gpu.address_space<global>>
    cf.br ^b
  ^b:
    %red = vector.reduction <add>, %r3 : vector<4xi32> into i32
    memref.store %red, %out[%tid, %c1] : memref<128x4xi32, #gpu.address_space<global>>
    gpu.return
  }
}
