// RUN: tcgen05-opt %s -verify-roundtrip | FileCheck %s

#t = #tcgen05.layout<[64, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<[128, 4] : [4, 1]>
#wide = #tcgen05.layout<[128, 64] : [64, 1], swizzle 128B>
#nested = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col]>
#ring = #tcgen05.layout<[128, 4] : [4, 1], offset [?6*512]>
#below = #tcgen05.layout<[8, 4] : [4, 1], offset [-64]>
#foreign = #tcgen05.layout<[1, 4] : [7@col, 1@col], offset [?4*4 + 600@col]>

// Defaults are not printed.
// CHECK: @tmem(!tcgen05.tmem<64x4xi32, #{{tmem_layout[0-9]*}}, columns 32>, !tcgen05.tmem<64x4xf32, #{{tmem_layout[0-9]*}}>)
func.func private @tmem(!tcgen05.tmem<64x4xi32, #t, columns 32>, !tcgen05.tmem<64x4xf32, #t, columns 512>)

// CHECK: @smem(!tcgen05.smem<128x64xbf16, #{{smem_layout[0-9]*}}, align 1024, storage 20000>, !tcgen05.smem<128x4xf32, #{{smem_layout[0-9]*}}>)
func.func private @smem(!tcgen05.smem<128x64xbf16, #wide, align 1024, storage 20000>, !tcgen05.smem<128x4xf32, #s, align 16>)

// A storage that is the default is none: 128 rows of 16 bytes.
// CHECK: @storage(!tcgen05.smem<128x4xi32, #{{smem_layout[0-9]*}}>, !tcgen05.smem<128x4xi32, #{{smem_layout[0-9]*}}, storage 2047>)
func.func private @storage(!tcgen05.smem<128x4xi32, #s, storage 2048>, !tcgen05.smem<128x4xi32, #s, storage 2047>)

// The shape is that of the products of nested extents.
// CHECK: @nested(!tcgen05.tmem<64x4xi32, #{{tmem_layout[0-9]*}}>)
func.func private @nested(!tcgen05.tmem<64x4xi32, #nested>)

// CHECK: @elements(!tcgen05.smem<128x4xi8, #{{smem_layout[0-9]*}}>, !tcgen05.smem<128x4xf8E4M3FN, #{{smem_layout[0-9]*}}>, !tcgen05.smem<128x4xf16, #{{smem_layout[0-9]*}}>, !tcgen05.smem<128x4xui32, #{{smem_layout[0-9]*}}>, !tcgen05.smem<128x4xf64, #{{smem_layout[0-9]*}}>)
func.func private @elements(!tcgen05.smem<128x4xi8, #s>, !tcgen05.smem<128x4xf8E4M3FN, #s>, !tcgen05.smem<128x4xf16, #s>, !tcgen05.smem<128x4xui32, #s>, !tcgen05.smem<128x4xf64, #s>)

// Run-time terms are legal in types, and so are places that no view could have: a type is no view.
// CHECK: @terms(!tcgen05.smem<128x4xi32, #{{smem_layout[0-9]*}}>, !tcgen05.smem<8x4xi32, #{{smem_layout[0-9]*}}, storage 64>, !tcgen05.tmem<1x4xi32, #{{tmem_layout[0-9]*}}, columns 4>)
func.func private @terms(!tcgen05.smem<128x4xi32, #ring>, !tcgen05.smem<8x4xi32, #below, storage 64>, !tcgen05.tmem<1x4xi32, #foreign, columns 4>)
