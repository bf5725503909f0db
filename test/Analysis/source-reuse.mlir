// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// The copy reads its source until an mbarrier says that it is complete.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

func.func @straight(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  // expected-warning@+1 {{'llvm.store' op expected the copy from this memory to be awaited before the store, but got no mbarrier wait [source-reuse]}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  return
}

func.func @straight_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  return
}

// A barrier of the CTA does not wait for copies.
func.func @barrier(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  gpu.barrier
  // expected-warning@+1 {{'llvm.store' op expected the copy from this memory to be awaited before the store, but got no mbarrier wait [source-reuse]}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  return
}

func.func @loop(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning@+1 {{'llvm.store' op expected the copy from this memory to be awaited before the store, but got no mbarrier wait [source-reuse]}}
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.barrier
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    // expected-note@+1 {{copied here}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  }
  return
}

func.func @loop_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.barrier
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  }
  return
}

func.func @branch(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %c: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  scf.if %c {
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  }
  // expected-warning@+1 {{'llvm.store' op expected the copy from this memory to be awaited before the store, but got no mbarrier wait [source-reuse]}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  return
}

func.func @branch_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %c: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  scf.if %c {
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  }
  return
}

func.func private @refill(%data: !llvm.ptr<3>, %v: vector<4xi32>) {
  // expected-warning@+1 {{'llvm.store' op expected the copy from this memory to be awaited before the store, but got no mbarrier wait [source-reuse]}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  return
}

func.func @call(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  func.call @refill(%data, %v) : (!llvm.ptr<3>, vector<4xi32>) -> ()
  return
}

func.func @call_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  func.call @refill(%data, %v) : (!llvm.ptr<3>, vector<4xi32>) -> ()
  return
}

// Two stages of one ring: the next is filled while this one is copied.
func.func @other_stage(%t: !tmem, %ring: memref<4x512xi32, 3>, %bar: !llvm.ptr<3>, %v: i32, %stage: index, %next: index, %i: index) {
  %all = tcgen05.smem_view %ring : memref<4x512xi32, 3> -> !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>>
  %s = tcgen05.slice %all[%stage, 0, 0] [1, 128, 4] : !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>> -> !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?4*512]>, storage 8192>
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?4*512]>, storage 8192>
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  memref.store %v, %ring[%next, %i] : memref<4x512xi32, 3>
  return
}
