// RUN: tcgen05-opt %s -tcgen05-check-protocol 2>/dev/null > %t.after
// RUN: tcgen05-opt %s > %t.before
// RUN: diff %t.before %t.after
// RUN: tcgen05-opt %s -tcgen05-check-protocol -o /dev/null 2>&1 | FileCheck %s
// RUN: not tcgen05-opt %s -tcgen05-check-protocol=werror -o /dev/null 2>&1 | FileCheck %s --check-prefix=WERROR
// RUN: tcgen05-opt %s -tcgen05-check-protocol="werror disable=proxy-fence,source-reuse" -o - 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tcgen05-opt %s -tcgen05-check-protocol=disable=fences -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: tcgen05-opt %s --pass-pipeline="builtin.module(func.func(tcgen05-check-protocol))" -o - 2>&1 | FileCheck %s --check-prefix=ALONE

// The IR stays; warnings become errors; findings are named; a function alone is
// looked at without its callees.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

// CHECK: options.mlir:{{[0-9]+}}:3: warning: 'tcgen05.cp' op expected fence.proxy.async {{.*}} [proxy-fence]
// CHECK: note: stored here
// WERROR: error: 'tcgen05.cp' op expected fence.proxy.async {{.*}} [proxy-fence]
// NONE-NOT: {{warning|error}}
// NAME: error: expected disable to name findings (mixed-cta-group, allocation, proxy-fence, barrier, uncommitted, unawaited-read, unordered-copies, source-reuse, issuer, uniform-address, cluster), but got 'fences'
// ALONE-NOT: {{warning|error}}
func.func private @fill(%data: !llvm.ptr<3>, %v: i32) {
  llvm.store %v, %data : i32, !llvm.ptr<3>
  return
}

func.func @kernel(%t: !tmem, %data: !llvm.ptr<3>, %v: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  func.call @fill(%data, %v) : (!llvm.ptr<3>, i32) -> ()
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
