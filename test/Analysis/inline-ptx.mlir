// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics -o /dev/null

// The protocol in inline PTX, as lowerings and people write it.

llvm.mlir.global internal @data() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i32>
llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32

llvm.func @right(%v: i32, %phase: i32, %descriptor: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %data = llvm.mlir.addressof @data : !llvm.ptr<3>
  %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  nvvm.inline_ptx "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 32;" ro(%slot : !llvm.ptr<3>)
  llvm.store %v, %data : i32, !llvm.ptr<3>
  nvvm.inline_ptx "fence.proxy.async.shared::cta;"
  nvvm.inline_ptx "bar.sync 0;"
  %t = llvm.load %slot : !llvm.ptr<3> -> i32
  %start = llvm.ptrtoint %data : !llvm.ptr<3> to i64
  %four = llvm.mlir.constant(4 : i64) : i64
  %chunks = llvm.lshr %start, %four : i64
  %fields = llvm.mlir.constant(70403120832513 : i64) : i64
  %d = llvm.or %chunks, %fields : i64
  %first = llvm.icmp "eq" %thread, %c0 : i32
  llvm.cond_br %first, ^copy, ^wait
^copy:
  nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 8; tcgen05.cp.cta_group::1.128x128b [t+4], d; }" ro(%t, %d : i32, i64)
  nvvm.inline_ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];" ro(%bar : !llvm.ptr<3>)
  llvm.br ^wait
^wait:
  nvvm.inline_ptx "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @p bra done; bra again; done: }" ro(%bar, %phase : !llvm.ptr<3>, i32)
  nvvm.inline_ptx "tcgen05.fence::after_thread_sync;"
  %r = nvvm.inline_ptx "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1+4];" ro(%t : i32) -> i32
  nvvm.inline_ptx "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 32;" ro(%t : i32)
  llvm.return
}

llvm.func @wrong(%v: i32, %phase: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %data = llvm.mlir.addressof @data : !llvm.ptr<3>
  %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
  // expected-note@+1 {{allocated here}}
  nvvm.inline_ptx "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 32;" ro(%slot : !llvm.ptr<3>)
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : i32, !llvm.ptr<3>
  %t = llvm.load %slot : !llvm.ptr<3> -> i32
  %start = llvm.ptrtoint %data : !llvm.ptr<3> to i64
  %elected = nvvm.elect.sync -> i1
  llvm.cond_br %elected, ^copy, ^wait
^copy:
  // expected-note@+3 {{copied here}}
  // expected-error@+2 {{'llvm.inline_asm' op expected dst to stay within the 32 columns of its allocation, but got 36 columns [allocation]}}
  // expected-warning@+1 {{'llvm.inline_asm' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none [proxy-fence]}}
  llvm.inline_asm has_side_effects "{ .reg .b32 t; mov.b32 t, $0; tcgen05.cp.cta_group::1.128x128b [t+32], $1; }", "r,l" %t, %start : (i32, i64) -> ()
  nvvm.inline_ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];" ro(%bar : !llvm.ptr<3>)
  llvm.br ^wait
^wait:
  nvvm.inline_ptx "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra again; }" ro(%bar, %phase : !llvm.ptr<3>, i32)
  // expected-warning@+1 {{'nvvm.inline_ptx' op expected a commit, an mbarrier wait and tcgen05.fence::after_thread_sync, in this order, between the copy and this read, but got no fence after the wait [unawaited-read]}}
  %r = nvvm.inline_ptx "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1+32];" ro(%t : i32) -> i32
  // expected-error@+1 {{'nvvm.inline_ptx' op expected nCols to be 32 as allocated, but got 64 [allocation]}}
  nvvm.inline_ptx "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 64;" ro(%t : i32)
  llvm.return
}

// Instructions that do nothing to the protocol, and a call, which may do all.
llvm.func @others(%v: i32, %t: i32) {
  %data = llvm.mlir.addressof @data : !llvm.ptr<3>
  %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
  %start = llvm.ptrtoint %data : !llvm.ptr<3> to i64
  // expected-note@+1 {{stored here}}
  llvm.store %v, %data : i32, !llvm.ptr<3>
  nvvm.inline_ptx "mbarrier.init.shared.b64 [$0], 1; fence.mbarrier_init.release.cluster; tcgen05.wait::ld.sync.aligned;" ro(%bar : !llvm.ptr<3>)
  // expected-warning@+1 {{'nvvm.inline_ptx' op expected fence.proxy.async between the store to src and the copy, by the thread that stores, but got none [proxy-fence]}}
  nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%t, %start : i32, i64)
  llvm.return
}

llvm.func @call(%v: i32, %t: i32) {
  %data = llvm.mlir.addressof @data : !llvm.ptr<3>
  %start = llvm.ptrtoint %data : !llvm.ptr<3> to i64
  llvm.store %v, %data : i32, !llvm.ptr<3>
  nvvm.inline_ptx "call.uni helper;"
  nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%t, %start : i32, i64)
  llvm.return
}

// Each output has a number, though several are one struct: $2 is the first input.
llvm.func @outputs(%t: i32, %d: i64, %e: i64) {
  // expected-note@+1 {{copied here}}
  %r = llvm.inline_asm has_side_effects "mov.b32 $0, 0; mov.b32 $1, 0; tcgen05.cp.cta_group::1.128x128b [$2], $3;", "=r,=r,r,l" %t, %d : (i32, i64) -> !llvm.struct<(i32, i32)>
  // expected-warning@+1 {{'nvvm.inline_ptx' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%t, %e : i32, i64)
  llvm.return
}

// An output that is tied to an input starts as that one; a memory operand is none.
llvm.func @tied(%t: i32, %d: i64, %e: i64, %p: !llvm.ptr) {
  // expected-note@+1 {{copied here}}
  %r = llvm.inline_asm has_side_effects operand_attrs = [{elementtype = i32}, {}, {}] "tcgen05.cp.cta_group::1.128x128b [$1], $2; st.b32 $0, 0;", "=*m,=r,l,1,~{memory}" %p, %d, %t : (!llvm.ptr, i64, i32) -> i32
  // expected-warning@+1 {{'nvvm.inline_ptx' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [%0], %1;" ro(%t, %e : i32, i64)
  llvm.return
}

// Upstream numbers what is read and written, then results, then what is read.
llvm.func @read_write(%t: i32, %d: i64, %e: i64, %fields: !llvm.struct<(i32, i32)>) {
  // expected-note@+1 {{copied here}}
  %r:2 = nvvm.inline_ptx "mov.b32 $1, 0; mov.b32 $2, 0; tcgen05.cp.cta_group::1.128x128b [$0], $5;" ro(%fields, %d : !llvm.struct<(i32, i32)>, i64) rw(%t : i32) -> i32, i32
  // expected-warning@+1 {{'nvvm.inline_ptx' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 0 to 3 in both [unordered-copies]}}
  nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%t, %e : i32, i64)
  llvm.return
}

// It is what the template has written, where that can be told.
llvm.func @rewritten(%t: i32, %d: i64, %e: i64) {
  nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%t, %d : i32, i64)
  // expected-note@+1 {{copied here}}
  nvvm.inline_ptx "add.s32 $0, $0, 4; tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%d : i64) rw(%t : i32)
  nvvm.inline_ptx "xor.b32 $0, $0, 16; tcgen05.cp.cta_group::1.128x128b [$0], $1;" ro(%d : i64) rw(%t : i32)
  nvvm.inline_ptx "{ .reg .b32 t; mov.b32 t, $0; shl.b32 t, t, 1; tcgen05.cp.cta_group::1.128x128b [t], $1; }" ro(%t, %d : i32, i64)
  nvvm.inline_ptx "{ .reg .b32 t, u; mov.b32 t, $0; ld.shared.v2.b32 {u, t}, [0]; tcgen05.cp.cta_group::1.128x128b [t], $1; }" ro(%t, %d : i32, i64)
  // expected-warning@+1 {{'nvvm.inline_ptx' op expected a commit and a wait between the copy to these cells and this copy, but got none: lane 0, columns 4 to 7 in both [unordered-copies]}}
  nvvm.inline_ptx "tcgen05.cp.cta_group::1.128x128b [$0+4], $1;" ro(%t, %e : i32, i64)
  llvm.return
}

// Constraints that say nothing.
llvm.func @constraints(%t: i32, %d: i64) {
  llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.128x128b [$0], $1;", "r,,l" %t, %d : (i32, i64) -> ()
  llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.128x128b [$0], $7;", "r,l,l,l" %t, %d : (i32, i64) -> ()
  llvm.return
}

// Constraints at which LLVM's parser of them ends the program.
llvm.func @malformed(%t: i32, %d: i64) {
  llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.128x128b [$0+4], $1;", "@r,@l" %t, %d : (i32, i64) -> ()
  llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.128x128b [$0], $1;", "=*@,^l,{,~,99999999999" %t, %d : (i32, i64) -> ()
  llvm.return
}
