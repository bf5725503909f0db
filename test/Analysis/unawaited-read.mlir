// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// A copy is complete for a reader after commit, mbarrier wait and fence, in that order.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

func.func @no_commit(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  nvvm.tcgen05.fence <after>
  // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no commit [unawaited-read]}}
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func @no_wait(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.tcgen05.fence <after>
  // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no wait [unawaited-read]}}
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func @no_fence(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no fence after the wait [unawaited-read]}}
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func @fence_before_wait(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.tcgen05.fence <after>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no fence after the wait [unawaited-read]}}
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func @straight_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  nvvm.tcgen05.fence <after>
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

// The wait is for another mbarrier: two globals are two objects.
llvm.mlir.global internal @one() {addr_space = 3 : i32, alignment = 8 : i64} : i64
llvm.mlir.global internal @two() {addr_space = 3 : i32, alignment = 8 : i64} : i64
func.func @other_barrier(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %one = llvm.mlir.addressof @one : !llvm.ptr<3>
  %two = llvm.mlir.addressof @two : !llvm.ptr<3>
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %one : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %two, %phase, %ticks : !llvm.ptr<3>, i32, i32
  nvvm.tcgen05.fence <after>
  // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no wait [unawaited-read]}}
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func @dealloc(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %columns = arith.constant 32 : i32
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  // expected-warning@+1 {{'nvvm.tcgen05.dealloc' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this dealloc, but got no wait [unawaited-read]}}
  nvvm.tcgen05.dealloc %p, %columns : !llvm.ptr<6>, i32
  return
}

func.func @dealloc_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %columns = arith.constant 32 : i32
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  nvvm.tcgen05.fence <after>
  nvvm.tcgen05.dealloc %p, %columns : !llvm.ptr<6>, i32
  return
}

// Round the loop: the read comes first in the text.
func.func @loop(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no fence after the wait [unawaited-read]}}
    %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    // expected-note@+1 {{copied here}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  }
  return
}

func.func @loop_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
  }
  return
}

func.func @branch(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32, %c: i1) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  cf.cond_br %c, ^wait, ^read
^wait:
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  cf.br ^read
^read:
  nvvm.tcgen05.fence <after>
  // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no wait [unawaited-read]}}
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func @branch_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32, %c: i1) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  cf.cond_br %c, ^wait, ^spin
^wait:
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  cf.br ^read
^spin:
  %arrived = nvvm.mbarrier.try_wait %bar, %phase : !llvm.ptr<3>, i32 -> i1
  cf.cond_br %arrived, ^read, ^spin
^read:
  nvvm.tcgen05.fence <after>
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func private @await(%bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  return
}

func.func @call(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  func.call @await(%bar, %phase, %ticks) : (!llvm.ptr<3>, i32, i32) -> ()
  // expected-warning@+1 {{'nvvm.tcgen05.ld' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no fence after the wait [unawaited-read]}}
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

func.func @call_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  func.call @await(%bar, %phase, %ticks) : (!llvm.ptr<3>, i32, i32) -> ()
  nvvm.tcgen05.fence <after>
  %r = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}

// Other columns, which nothing is copied to.
func.func @elsewhere(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  %t = tcgen05.tmem_view %address : !tmem
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %c4 = arith.constant 4 : i32
  %behind = arith.addi %address, %c4 : i32
  %q = llvm.inttoptr %behind : i32 to !llvm.ptr<6>
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  %r = nvvm.tcgen05.ld %q {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  return
}
