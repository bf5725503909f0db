// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// Missing parts.

// expected-error@+1 {{expected '[' before the shape of the layout}}
#l = #tcgen05.layout<>

// -----

// expected-error@+1 {{expected ':' between shape and strides}}
#l = #tcgen05.layout<[8, 4]>

// -----

// expected-error@+1 {{expected '[' before the strides of the layout}}
#l = #tcgen05.layout<[8, 4] : >

// -----

// expected-error@+1 {{expected an extent}}
#l = #tcgen05.layout<[] : []>

// -----

// expected-error@+1 {{expected ',' since there is a stride for each dimension}}
#l = #tcgen05.layout<[8, 4] : [4]>

// -----

// expected-error@+1 {{expected ']' after the strides of the layout}}
#l = #tcgen05.layout<[8, 4] : [4, 1, 1]>

// -----

// expected-error@+1 {{expected '(' since strides are nested as the shape is}}
#l = #tcgen05.layout<[(2, 4), 4] : [4, 1]>

// -----

// expected-error@+1 {{expected ',' since there is a stride for each extent}}
#l = #tcgen05.layout<[(2, 4), 4] : [(4), 1]>

// -----

// expected-error@+1 {{expected a stride for each extent}}
#l = #tcgen05.layout<[8, 4] : [x, 1]>

// -----

// expected-error@+1 {{expected '>'}}
#l = #tcgen05.layout<[8, 4] : [4, 1] swizzle 32B>

// -----

// expected-error@+1 {{expected replica, offset or swizzle}}
#l = #tcgen05.layout<[8, 4] : [4, 1], stride 4>

// -----

// Parameters come in the order of the grammar, each once.

// expected-error@+1 {{expected swizzle}}
#l = #tcgen05.layout<[8, 4] : [4, 1], offset [4], offset [8]>

// -----

// expected-error@+1 {{expected nothing after swizzle}}
#l = #tcgen05.layout<[8, 4] : [4, 1], swizzle 32B, offset [4]>

// -----

// expected-error@+1 {{expected ':' between the extent and the stride of a replica}}
#l = #tcgen05.layout<[8, 4] : [1@lane, 1@col], replica [2]>

// -----

// Extents.

// expected-error@+1 {{expected extent to be positive, but got 0}}
#l = #tcgen05.layout<[0, 4] : [4, 1]>

// -----

// expected-error@+1 {{expected an extent}}
#l = #tcgen05.layout<[-8, 4] : [4, 1]>

// -----

// Integers are decimal: this one ends after the zero.
// expected-error@+1 {{expected extent to be positive, but got 0}}
#l = #tcgen05.layout<[0x8, 4] : [4, 1]>

// -----

// expected-error@+1 {{expected nesting of at most 16 parentheses, but got 17}}
#l = #tcgen05.layout<[(((((((((((((((((2)))))))))))))))))] : [(((((((((((((((((1)))))))))))))))))]>

// -----

// expected-error@+1 {{expected layout to have at most 16 dimensions}}
#l = #tcgen05.layout<[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2] : [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]>

// -----

// Overflow: of one integer, of an offset, of a position.

// expected-error@+1 {{integer value too large}}
#l = #tcgen05.layout<[8, 4] : [99999999999999999999, 1]>

// -----

// expected-error@+1 {{expected offset to stay within 2^56, but it overflows}}
#l = #tcgen05.layout<[8, 4] : [4, 1], offset [9223372036854775807 + 1]>

// -----

// expected-error@+1 {{to stay within 2^56, but it overflows}}
#l = #tcgen05.layout<[8, 4] : [9223372036854775807, 1]>

// -----

// expected-error@+1 {{expected the product of all extents to be below}}
#l = #tcgen05.layout<[4294967296, 4294967296] : [0, 0]>

// -----

// Axes.

// expected-error@+1 {{expected axis to be lane or col, but got 'row'}}
#l = #tcgen05.layout<[8, 4] : [1@row, 1@col]>

// -----

// expected-error@+1 {{expected each axis of the offset once, but got col twice}}
#l = #tcgen05.layout<[8, 4] : [1@lane, 1@col], offset [4@col, 8@col]>

// -----

// expected-error@+1 {{expected each axis of the offset once, but got memory twice}}
#l = #tcgen05.layout<[8, 4] : [4, 1], offset [4, 8]>

// -----

// Offset terms.

// expected-error@+1 {{expected '*' between the number of values of an offset term and its multiplier}}
#l = #tcgen05.layout<[8, 4] : [4, 1], offset [?6]>

// -----

// expected-error@+1 {{expected the number of values of an offset term to be}}
#l = #tcgen05.layout<[8, 4] : [4, 1], offset [?0*4]>

// -----

// expected-error@+1 {{expected an offset}}
#l = #tcgen05.layout<[8, 4] : [4, 1], offset []>

// -----

// Swizzles.

// expected-error@+1 {{expected swizzle to be 32B, 64B or 128B, but got 256}}
#l = #tcgen05.layout<[8, 4] : [4, 1], swizzle 256B>

// -----

// expected-error@+1 {{expected swizzle to end in B, as in 128B}}
#l = #tcgen05.layout<[8, 4] : [4, 1], swizzle 128>
