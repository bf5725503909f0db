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
