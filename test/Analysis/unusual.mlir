// RUN: tcgen05-opt %s -allow-unregistered-dialect -tcgen05-check-protocol -verify-diagnostics -o /dev/null

// Control flow and operations that nobody expects: an answer, and a cautious one.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

// A loop with two entries. The store has no fence on any path.
func.func @irreducible(%t: !tmem, %data: !llvm.ptr<3>, %v: i32, %c: i1, %d: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : i32, !llvm.ptr<3>
  cf.cond_br %c, ^left, ^right
^left:
  cf.cond_br %d, ^right, ^end
^right:
  cf.br ^left
^end:
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// What is never reached is not wrong.
func.func @unreachable(%t: !tmem, %data: !llvm.ptr<3>, %v: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  return
^never:
  llvm.store %v, %data : i32, !llvm.ptr<3>
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  cf.br ^never
}

// Nor does a branch count that is never taken.
func.func @constant_condition(%t: !tmem, %data: !llvm.ptr<3>, %v: i32) {
  %false = arith.constant false
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.if %false {
    llvm.store %v, %data : i32, !llvm.ptr<3>
  }
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// A function that calls itself may do anything.
func.func private @recursive(%n: i32, %c: i1) {
  scf.if %c {
    func.call @recursive(%n, %c) : (i32, i1) -> ()
  }
  return
}

func.func @calls_recursive(%t: !tmem, %data: !llvm.ptr<3>, %v: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %true = arith.constant true
  llvm.store %v, %data : i32, !llvm.ptr<3>
  func.call @recursive(%v, %true) : (i32, i1) -> ()
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Two that call each other, and nobody else does.
func.func private @ping(%t: !tmem, %s: !smem) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  func.call @pong(%t, %s) : (!tmem, !smem) -> ()
  return
}
func.func private @pong(%t: !tmem, %s: !smem) {
  func.call @ping(%t, %s) : (!tmem, !smem) -> ()
  return
}

// So may an operation of a dialect that is not there, with regions or without.
func.func @unregistered(%t: !tmem, %data: !llvm.ptr<3>, %v: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  llvm.store %v, %data : i32, !llvm.ptr<3>
  "other.fence"() : () -> ()
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func @unregistered_region(%t: !tmem, %data: !llvm.ptr<3>, %v: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  llvm.store %v, %data : i32, !llvm.ptr<3>
  "other.region"() ({
    "other.jump"()[^loop] : () -> ()
  ^loop:
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    "other.jump"()[^loop] : () -> ()
  }) : () -> ()
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// More threads than there are numbers.
gpu.module @blocks {
  gpu.func @huge(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 2147483647, 2147483647, 2147483647>} {
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %c1 = arith.constant 1 : i32
    %is_second = arith.cmpi eq, %y, %c1 : i32
    scf.if %is_second {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }
}

// A kernel without an end has nothing after its copies.
gpu.module @kernels {
  gpu.func @endless(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) kernel {
    %elected = nvvm.elect.sync -> i1
    cf.cond_br %elected, ^loop, ^end
  ^loop:
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    cf.br ^loop
  ^end:
    gpu.return
  }
}

// Constants that fit no register.
func.func @wide(%t: !tmem, %data: !llvm.ptr<3>, %v: i32) {
  %wide = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %long = llvm.mlir.constant(9223372036854775807 : i64) : i64
  %sum = llvm.add %long, %long : i64
  %far = llvm.getelementptr %data[%sum] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, vector<4xi32>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %is_wide = llvm.icmp "eq" %wide, %wide : i128
  llvm.cond_br %is_wide, ^store, ^copy
^store:
  // expected-note@+1 {{stored here}}
  llvm.store %v, %far : i32, !llvm.ptr<3>
  llvm.br ^copy
^copy:
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// A callee with several blocks and results, called inside of a loop.
func.func private @choose(%c: i1, %data: !llvm.ptr<3>, %v: i32) -> i32 {
  cf.cond_br %c, ^store, ^end(%v : i32)
^store:
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : i32, !llvm.ptr<3>
  cf.br ^end(%v : i32)
^end(%r: i32):
  return %r : i32
}

func.func @blocks_in_loop(%t: !tmem, %data: !llvm.ptr<3>, %v: i32, %c: i1, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v) -> i32 {
    %next = func.call @choose(%c, %data, %sum) : (i1, !llvm.ptr<3>, i32) -> i32
    scf.yield %next : i32
  }
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return %r : i32
}

// Memory spaces and sizes that fit no integer of C.
func.func @spaces(%unsigned: memref<1xi32, 3 : ui32>, %signed: memref<1xi32, 3 : si64>, %long: memref<1xi32, 3 : i128>, %s: !smem) {
  %c0 = arith.constant 0 : index
  %a = memref.load %unsigned[%c0] : memref<1xi32, 3 : ui32>
  %b = memref.load %signed[%c0] : memref<1xi32, 3 : si64>
  %c = memref.load %long[%c0] : memref<1xi32, 3 : i128>
  %t = tcgen05.tmem_view %a : !tmem
  %u = tcgen05.tmem_view %b : !tmem
  %v = tcgen05.tmem_view %c : !tmem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  tcgen05.cp "cta_group::1.128x128b" %u, %s : !tmem, !smem
  tcgen05.cp "cta_group::1.128x128b" %v, %s : !tmem, !smem
  return
}

// Displacements add up as addresses do, beyond the end of 64 bits.
llvm.func @displaced(%t: i32, %d: i64) {
  nvvm.inline_ptx "{ .reg .b64 a; add.s64 a, $1, 9223372036854775807; add.s64 a, a, 9223372036854775807; tcgen05.cp.cta_group::1.128x128b [$0+9223372036854775807], a; }" ro(%t, %d : i32, i64)
  nvvm.inline_ptx "{ .reg .b32 t; add.s32 t, $0, 9223372036854775807; tcgen05.cp.cta_group::1.128x128b [t+9223372036854775807], $1; }" ro(%t, %d : i32, i64)
  llvm.return
}

func.func @sizes(%slots: memref<2xi32, strided<[4611686018427387904]>, 3>, %data: !llvm.ptr<3>, %v: i32, %s: !smem) {
  %c1 = arith.constant 1 : index
  memref.store %v, %slots[%c1] : memref<2xi32, strided<[4611686018427387904]>, 3>
  %a = memref.load %slots[%c1] : memref<2xi32, strided<[4611686018427387904]>, 3>
  %t = tcgen05.tmem_view %a : !tmem
  %far = llvm.getelementptr %data[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, !llvm.array<4294967296 x array<4294967296 x i32>>
  llvm.store %v, %far : i32, !llvm.ptr<3>
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
