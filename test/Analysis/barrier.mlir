// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// All threads store and fence, and the copy is issued before they have met.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

func.func @straight(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  // expected-warning@+1 {{'tcgen05.cp' op expected a CTA barrier between the fences of the threads that store to src and the copy, but got none [barrier]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func @straight_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// The barrier stands before the fence.
func.func @order(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  gpu.barrier
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  // expected-warning@+1 {{'tcgen05.cp' op expected a CTA barrier between the fences of the threads that store to src and the copy, but got none [barrier]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func @loop(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning@+1 {{'tcgen05.cp' op expected a CTA barrier between the fences of the threads that store to src and the copy, but got none [barrier]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    // expected-note@+1 {{stored here}}
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  }
  return
}

func.func @loop_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    nvvm.barrier0
  }
  return
}

// The fence of one warp's threads says nothing about those of the others.
func.func @branch(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %c32 = arith.constant 32 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %row = llvm.getelementptr %data[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  %is_warp_0 = arith.cmpi ult, %thread, %c32 : i32
  // expected-note@+1 {{stored here}}
  llvm.store %v, %row : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  scf.if %is_warp_0 {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-warning@+1 {{'tcgen05.cp' op expected a CTA barrier between the fences of the threads that store to src and the copy, but got none [barrier]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    }
  }
  return
}

func.func @branch_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %c32 = arith.constant 32 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %row = llvm.getelementptr %data[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  %is_warp_0 = arith.cmpi ult, %thread, %c32 : i32
  llvm.store %v, %row : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  nvvm.barrier
  scf.if %is_warp_0 {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    }
  }
  return
}

func.func private @fill(%data: !llvm.ptr<3>, %v: vector<4xi32>) {
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  return
}

func.func @call(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  func.call @fill(%data, %v) : (!llvm.ptr<3>, vector<4xi32>) -> ()
  // expected-warning@+1 {{'tcgen05.cp' op expected a CTA barrier between the fences of the threads that store to src and the copy, but got none [barrier]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func private @fill_and_meet(%data: !llvm.ptr<3>, %v: vector<4xi32>) {
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  return
}

func.func @call_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  func.call @fill_and_meet(%data, %v) : (!llvm.ptr<3>, vector<4xi32>) -> ()
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// One thread does both; it need not wait for itself.
func.func @one_thread(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %elected = nvvm.elect.sync -> i1
  scf.if %elected {
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  }
  return
}

// The threads of one warp meet in it.
func.func @one_warp(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %c32 = arith.constant 32 : i32
  %mask = arith.constant -1 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %is_warp_0 = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_warp_0 {
    llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    nvvm.bar.warp.sync %mask : i32
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    }
  }
  return
}

// Writers arrive at an mbarrier, and the issuer waits there.
func.func @mbarrier(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
  %elected = nvvm.elect.sync -> i1
  scf.if %elected {
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  }
  return
}
