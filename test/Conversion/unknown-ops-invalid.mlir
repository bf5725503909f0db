// RUN: tcgen05-opt %s -convert-tcgen05-to-nvvm -allow-unregistered-dialect -split-input-file -verify-diagnostics

#s = #tcgen05.layout<[128, 4] : [4, 1]>
!s = !tcgen05.smem<128x4xi32, #s>

// A region that runs into an operation which nobody knows how to convert.
func.func @use(%s: !s) {
  // expected-error@+1 {{failed to legalize operation 'test.use'}}
  "test.use"(%s) : (!s) -> ()
  return
}

// -----

#s = #tcgen05.layout<[128, 4] : [4, 1]>
!s = !tcgen05.smem<128x4xi32, #s>

func.func @define() {
  // expected-error@+1 {{failed to legalize operation 'test.define'}}
  %s = "test.define"() : () -> !s
  return
}

// -----

#s = #tcgen05.layout<[128, 4] : [4, 1]>
!s = !tcgen05.smem<128x4xi32, #s>

func.func @block_argument() {
  // expected-error@+1 {{failed to legalize operation 'test.wrap'}}
  "test.wrap"() ({
  ^bb0(%s: !s):
    "test.end"() : () -> ()
  }) : () -> ()
  return
}
