// RUN: tcgen05-opt %s -split-input-file -verify-roundtrip | FileCheck %s

// Layouts get an alias of their own, named after the memory they speak of.
// CHECK: #smem_layout = #tcgen05.layout<[16, 128, 4] : [512, 4, 1]>
// CHECK: #tmem_layout = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
// CHECK: func.func private @aliases(!tcgen05.smem<16x128x4xi32, #smem_layout>, !tcgen05.tmem<128x4xi32, #tmem_layout>)
func.func private @aliases(
    !tcgen05.smem<16x128x4xi32, #tcgen05.layout<[16, 128, 4] : [512, 4, 1]>>,
    !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>)

// -----

// A nested dimension and replicas, themselves nested.
// CHECK: #tmem_layout = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>
// CHECK: #tmem_layout1 = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [(2, 2) : (64@lane, 32@lane)]>
// CHECK: #tmem_layout2 = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [2 : 64@lane, 2 : 32@lane]>
#a = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]>
#b = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [(2, 2) : (64@lane, 32@lane)]>
#c = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [2 : 64@lane, 2 : 32@lane]>
func.func private @nested(!tcgen05.tmem<64x4xi32, #a>, !tcgen05.tmem<32x4xi32, #b>, !tcgen05.tmem<32x4xi32, #c>)

// -----

// Offsets: lanes before columns, zero omitted, constants signed and last.
// CHECK: #smem_layout = #tcgen05.layout<[8, 4] : [4, 1], offset [-64]>
// CHECK: #smem_layout1 = #tcgen05.layout<[8, 4] : [4, 1], offset [?6*512 + ?4*8 + 64]>
// CHECK: #smem_layout2 = #tcgen05.layout<[8, 4] : [4, 1], offset [?3*8 + ?2*8 - 4]>
// CHECK: #smem_layout3 = #tcgen05.layout<[8, 4] : [4, 1]>
// CHECK: #tmem_layout = #tcgen05.layout<[8, 4] : [1@lane, 1@col], offset [16@lane, 8@col]>
// CHECK: #tmem_layout1 = #tcgen05.layout<[8, 4] : [1@lane, 1@col], offset [16@lane, ?8*4 + 8@col]>
#a = #tcgen05.layout<[8, 4] : [4, 1], offset [-64]>
// Multipliers descend, and a term of one value is no term.
#b = #tcgen05.layout<[8, 4] : [4, 1], offset [64 + ?4*8 + ?1*7 + ?6*512]>
// Equal multipliers are kept.
#c = #tcgen05.layout<[8, 4] : [4, 1], offset [?3*8 + ?2*8 - 4]>
#d = #tcgen05.layout<[8, 4] : [4, 1], offset [4 - 4]>
#e = #tcgen05.layout<[8, 4] : [1@lane, 1@col], offset [8@col, 16@lane]>
#f = #tcgen05.layout<[8, 4] : [1@lane, 1@col], offset [16@lane, ?8*4 + 8@col]>
func.func private @offsets(
    !tcgen05.smem<8x4xi32, #a>, !tcgen05.smem<8x4xi32, #b>, !tcgen05.smem<8x4xi32, #c>, !tcgen05.smem<8x4xi32, #d>,
    !tcgen05.tmem<8x4xi32, #e>, !tcgen05.tmem<8x4xi32, #f>)

// -----

// CHECK: #smem_layout = #tcgen05.layout<[8, 8] : [8, 1], swizzle 32B>
// CHECK: #smem_layout1 = #tcgen05.layout<[8, 8] : [16, 1], offset [32], swizzle 64B>
// CHECK: #smem_layout2 = #tcgen05.layout<[8, 8] : [32, 1], swizzle 128B>
func.func private @swizzles(
    !tcgen05.smem<8x8xi32, #tcgen05.layout<[8, 8] : [8, 1], swizzle 32B>>,
    !tcgen05.smem<8x8xi32, #tcgen05.layout<[8, 8] : [16, 1], offset [32], swizzle 64B>>,
    !tcgen05.smem<8x8xi32, #tcgen05.layout<[8, 8] : [32, 1], swizzle 128B>>)

// -----

// Strides may be zero or negative. A mode of extent one may have any stride of an allowed axis.
// CHECK: #smem_layout = #tcgen05.layout<[8, 1, 4] : [-4, 77, 0]>
func.func private @strides(!tcgen05.smem<8x1x4xi32, #tcgen05.layout<[8, 1, 4] : [-4, 77, 0]>>)

// -----

// Depth 16 and rank 16 are legal.
// CHECK: #smem_layout = #tcgen05.layout<[((((((((((((((((2))))))))))))))))] : [((((((((((((((((1))))))))))))))))]>
// CHECK: #smem_layout1 = #tcgen05.layout<[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2] : [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]>
#depth16 = #tcgen05.layout<[((((((((((((((((2))))))))))))))))] : [((((((((((((((((1))))))))))))))))]>
#rank16 = #tcgen05.layout<[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2] : [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]>
func.func private @bounds(!tcgen05.smem<2xi32, #depth16>, !tcgen05.smem<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xi32, #rank16>)
