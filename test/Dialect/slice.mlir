// RUN: tcgen05-opt %s -verify-roundtrip -mlir-print-local-scope | FileCheck %s

// Storage is that of the view; it is not printed where it is what the image needs anyway, as with all defaults.

#ring = #tcgen05.layout<[6, 128, 4] : [512, 4, 1]>
#rows = #tcgen05.layout<[128, 4] : [4, 1]>
#wide = #tcgen05.layout<[128, 64] : [1@lane, 1@col]>
!ring = !tcgen05.smem<6x128x4xi32, #ring, align 128>
!rows = !tcgen05.smem<128x4xf32, #rows>
!wide = !tcgen05.tmem<128x64xi32, #wide, columns 64>

// The type is inferred, and printed whether it was written or not. Strides stay, the offset moves.
// CHECK-LABEL: func.func @static
// CHECK: tcgen05.slice %{{.*}}[8, 0] [32, 4] : !tcgen05.smem<128x4xf32, #{{.*}}> -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1], offset [32]>, storage 2048>
// CHECK: tcgen05.slice %{{.*}}[8, 0] [32, 4] : !tcgen05.smem<128x4xf32, #{{.*}}> -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1], offset [32]>, storage 2048>
// CHECK: tcgen05.slice %{{.*}}[96, 0] [32, 4] : {{.*}} -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1], offset [384]>>
// CHECK: tcgen05.slice %{{.*}}[0, 2] [1, 1] : {{.*}} -> !tcgen05.smem<1x1xf32, #tcgen05.layout<[1, 1] : [4, 1], offset [2]>, storage 2048>
// CHECK: tcgen05.slice %{{.*}}[0, 0] [128, 4] : !tcgen05.smem<128x4xf32, #[[SAME:.*]]> -> !tcgen05.smem<128x4xf32, #[[SAME]]>
func.func @static(%v: !rows) {
  %0 = tcgen05.slice %v[8, 0] [32, 4] : !rows
  %1 = tcgen05.slice %v[8, 0] [32, 4] : !rows -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1], offset [32]>, storage 2048>
  // The last origin that there is room for.
  %2 = tcgen05.slice %v[96, 0] [32, 4] : !rows
  %3 = tcgen05.slice %v[0, 2] [1, 1] : !rows
  %4 = tcgen05.slice %v[0, 0] [128, 4] : !rows
  return
}

// A run-time part is a term with (extent - size - constant) / multiplier + 1 values.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[I:[^:]*]]: index
// CHECK: tcgen05.slice %{{.*}}[%[[I]], 0] [32, 4] : {{.*}} -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1], offset [?97*4]>>
// CHECK: tcgen05.slice %{{.*}}[%[[I]] * 32, 0] [32, 4] : {{.*}} -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>>
// CHECK: tcgen05.slice %{{.*}}[8 + %[[I]] * 4, 0] [32, 4] : {{.*}} -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1], offset [?23*16 + 32]>>
// CHECK: tcgen05.slice %{{.*}}[8 + %[[I]], 0] [32, 4] : {{.*}} offset [?89*4 + 32]>
// CHECK: tcgen05.slice %{{.*}}[%[[I]], 0] [32, 4] : {{.*}} offset [?97*4]>
// CHECK: tcgen05.slice %{{.*}}[%[[I]], 0] [128, 4] : {{.*}} -> !tcgen05.smem<128x4xf32, #tcgen05.layout<[128, 4] : [4, 1]>>
// CHECK: tcgen05.slice %{{.*}}[%[[I]] * 4611686018427387904, 0] [32, 4] : {{.*}} -> !tcgen05.smem<32x4xf32, #tcgen05.layout<[32, 4] : [4, 1]>, storage 2048>
func.func @dynamic(%i: index, %v: !rows) {
  %0 = tcgen05.slice %v[%i, 0] [32, 4] : !rows
  %1 = tcgen05.slice %v[%i * 32, 0] [32, 4] : !rows
  %2 = tcgen05.slice %v[8 + %i * 4, 0] [32, 4] : !rows
  %3 = tcgen05.slice %v[8 + %i * 1, 0] [32, 4] : !rows
  // A constant of zero is not printed.
  %4 = tcgen05.slice %v[0 + %i, 0] [32, 4] : !rows
  // With room for one value only there is no term.
  %5 = tcgen05.slice %v[%i, 0] [128, 4] : !rows
  %6 = tcgen05.slice %v[%i * 4611686018427387904, 0] [32, 4] : !rows
  return
}

// Several terms of one offset: multipliers descend, the constant comes last.
// CHECK-LABEL: func.func @terms
// CHECK: offset [?6*512 + ?7*64 + 68]>, align 128, storage 12288>
func.func @terms(%v: !ring, %i: index, %stage: index) {
  %0 = tcgen05.slice %v[%stage, 17 + %i * 16, 0] [1, 8, 4] : !ring
  return
}

// Lanes and columns move apart from each other.
// CHECK-LABEL: func.func @tmem
// CHECK: tcgen05.slice %{{.*}}[0, 8] [128, 4] : {{.*}} -> !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [8@col]>, columns 64>
// CHECK: tcgen05.slice %{{.*}}[0, 8 + %{{.*}} * 4] [128, 4] : {{.*}} -> !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col], offset [?14*4 + 8@col]>, columns 64>
// CHECK: tcgen05.slice %{{.*}}[%{{.*}} * 32, 4 + %{{.*}}] [32, 8] : {{.*}} -> !tcgen05.tmem<32x8xi32, #tcgen05.layout<[32, 8] : [1@lane, 1@col], offset [?4*32@lane, ?53*1 + 4@col]>, columns 64>
func.func @tmem(%v: !wide, %i: index) {
  %0 = tcgen05.slice %v[0, 8] [128, 4] : !wide
  %1 = tcgen05.slice %v[0, 8 + %i * 4] [128, 4] : !wide
  %2 = tcgen05.slice %v[%i * 32, 4 + %i] [32, 8] : !wide
  return
}

// Replicas stay with the region, swizzles too.
// CHECK-LABEL: func.func @kept
// CHECK: -> !tcgen05.tmem<32x4xi32, #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane], offset [4@col]>>
// CHECK: -> !tcgen05.smem<128x8xi32, #tcgen05.layout<[128, 8] : [32, 1], offset [8], swizzle 128B>, align 1024, storage 16384>
func.func @kept(%t: !tcgen05.tmem<32x8xi32, #tcgen05.layout<[32, 8] : [1@lane, 1@col], replica [4 : 32@lane]>>,
                %s: !tcgen05.smem<128x32xi32, #tcgen05.layout<[128, 32] : [32, 1], swizzle 128B>, align 1024>) {
  %0 = tcgen05.slice %t[0, 4] [32, 4] : !tcgen05.tmem<32x8xi32, #tcgen05.layout<[32, 8] : [1@lane, 1@col], replica [4 : 32@lane]>>
  %1 = tcgen05.slice %s[0, 8] [128, 8] : !tcgen05.smem<128x32xi32, #tcgen05.layout<[128, 32] : [32, 1], swizzle 128B>, align 1024>
  return
}

// A nested dimension is merged where it is one stride; what the size takes whole stays as it is.
// CHECK-LABEL: func.func @nested
// CHECK: [%{{.*}}] [48] : {{.*}} -> !tcgen05.smem<48xi32, #tcgen05.layout<[48] : [4], offset [?81*4]>>
// CHECK: [8 + %{{.*}} * 8] [32] : {{.*}} -> !tcgen05.smem<32xi32, #tcgen05.layout<[(4, 8)] : [(64, 4)], offset [?12*64 + 64]>>
// CHECK: [5] [2] : {{.*}} -> !tcgen05.smem<2xi32, #tcgen05.layout<[2] : [4], offset [20]>, storage 3956>
// CHECK: [13 + %{{.*}} * 8] [2] : {{.*}} -> !tcgen05.smem<2xi32, #tcgen05.layout<[2] : [4], offset [?15*64 + 84]>, storage 3956>
// CHECK: [16 + %{{.*}}] [1] : {{.*}} -> !tcgen05.smem<1xi32, #tcgen05.layout<[1] : [3], offset [?8*3 + 2]>, storage 104>
func.func @nested(%one: !tcgen05.smem<128xi32, #tcgen05.layout<[(2, (4, 16))] : [(256, (64, 4))]>>,
                  %two: !tcgen05.smem<128xi32, #tcgen05.layout<[(16, 8)] : [(64, 4)]>>,
                  %three: !tcgen05.smem<24xi32, #tcgen05.layout<[(3, 8)] : [(1, 3)]>, storage 104>, %i: index) {
  %0 = tcgen05.slice %one[%i] [48] : !tcgen05.smem<128xi32, #tcgen05.layout<[(2, (4, 16))] : [(256, (64, 4))]>>
  %1 = tcgen05.slice %two[8 + %i * 8] [32] : !tcgen05.smem<128xi32, #tcgen05.layout<[(16, 8)] : [(64, 4)]>>
  %2 = tcgen05.slice %two[5] [2] : !tcgen05.smem<128xi32, #tcgen05.layout<[(16, 8)] : [(64, 4)]>>
  %3 = tcgen05.slice %two[13 + %i * 8] [2] : !tcgen05.smem<128xi32, #tcgen05.layout<[(16, 8)] : [(64, 4)]>>
  %4 = tcgen05.slice %three[16 + %i] [1] : !tcgen05.smem<24xi32, #tcgen05.layout<[(3, 8)] : [(1, 3)]>, storage 104>
  return
}

// The terms of the view stay, those of the slice join them; attributes are kept.
// CHECK-LABEL: func.func @slice_of_slice
// CHECK: tcgen05.slice %{{.*}}[0, %{{.*}} * 8, 0] [1, 8, 4] {note = "kept"} : {{.*}} offset [?6*512 + ?16*32]>, align 128>
func.func @slice_of_slice(%v: !ring, %stage: index, %i: index) {
  %0 = tcgen05.slice %v[%stage, 0, 0] [1, 128, 4] : !ring
  %1 = tcgen05.slice %0[0, %i * 8, 0] [1, 8, 4] {note = "kept"}
      : !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?6*512]>, align 128>
  return
}
