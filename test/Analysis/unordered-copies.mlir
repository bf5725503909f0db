// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// The hardware orders neither two copies, nor an mma and a copy.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>
!two = !tcgen05.tmem<2x128x4xi32, #tcgen05.layout<[2, 128, 4] : [4@col, 1@lane, 1@col]>, columns 32>
!second = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [4@col]>, columns 32>
!lanes_0 = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col]>>
!lanes_1 = !tcgen05.tmem<4x8xi32, #tcgen05.layout<[4, 8] : [32@lane, 1@col], offset [1@lane]>>
!from_last = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : -32@lane], offset [96@lane]>>
!from_first = !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>>
!words = !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>>
!rows = !tcgen05.smem<4x8xi32, #tcgen05.layout<[4, 8] : [8, 1]>, align 256, storage 256>

func.func @straight(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %u: !smem) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %u : !tmem, !smem
  return
}

func.func @straight_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %u: !smem) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  tcgen05.cp "cta_group::1.128x128b" %t, %u : !tmem, !smem
  return
}

// Committed, but not awaited.
func.func @committed(%address: i32, %s: !smem, %bar: !llvm.ptr<3>) {
  %two = tcgen05.tmem_view %address : !two
  %second = tcgen05.slice %two[1, 0, 0] [1, 128, 4] : !two
  %t = tcgen05.tmem_view %address : !second
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !second, !smem
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 4 to 7 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %second, %s : !tcgen05.tmem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [4@col, 1@lane, 1@col], offset [4@col]>, columns 32>, !smem
  return
}

// What a cast makes of a constant: one, and four.
func.func @casts(%address: i32, %s: !smem) {
  %true = arith.constant true
  %c4 = arith.constant 4 : i32
  %one = arith.extui %true : i1 to i32
  %times = arith.muli %one, %c4 : i32
  %c65540 = arith.constant 65540 : i32
  %low = arith.trunci %c65540 : i32 to i16
  %four = arith.extui %low : i16 to i32
  %by_one = arith.addi %address, %times : i32
  %by_four = arith.addi %address, %four : i32
  %t = tcgen05.tmem_view %by_one : !tmem
  %u = tcgen05.tmem_view %by_four : !tmem
  %v = tcgen05.tmem_view %address : !second
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %v, %s : !second, !smem
  // expected-note@+2 {{copied here}}
  // expected-warning@+1 {{but got none: lane 0, columns 4 to 7 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  // expected-warning@+1 {{but got none: lane 0, columns 4 to 7 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %u, %s : !tmem, !smem
  return
}

// Next to each other: in columns, and in lanes between each other.
func.func @apart(%address: i32, %s: !smem, %r: !rows) {
  %t = tcgen05.tmem_view %address : !tmem
  %u = tcgen05.tmem_view %address : !second
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  tcgen05.cp "cta_group::1.128x128b" %u, %s : !second, !smem
  return
}

func.func @scatter(%address: i32, %r: !rows) {
  %a = tcgen05.tmem_view %address : !lanes_0
  %b = tcgen05.tmem_view %address : !lanes_1
  tcgen05.cp "cta_group::1.4x256b" %a, %r : !lanes_0, !rows
  tcgen05.cp "cta_group::1.4x256b" %b, %r : !lanes_1, !rows
  return
}

func.func @loop(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.for %i = %c0 to %n step %c1 {
    // expected-note@+2 {{copied here}}
    // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
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
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  }
  return
}

func.func @branch(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %c: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.if %c {
    // expected-note@+1 {{copied here}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  }
  // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func @branch_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %c: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  scf.if %c {
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  } else {
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  }
  return
}

func.func private @copy(%t: !tmem, %data: !llvm.ptr<3>) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  // expected-note@+2 {{copied here}}
  // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

func.func @call(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  func.call @copy(%t, %data) : (!tmem, !llvm.ptr<3>) -> ()
  func.call @copy(%t, %data) : (!tmem, !llvm.ptr<3>) -> ()
  return
}

func.func @call_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  func.call @copy(%t, %data) : (!tmem, !llvm.ptr<3>) -> ()
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  func.call @copy(%t, %data) : (!tmem, !llvm.ptr<3>) -> ()
  return
}

// An mma that still reads its scale factors.
func.func @mma(%address: i32, %s: !smem, %d: !llvm.ptr<6>, %a: i64, %b: i64, %idesc: i32, %yes: i1) {
  %t = tcgen05.tmem_view %address : !tmem
  %u = tcgen05.tmem_view %address : !second
  %scale_a = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  %at_b = tcgen05.address %u : !second -> i32
  %scale_b = llvm.inttoptr %at_b : i32 to !llvm.ptr<6>
  tcgen05.cp "cta_group::1.128x128b" %u, %s : !second, !smem
  // expected-note@+1 {{used here}}
  nvvm.tcgen05.mma.block_scale %d, %a, %b, %idesc, %yes, %scale_a, %scale_b {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the mma that uses these cells and this copy, but got none: lane 0, column 0 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}

// Copies before an mma are ordered with it.
func.func @mma_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %address: i32, %d: !llvm.ptr<6>, %a: i64, %b: i64, %idesc: i32, %yes: i1) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  %u = tcgen05.tmem_view %address : !tmem
  %scale = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  tcgen05.cp "cta_group::1.128x128b" %u, %s : !tmem, !smem
  nvvm.tcgen05.mma.block_scale %d, %a, %b, %idesc, %yes, %scale, %scale {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.commit %bar : !llvm.ptr<3>
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  tcgen05.cp "cta_group::1.128x128b" %u, %s : !tmem, !smem
  return
}

// Two stages of which nobody knows whether they are one.
func.func @stages(%address: i32, %s: !smem, %i: index, %j: index) {
  %two = tcgen05.tmem_view %address : !two
  %a = tcgen05.slice %two[%i, 0, 0] [1, 128, 4] : !two -> !tcgen05.tmem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [4@col, 1@lane, 1@col], offset [?2*4@col]>, columns 32>
  %b = tcgen05.slice %two[%j, 0, 0] [1, 128, 4] : !two -> !tcgen05.tmem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [4@col, 1@lane, 1@col], offset [?2*4@col]>, columns 32>
  tcgen05.cp "cta_group::1.128x128b" %a, %s : !tcgen05.tmem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [4@col, 1@lane, 1@col], offset [?2*4@col]>, columns 32>, !smem
  tcgen05.cp "cta_group::1.128x128b" %b, %s : !tcgen05.tmem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [4@col, 1@lane, 1@col], offset [?2*4@col]>, columns 32>, !smem
  return
}

// The address of a region is that of its first replica, lane 96 - 3 * 32 here.
func.func @last_replica(%address: i32, %s: !words, %u: !words) {
  %last = tcgen05.tmem_view %address : !from_last
  tcgen05.cp "cta_group::1.32x128b.warpx4" %last, %s : !from_last, !words
  %first = tcgen05.address %last : !from_last -> i32
  %t = tcgen05.tmem_view %first : !from_first
  // expected-note@-3 {{copied here}}
  // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t, %u : !from_first, !words
  return
}

// Who knows where the second slot is?
func.func @strided_slots(%slots: memref<2xi32, strided<[?]>, 3>, %s: !smem, %u: !smem) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %slots[%c0] : memref<2xi32, strided<[?]>, 3>
  %b = memref.load %slots[%c1] : memref<2xi32, strided<[?]>, 3>
  %t = tcgen05.tmem_view %a : !tmem
  %v = tcgen05.tmem_view %b : !tmem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  tcgen05.cp "cta_group::1.128x128b" %v, %u : !tmem, !smem
  return
}

// One slot is one allocation.
func.func @static_slots(%slots: memref<2xi32, 3>, %s: !smem, %u: !smem) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %slots[%c0] : memref<2xi32, 3>
  %b = memref.load %slots[%c1] : memref<2xi32, 3>
  %c = memref.load %slots[%c1] : memref<2xi32, 3>
  %t = tcgen05.tmem_view %a : !tmem
  %v = tcgen05.tmem_view %b : !tmem
  %w = tcgen05.tmem_view %c : !tmem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  // expected-note@+1 {{copied here}}
  tcgen05.cp "cta_group::1.128x128b" %v, %s : !tmem, !smem
  // expected-warning@+1 {{'tcgen05.cp' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  tcgen05.cp "cta_group::1.128x128b" %w, %u : !tmem, !smem
  return
}
