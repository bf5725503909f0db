// RUN: tcgen05-opt %s -split-input-file -verify-diagnostics

#s = #tcgen05.layout<[32, 4] : [4, 1]>
#t = #tcgen05.layout<[32, 4] : [1@lane, 1@col]>
func.func @memory(%view: !tcgen05.smem<32x4xi32, #s>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result to be a region of shared memory, but got '!tcgen05.tmem<}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #s> -> !tcgen05.tmem<32x4xi32, #t>
  return
}

// -----

#s = #tcgen05.layout<[32, 4] : [4, 1]>
#wide = #tcgen05.layout<[16, 8] : [8, 1]>
func.func @shape(%view: !tcgen05.smem<32x4xi32, #s>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result shape to be 32x4, but got 16x8}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #s> -> !tcgen05.smem<16x8xi32, #wide>
  return
}

// -----

#s = #tcgen05.layout<[32, 4] : [4, 1]>
func.func @element(%view: !tcgen05.smem<32x4xi32, #s>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result elements to be 'i32', but got 'f32'}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #s> -> !tcgen05.smem<32x4xf32, #s>
  return
}

// -----

#s = #tcgen05.layout<[32, 4] : [4, 1]>
#far = #tcgen05.layout<[32, 4] : [8, 1]>
func.func @function(%view: !tcgen05.smem<32x4xi32, #s, storage 4096>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result layout to be that of view up to the offset, but got [32, 4] : [8, 1]}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #s, storage 4096> -> !tcgen05.smem<32x4xi32, #far, storage 4096>
  return
}

// -----

#s = #tcgen05.layout<[32, 4] : [4, 1]>
#swizzled = #tcgen05.layout<[32, 4] : [4, 1], swizzle 32B>
func.func @swizzle(%view: !tcgen05.smem<32x4xi32, #s>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result layout to be that of view up to the offset, but got [32, 4] : [4, 1], swizzle 32B}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #s> -> !tcgen05.smem<32x4xi32, #swizzled>
  return
}

// -----

#t = #tcgen05.layout<[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]>
#once = #tcgen05.layout<[32, 4] : [1@lane, 1@col]>
func.func @replica(%view: !tcgen05.tmem<32x4xi32, #t>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result layout to be that of view up to the offset, but got [32, 4] : [1@lane, 1@col]}}
  %0 = tcgen05.cast %view : !tcgen05.tmem<32x4xi32, #t> -> !tcgen05.tmem<32x4xi32, #once>
  return
}

// -----

// One offset's values must be among the other's.
#first = #tcgen05.layout<[32, 4] : [4, 1]>
#second = #tcgen05.layout<[32, 4] : [4, 1], offset [128]>
func.func @offset(%view: !tcgen05.smem<32x4xi32, #first, storage 2048>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result offsets to include those of view, or to be among them, but got [32, 4] : [4, 1], offset [128]}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #first, storage 2048> -> !tcgen05.smem<32x4xi32, #second, storage 2048>
  return
}

// -----

#even = #tcgen05.layout<[32, 4] : [4, 1], offset [?2*256]>
#odd = #tcgen05.layout<[32, 4] : [4, 1], offset [?2*128]>
func.func @overlap(%view: !tcgen05.smem<32x4xi32, #even, storage 2048>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result offsets to include those of view, or to be among them, but got [32, 4] : [4, 1], offset [?2*128]}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #even, storage 2048> -> !tcgen05.smem<32x4xi32, #odd, storage 2048>
  return
}

// -----

// More on one axis and less on the other is neither.
#lanes = #tcgen05.layout<[32, 4] : [1@lane, 1@col], offset [?2*32@lane]>
#columns = #tcgen05.layout<[32, 4] : [1@lane, 1@col], offset [?2*4@col]>
func.func @axes(%view: !tcgen05.tmem<32x4xi32, #lanes>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result offsets to include those of view, or to be among them, but got [32, 4] : [1@lane, 1@col], offset [?2*4@col]}}
  %0 = tcgen05.cast %view : !tcgen05.tmem<32x4xi32, #lanes> -> !tcgen05.tmem<32x4xi32, #columns>
  return
}

// -----

#t = #tcgen05.layout<[32, 4] : [1@lane, 1@col]>
func.func @columns(%view: !tcgen05.tmem<32x4xi32, #t, columns 32>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result columns to be 32, but got 512}}
  %0 = tcgen05.cast %view : !tcgen05.tmem<32x4xi32, #t, columns 32> -> !tcgen05.tmem<32x4xi32, #t>
  return
}

// -----

#s = #tcgen05.layout<[32, 4] : [4, 1]>
func.func @align(%view: !tcgen05.smem<32x4xi32, #s, align 128>) {
  // expected-error@+1 {{'tcgen05.cast' op expected result align of at most 128 bytes, but got 256}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #s, align 128> -> !tcgen05.smem<32x4xi32, #s, align 256>
  return
}

// -----

#s = #tcgen05.layout<[32, 4] : [4, 1]>
#ring = #tcgen05.layout<[32, 4] : [4, 1], offset [?2*128]>
func.func @storage(%view: !tcgen05.smem<32x4xi32, #s>) {
  // The image of all values is 1024 bytes, and that is the default.
  // expected-error@+1 {{'tcgen05.cast' op expected result storage of at most 512 bytes, but got 1024}}
  %0 = tcgen05.cast %view : !tcgen05.smem<32x4xi32, #s> -> !tcgen05.smem<32x4xi32, #ring>
  return
}

// -----

func.func @operand(%value: i32) {
  // expected-error@+1 {{'tcgen05.cast' op operand #0 must be region of tensor or shared memory, but got 'i32'}}
  %0 = tcgen05.cast %value : i32 -> i32
  return
}

// -----

// The address of a region has one type.
#t = #tcgen05.layout<[32, 4] : [1@lane, 1@col]>
func.func @address(%view: !tcgen05.tmem<32x4xi32, #t>) {
  // expected-error@+1 {{'tcgen05.address' op expected result to be 'i32', but got '!llvm.ptr<6>'}}
  %0 = tcgen05.address %view : !tcgen05.tmem<32x4xi32, #t> -> !llvm.ptr<6>
  return
}

// -----

#s = #tcgen05.layout<[32, 4] : [4, 1]>
func.func @address(%view: !tcgen05.smem<32x4xi32, #s>) {
  // expected-error@+1 {{'tcgen05.address' op expected result to be '!llvm.ptr<3>', but got 'i32'}}
  %0 = tcgen05.address %view : !tcgen05.smem<32x4xi32, #s> -> i32
  return
}
