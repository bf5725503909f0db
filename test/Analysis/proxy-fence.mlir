// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// A store reaches the copy, and no fence.proxy.async of the storing thread stands
// between, before the barrier.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

func.func @straight(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  gpu.barrier
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none before the barrier [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func @straight_right(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  gpu.barrier
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// The issuing thread fences for itself only.
func.func @fence_behind_barrier(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none before the barrier [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// A fence of another kind.
func.func @other_fence(%t: !tmem, %data: memref<512xi32, 3>, %v: i32, %i: index) {
  %s = tcgen05.smem_view %data : memref<512xi32, 3> -> !smem
  // expected-note@+1 {{stored here}}
  memref.store %v, %data[%i] : memref<512xi32, 3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Round the loop, the store behind the copy reaches the next one.
func.func @loop(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %n: index, %phase: i32, %ticks: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none before the barrier [proxy-fence]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    // expected-note@+1 {{stored here}}
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    gpu.barrier
  }
  return
}

func.func @loop_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %n: index, %phase: i32, %ticks: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.barrier
  }
  return
}

// On one path only.
func.func @branch(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>, %c: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  scf.if %c {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  }
  gpu.barrier
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none before the barrier [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Store and fence under one condition.
func.func @branch_right(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>, %c: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.if %c {
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  }
  scf.if %c {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  }
  gpu.barrier
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Through a call: the helper stores, the caller copies.
func.func private @fill(%data: !llvm.ptr<3>, %v: vector<4xi32>) {
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  return
}

func.func @call(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  func.call @fill(%data, %v) : (!llvm.ptr<3>, vector<4xi32>) -> ()
  gpu.barrier
  // expected-warning@+1 {{'tcgen05.cp' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none before the barrier [proxy-fence]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func private @fence_and_meet() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  return
}

func.func @call_right(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  func.call @fill(%data, %v) : (!llvm.ptr<3>, vector<4xi32>) -> ()
  func.call @fence_and_meet() : () -> ()
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Other memory: another part of the buffer, another buffer, a pointer of which
// nothing is known.
func.func @elsewhere(%t: !tmem, %data: !llvm.ptr<3>, %other: !llvm.ptr<3>, %v: vector<4xi32>, %thread: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %behind = llvm.getelementptr %data[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.store %v, %behind : vector<4xi32>, !llvm.ptr<3>
  llvm.store %v, %other : vector<4xi32>, !llvm.ptr<3>
  gpu.barrier
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Threads' rows behind the source: 128 rows of 16 bytes from byte 2048 on.
func.func @rows_behind(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %c128 = arith.constant 128 : i32
  %row = arith.addi %thread, %c128 : i32
  %behind = llvm.getelementptr %data[%row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  llvm.store %v, %behind : vector<4xi32>, !llvm.ptr<3>
  gpu.barrier
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// A function that nobody in sight defines may fence.
func.func private @unknown()
func.func @unknown_call(%t: !tmem, %data: !llvm.ptr<3>, %v: vector<4xi32>) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  func.call @unknown() : () -> ()
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Under a flag that nobody knows, the thread that stores may be the one that
// fences.
func.func @unknown_writer(%t: !tmem, %data: !llvm.ptr<3>, %v: i32, %flags: !llvm.ptr) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %flag = llvm.load %flags : !llvm.ptr -> i1
  scf.if %flag {
    llvm.store %v, %data : i32, !llvm.ptr<3>
  }
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
