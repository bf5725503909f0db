// RUN: tcgen05-opt %s -mlir-print-op-generic | FileCheck %s

// The generic form is a contract: the qualifiers are attributes, spelled as in PTX.
#t = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>
#s = #tcgen05.layout<[64, 4] : [4, 1]>
!tmem = !tcgen05.tmem<64x4xi32, #t>
!smem = !tcgen05.smem<64x4xi32, #s>

func.func @custom(%t: !tmem, %s: !smem) {
  // CHECK: "tcgen05.cp"(%{{.*}}, %{{.*}}) <{cta_group = 1 : i32, decompress = "b8x16.b4x16_p64", multicast = "warpx2::01_23", scope = "thread", shape = "64x128b"}> : (!tcgen05.tmem<64x4xi32, #{{.*}}>, !tcgen05.smem<64x4xi32, #{{.*}}>) -> ()
  tcgen05.cp "cta_group::1.64x128b.warpx2::01_23.b8x16.b4x16_p64" %t, %s : !tmem, !smem
  return
}

#t128 = #tcgen05.layout<[1, 128, 4] : [0@col, 1@lane, 1@col]>
#s128 = #tcgen05.layout<[1, 128, 4] : [0, 4, 1]>
func.func @generic(%addr: i32, %ptr: !llvm.ptr<3>, %p: i1) {
  %t = "tcgen05.tmem_view"(%addr) : (i32) -> !tcgen05.tmem<1x128x4xi32, #t128>
  %s = "tcgen05.smem_view"(%ptr) : (!llvm.ptr<3>) -> !tcgen05.smem<1x128x4xi32, #s128>
  // What there is none of is absent, and a scope that is not given is thread.
  // CHECK: "tcgen05.cp"(%{{.*}}, %{{.*}}) <{cta_group = 2 : i32, scope = "thread", shape = "128x128b"}> :
  "tcgen05.cp"(%t, %s) <{cta_group = 2 : i32, shape = "128x128b"}> : (!tcgen05.tmem<1x128x4xi32, #t128>, !tcgen05.smem<1x128x4xi32, #s128>) -> ()
  // CHECK: "tcgen05.cp"(%{{.*}}, %{{.*}}, %{{.*}}) <{cta_group = 1 : i32, scope = "warp", shape = "128x128b"}> :
  "tcgen05.cp"(%t, %s, %p) <{cta_group = 1 : i32, shape = "128x128b", scope = "warp"}> : (!tcgen05.tmem<1x128x4xi32, #t128>, !tcgen05.smem<1x128x4xi32, #s128>, i1) -> ()
  return
}
