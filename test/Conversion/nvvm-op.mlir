// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm=emit=nvvm-op | FileCheck %s

#t = #tcgen05.layout<[2, 128, 4] : [4@col, 1@lane, 1@col]>
#s = #tcgen05.layout<[2, 128, 4] : [512, 4, 1]>
#t02_13 = #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 64@lane]>
#t01_23 = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>
#s64 = #tcgen05.layout<[64, 4] : [4, 1]>
#t32 = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>
#s32 = #tcgen05.layout<[32, 4] : [4, 1]>
!t = !tcgen05.tmem<2x128x4xi32, #t>
!s = !tcgen05.smem<2x128x4xi32, #s>
!t02_13 = !tcgen05.tmem<64x4xi32, #t02_13>
!t01_23 = !tcgen05.tmem<64x4xi32, #t01_23>
!s64 = !tcgen05.smem<64x4xi32, #s64>
!t32 = !tcgen05.tmem<32x4xi32, #t32>
!s32 = !tcgen05.smem<32x4xi32, #s32>

// The same plan: the second copy goes to column 4 and reads 128 chunks further on.
// CHECK-LABEL: func.func @repeats
// CHECK-SAME: (%[[T:.*]]: i32, %{{.*}}: i32)
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.constant(70403103981568 : i64) : i64
// CHECK: %[[BASE:.*]] = llvm.or %{{.*}}, %[[CONSTANT]] : i64
// CHECK-NEXT: %[[P0:.*]] = llvm.inttoptr %[[T]] : i32 to !llvm.ptr<6>
// CHECK-NEXT: nvvm.tcgen05.cp %[[P0]], %[[BASE]] {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
// CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-DAG: %[[T1:.*]] = llvm.add %[[T]], %[[C4]] : i32
// CHECK-DAG: %[[P1:.*]] = llvm.inttoptr %[[T1]] : i32 to !llvm.ptr<6>
// CHECK-DAG: %[[C128:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK-DAG: %[[NEXT:.*]] = llvm.add %[[BASE]], %[[C128]] : i64
// CHECK: nvvm.tcgen05.cp %[[P1]], %[[NEXT]] {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
// CHECK-NEXT: return
func.func @repeats(%t: !t, %s: !s) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s
  return
}

// CHECK-LABEL: func.func @qualifiers
// CHECK: nvvm.tcgen05.cp %{{.*}}, %{{.*}} {group = #nvvm.cta_group<cta_2>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
// CHECK: nvvm.tcgen05.cp %{{.*}}, %{{.*}} {multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
// CHECK: nvvm.tcgen05.cp %{{.*}}, %{{.*}} {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
func.func @qualifiers(%t02_13: !t02_13, %t01_23: !t01_23, %s64: !s64, %t32: !t32, %s32: !s32) {
  tcgen05.cp "cta_group::2.64x128b.warpx2::02_13.b8x16.b6x16_p32" %t02_13, %s64 : !t02_13, !s64
  tcgen05.cp "cta_group::1.64x128b.warpx2::01_23.b8x16.b4x16_p64" %t01_23, %s64 : !t01_23, !s64
  tcgen05.cp "cta_group::1.32x128b.warpx4" %t32, %s32 : !t32, !s32
  return
}
