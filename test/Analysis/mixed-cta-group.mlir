// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// Two tcgen05 operations of one kernel, callees included, with different cta_group.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

func.func @straight(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) {
  // expected-note@+1 {{this operation has cta_group 1}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  // expected-error@+1 {{'nvvm.tcgen05.commit' op expected cta_group to be 1 as elsewhere in the kernel, but got 2 [mixed-cta-group]}}
  nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
  return
}

func.func @straight_right(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) {
  tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
  return
}

func.func @loop(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %slot: !llvm.ptr<3>, %n: index, %phase: i32, %ticks: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = arith.constant 32 : i32
  // expected-note@+1 {{this operation has cta_group 2}}
  nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{'tcgen05.cp' op expected cta_group to be 2 as elsewhere in the kernel, but got 1 [mixed-cta-group]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  }
  return
}

func.func @loop_right(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %slot: !llvm.ptr<3>, %n: index, %phase: i32, %ticks: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = arith.constant 32 : i32
  nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
  scf.for %i = %c0 to %n step %c1 {
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  }
  return
}

// One kernel may take either branch, but has both instructions.
func.func @branch(%t: !tmem, %s: !smem, %c: i1) {
  scf.if %c {
    // expected-note@+1 {{this operation has cta_group 1}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  } else {
    // expected-error@+1 {{'tcgen05.cp' op expected cta_group to be 1 as elsewhere in the kernel, but got 2 [mixed-cta-group]}}
    tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
  }
  return
}

func.func @branch_right(%t: !tmem, %s: !smem, %c: i1) {
  scf.if %c {
    tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
  } else {
    tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
  }
  return
}

func.func private @finish(%bar: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.tcgen05.commit' op expected cta_group to be 2 as elsewhere in the kernel, but got 1 [mixed-cta-group]}}
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  return
}

func.func @call(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) {
  // expected-note@+1 {{this operation has cta_group 2}}
  tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
  func.call @finish(%bar) : (!llvm.ptr<3>) -> ()
  return
}

func.func @call_right(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  func.call @finish(%bar) : (!llvm.ptr<3>) -> ()
  return
}

func.func @mma(%t: !tmem, %s: !smem, %d: !llvm.ptr<6>, %a: i64, %b: i64, %idesc: i32, %yes: i1) {
  // expected-note@+1 {{this operation has cta_group 1}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  // expected-error@+1 {{'nvvm.tcgen05.mma' op expected cta_group to be 1 as elsewhere in the kernel, but got 2 [mixed-cta-group]}}
  nvvm.tcgen05.mma %d, %a, %b, %idesc, %yes {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_2>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  return
}

func.func @relinquish(%d: !llvm.ptr<6>) {
  // expected-note@+1 {{this operation has cta_group 1}}
  nvvm.tcgen05.relinquish_alloc_permit
  // expected-error@+1 {{'nvvm.tcgen05.shift' op expected cta_group to be 1 as elsewhere in the kernel, but got 2 [mixed-cta-group]}}
  nvvm.tcgen05.shift %d {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
  return
}
