// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// The shape is that of the layout.
#l = #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col]>
// expected-error@+1 {{expected shape to be 64x4, that of the layout, but got 2x32x4}}
func.func private @f(!tcgen05.tmem<2x32x4xi32, #l>)

// -----

#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected shape to be 64x4, that of the layout, but got 64x8}}
func.func private @f(!tcgen05.smem<64x8xi32, #l>)

// -----

#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected static shape}}
func.func private @f(!tcgen05.smem<?x4xi32, #l>)

// -----

// Elements have 8, 16, 32 or 64 bits.
#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected elements to be integers or floats of 8, 16, 32 or 64 bits, but got 'i4'}}
func.func private @f(!tcgen05.smem<64x4xi4, #l>)

// -----

#l = #tcgen05.layout<[64, 4] : [1@lane, 1@col]>
// expected-error@+1 {{expected elements to be integers or floats of 8, 16, 32 or 64 bits, but got 'index'}}
func.func private @f(!tcgen05.tmem<64x4xindex, #l>)

// -----

// expected-error@+1 {{expected layout to be a #tcgen05.layout, but got affine_map<(d0) -> (d0)>}}
func.func private @f(!tcgen05.smem<64x4xi32, affine_map<(d0) -> (d0)>>)

// -----

// Foreign axes, also of a mode of extent one, of a replica and of an offset.
#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+2 {{expected axes of a tmem layout to be lane and col, but got memory}}
// expected-note@+1 {{write 1@lane or 1@col}}
func.func private @f(!tcgen05.tmem<64x4xi32, #l>)

// -----

#l = #tcgen05.layout<[1, 64, 4] : [1@lane, 4, 1]>
// expected-error@+1 {{expected axis of an smem layout to be memory, but got lane}}
func.func private @f(!tcgen05.smem<1x64x4xi32, #l>)

// -----

#l = #tcgen05.layout<[64, 4] : [4, 1], offset [4@col]>
// expected-error@+1 {{expected axis of an smem layout to be memory, but got col}}
func.func private @f(!tcgen05.smem<64x4xi32, #l>)

// -----

// No swizzle in tensor memory, no replicas in shared memory.
#l = #tcgen05.layout<[64, 4] : [1@lane, 1@col], swizzle 32B>
// expected-error@+1 {{expected no swizzle in a tmem layout, but got 32B}}
func.func private @f(!tcgen05.tmem<64x4xi32, #l>)

// -----

#l = #tcgen05.layout<[64, 4] : [4, 1], replica [2 : 256]>
// expected-error@+1 {{expected no replica in an smem layout, but got [2 : 256]}}
func.func private @f(!tcgen05.smem<64x4xi32, #l>)

// -----

// Columns: a multiple of 4, from 4 to 512.
#l = #tcgen05.layout<[64, 4] : [1@lane, 1@col]>
// expected-error@+1 {{expected columns to be a multiple of 4 from 4 to 512, but got 6}}
func.func private @f(!tcgen05.tmem<64x4xi32, #l, columns 6>)

// -----

#l = #tcgen05.layout<[64, 4] : [1@lane, 1@col]>
// expected-error@+1 {{expected columns to be a multiple of 4 from 4 to 512, but got 516}}
func.func private @f(!tcgen05.tmem<64x4xi32, #l, columns 516>)

// -----

#l = #tcgen05.layout<[64, 4] : [1@lane, 1@col]>
// expected-error@+1 {{expected columns to be a multiple of 4 from 4 to 512, but got -4}}
func.func private @f(!tcgen05.tmem<64x4xi32, #l, columns -4>)

// -----

// Alignment: a power of two, at least 16.
#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected align to be a power of two of at least 16 bytes, but got 8}}
func.func private @f(!tcgen05.smem<64x4xi32, #l, align 8>)

// -----

#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected align to be a power of two of at least 16 bytes, but got 48}}
func.func private @f(!tcgen05.smem<64x4xi32, #l, align 48>)

// -----

// Storage: less than 2^18 bytes, stated or not.
#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected storage to be from 1 to 262143 bytes, but got 262144}}
func.func private @f(!tcgen05.smem<64x4xi32, #l, storage 262144>)

// -----

#l = #tcgen05.layout<[64, 4] : [4, 1], offset [?65*1024]>
// expected-error@+1 {{expected the image to end below 262144 bytes, but got 263168}}
func.func private @f(!tcgen05.smem<64x4xi32, #l>)

// -----

// Parameters come in the order of the grammar, each once.
#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected '>'}}
func.func private @f(!tcgen05.smem<64x4xi32, #l, storage 1024, align 16>)

// -----

#l = #tcgen05.layout<[64, 4] : [4, 1]>
// expected-error@+1 {{expected 'storage'}}
func.func private @f(!tcgen05.smem<64x4xi32, #l, columns 32>)

// -----

#l = #tcgen05.layout<[64, 4] : [1@lane, 1@col]>
// expected-error@+1 {{expected 'columns'}}
func.func private @f(!tcgen05.tmem<64x4xi32, #l, align 16>)
