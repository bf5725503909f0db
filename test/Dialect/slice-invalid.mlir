// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

// Origins and sizes stay inside of the view.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice origin in dimension 0 to be in 0 to 96, but got 97}}
  %0 = tcgen05.slice %v[97, 0] [32, 4] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice origin in dimension 1 to be in 0 to 0, but got -1}}
  %0 = tcgen05.slice %v[0, -1] [32, 4] : !v
  return
}

// -----

// The constant part alone must fit: no value of the index helps.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{expected slice origin in dimension 0 to be in 0 to 96, but got 100}}
  %0 = tcgen05.slice %v[100 + %i * 4, 0] [32, 4] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice size in dimension 0 to be in 1 to 128, but got 129}}
  %0 = tcgen05.slice %v[0, 0] [129, 4] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice size in dimension 1 to be in 1 to 4, but got 0}}
  %0 = tcgen05.slice %v[0, 0] [32, 0] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice size in dimension 1 to be in 1 to 4, but got -9223372036854775807}}
  %0 = tcgen05.slice %v[0, 0] [32, -9223372036854775807] : !v
  return
}

// -----

// One origin and one size for each dimension.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected a slice origin for each of 2 dimensions, but got 1}}
  %0 = tcgen05.slice %v[0] [32, 4] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected a slice size for each of 2 dimensions, but got 3}}
  %0 = tcgen05.slice %v[0, 0] [32, 4, 1] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected a slice origin for each of 2 dimensions, but got 0}}
  %0 = tcgen05.slice %v[] [] : !v
  return
}

// -----

// Multipliers are positive.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{expected slice multiplier to be positive, but got 0}}
  %0 = tcgen05.slice %v[%i * 0, 0] [32, 4] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{expected slice multiplier to be positive, but got -4}}
  %0 = tcgen05.slice %v[96 + %i * -4, 0] [32, 4] : !v
  return
}

// -----

// Numbers beyond 64 bits.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{integer value too large}}
  %0 = tcgen05.slice %v[%i * 18446744073709551617, 0] [32, 4] : !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice origin in dimension 0 to be in 0 to 96, but got 9223372036854775807}}
  %0 = tcgen05.slice %v[9223372036854775807, 0] [32, 4] : !v
  return
}

// -----

// Modes that are not one stride cannot be cut: not by the size ...
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(64, 4), 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice size 12 in dimension 0 to leave mode (8 : 4) whole, but it cuts it}}
  %0 = tcgen05.slice %v[0, 0] [12, 4] : !v
  return
}

// -----

// ... nor by the origin ...
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(64, 4), 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice origin 4 in dimension 0 to leave mode (8 : 4) whole, but it cuts it}}
  %0 = tcgen05.slice %v[4, 0] [16, 4] : !v
  return
}

// -----

// ... nor by reaching from one block into the next ...
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(64, 4), 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice origin 6 in dimension 0 to leave mode (8 : 4) whole, but it cuts it}}
  %0 = tcgen05.slice %v[6, 0] [4, 4] : !v
  return
}

// -----

// ... for any value of the index: 4 is the first that does.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(64, 4), 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{expected slice origin 4 in dimension 0 to leave mode (8 : 4) whole, but it cuts it}}
  %0 = tcgen05.slice %v[%i * 4, 0] [8, 4] : !v
  return
}

// -----

// Origins one by one inside of a block, and a jump to the next one: no single multiplier.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(64, 4), 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{expected slice origins in dimension 0 to lie one stride apart, but origin 8 crosses into another mode}}
  %0 = tcgen05.slice %v[%i, 0] [1, 4] : !v
  return
}

// -----

!v = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[(2, 32), 4] : [(64@lane, 1@lane), 1@col]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{expected slice origin 16 in dimension 0 to leave mode (32 : 1@lane) whole, but it cuts it}}
  %0 = tcgen05.slice %v[16, 0] [32, 4] : !v
  return
}

// -----

// Many values: what crosses a mode is found without a list.
!v = !tcgen05.smem<16777216x1xi32, #tcgen05.layout<[(2, 8388608), 1] : [(1, 0), 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{expected slice origins in dimension 0 to lie one stride apart, but they cross mode (8388608 : 0)}}
  %0 = tcgen05.slice %v[%i, 0] [1, 1] : !v
  return
}

// -----

// A type that is given is the inferred one: align, storage, columns and the bound of a term count.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{'tcgen05.slice' op expected result to be '!tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>, storage 2048>', but got '!tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>>'}}
  %0 = tcgen05.slice %v[0, 0] [32, 4] : !v -> !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1]>>
  return
}

// -----

!v = !tcgen05.tmem<128x8xi32, #tcgen05.layout<[128, 8] : [1@lane, 1@col]>, columns 32>
func.func @refused(%v: !v) {
  // expected-error@+1 {{'tcgen05.slice' op expected result to be '!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>, columns 32>', but got '!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>'}}
  %0 = tcgen05.slice %v[0, 0] [128, 4] : !v -> !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{'tcgen05.slice' op expected result to be '!tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?4*128]>>', but got '!tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?3*128]>, storage 2048>'}}
  %0 = tcgen05.slice %v[%i * 32, 0] [32, 4] : !v -> !tcgen05.smem<32x4xi32, #tcgen05.layout<[32, 4] : [4, 1], offset [?3*128]>, storage 2048>
  return
}

// -----

// Views are regions, indices have the type index.
func.func @refused(%v: i32) {
  // expected-error@+1 {{expected view to be a region, but got 'i32'}}
  %0 = tcgen05.slice %v[0] [1] : i32
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
// expected-note@+1 {{prior use here}}
func.func @refused(%v: !v, %i: i32) {
  // expected-error@+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  %0 = tcgen05.slice %v[%i, 0] [32, 4] : !v
  return
}

// -----

// Generic form: a multiplier for each constant, an index for each multiplier, and the rest as above.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{'tcgen05.slice' op expected a multiplier for each of 2 constants, but got 1}}
  %0 = "tcgen05.slice"(%v) <{constants = array<i64: 0, 0>, multipliers = array<i64: 0>, sizes = array<i64: 128, 4>}> : (!v) -> !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{'tcgen05.slice' op expected an index for each of 1 multipliers that are not zero, but got 0}}
  %0 = "tcgen05.slice"(%v) <{constants = array<i64: 0, 0>, multipliers = array<i64: 1, 0>, sizes = array<i64: 128, 4>}> : (!v) -> !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{'tcgen05.slice' op expected an index for each of 1 multipliers that are not zero, but got 2}}
  %0 = "tcgen05.slice"(%v, %i, %i) <{constants = array<i64: 0, 0>, multipliers = array<i64: 1, 0>, sizes = array<i64: 128, 4>}> : (!v, index, index) -> !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v, %i: index) {
  // expected-error@+1 {{'tcgen05.slice' op expected slice multiplier in dimension 0 to be positive, but got -4}}
  %0 = "tcgen05.slice"(%v, %i) <{constants = array<i64: 0, 0>, multipliers = array<i64: -4, 0>, sizes = array<i64: 128, 4>}> : (!v, index) -> !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{'tcgen05.slice' op expected a slice size for each of 2 dimensions, but got 0}}
  %0 = "tcgen05.slice"(%v) <{constants = array<i64: 0, 0>, multipliers = array<i64: 0, 0>, sizes = array<i64>}> : (!v) -> !v
  return
}

// -----

!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused() {
  // expected-error@+1 {{'tcgen05.slice' op expected 1 or more operands, but found 0}}
  %0 = "tcgen05.slice"() <{constants = array<i64: 0, 0>, multipliers = array<i64: 0, 0>, sizes = array<i64: 128, 4>}> : () -> !v
  return
}

// -----

func.func @refused(%v: i32) {
  // expected-error@+1 {{'tcgen05.slice' op operand #0 must be region of tensor or shared memory, but got 'i32'}}
  %0 = "tcgen05.slice"(%v) <{constants = array<i64: 0>, multipliers = array<i64: 0>, sizes = array<i64: 1>}> : (i32) -> i32
  return
}

// -----

// A slice has one result, and the properties that it needs.
!v = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
func.func @refused(%v: !v) {
  // expected-error@+1 {{'tcgen05.slice' op requires attribute 'constants'}}
  %0 = "tcgen05.slice"(%v) : (!v) -> !v
  return
}
