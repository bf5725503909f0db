// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// What is allocated is freed, once, as it was allocated, and nothing lies outside.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>
!wide = !tcgen05.tmem<128x4xi32, #tmem, columns 64>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // The view claims 64 columns of 32.
  gpu.func @view() kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    // expected-note@+1 {{allocated here}}
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    // expected-error@+1 {{'tcgen05.tmem_view' op expected the view to stay within the 32 columns of its allocation, but got 64 columns [allocation]}}
    %t = tcgen05.tmem_view %address : !wide
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @view_right() kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 64 : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %t = tcgen05.tmem_view %address : !wide
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    gpu.return
  }

  // 32 columns from column 8 on.
  gpu.func @view_behind() kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    // expected-note@+1 {{allocated here}}
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %c8 = arith.constant 8 : i32
    %behind = arith.addi %address, %c8 : i32
    // expected-error@+1 {{'tcgen05.tmem_view' op expected the view to stay within the 32 columns of its allocation, but got 40 columns [allocation]}}
    %t = tcgen05.tmem_view %behind : !tmem
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @dealloc_size() kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    // expected-note@+1 {{allocated here}}
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %other = arith.constant 64 : i32
    // expected-error@+1 {{'nvvm.tcgen05.dealloc' op expected nCols to be 32 as allocated, but got 64 [allocation]}}
    nvvm.tcgen05.dealloc %pointer, %other : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @dealloc_size_loop(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %other = arith.constant 128 : i32
    scf.for %i = %c0 to %n step %c1 {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %columns = arith.constant 256 : i32
      // expected-note@+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      %address = llvm.load %slot : !llvm.ptr<3> -> i32
      %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // expected-error@+1 {{'nvvm.tcgen05.dealloc' op expected nCols to be 256 as allocated, but got 128 [allocation]}}
      nvvm.tcgen05.dealloc %pointer, %other : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @dealloc_size_loop_right(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %columns = arith.constant 256 : i32
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      %address = llvm.load %slot : !llvm.ptr<3> -> i32
      %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // On one path only: a condition that is independent of the allocation.
  gpu.func @leak(%c: i1) kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    // expected-warning@+1 {{'nvvm.tcgen05.alloc' op expected tcgen05.dealloc on every path to the end of the kernel, but got one without [allocation]}}
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %c {
      nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    }
    // expected-note@+1 {{the kernel ends here}}
    gpu.return
  }

  gpu.func @leak_right(%c: i1) kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %c {
      nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    } else {
      nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @leak_return(%c: i1) kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    // expected-warning@+1 {{'nvvm.tcgen05.alloc' op expected tcgen05.dealloc on every path to the end of the kernel, but got one without [allocation]}}
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    cf.cond_br %c, ^free, ^end
  ^free:
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    cf.br ^end
  ^end:
    // expected-note@+1 {{the kernel ends here}}
    gpu.return
  }

  // Both under one condition.
  gpu.func @leak_return_right(%c: i1) kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    cf.cond_br %c, ^allocate, ^meet
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    cf.br ^meet
  ^meet:
    gpu.barrier
    cf.cond_br %c, ^free, ^end
  ^free:
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    cf.br ^end
  ^end:
    gpu.return
  }

  gpu.func @use_after_free(%s: !smem) kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %t = tcgen05.tmem_view %address : !tmem
    %elected = nvvm.elect.sync -> i1
    // expected-note@+1 {{deallocated here}}
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    scf.if %elected {
      // expected-error@+1 {{'tcgen05.cp' op expected dst to be allocated, but got a copy after its deallocation [allocation]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %slot : !llvm.ptr<3>
    }
    gpu.return
  }

  func.func private @free(%pointer: !llvm.ptr<6>, %columns: i32) {
    // expected-note@+1 {{deallocated here}}
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    return
  }

  gpu.func @use_after_free_call(%s: !smem) kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %t = tcgen05.tmem_view %address : !tmem
    func.call @free(%pointer, %columns) : (!llvm.ptr<6>, i32) -> ()
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-error@+1 {{'tcgen05.cp' op expected dst to be allocated, but got a copy after its deallocation [allocation]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %slot : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @use_before_free(%s: !smem) kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %t = tcgen05.tmem_view %address : !tmem
    func.call @free(%pointer, %columns) : (!llvm.ptr<6>, i32) -> ()
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %again = llvm.load %slot : !llvm.ptr<3> -> i32
    %next = llvm.inttoptr %again : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %next, %columns : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @relinquished() kernel {
    // expected-note@+1 {{relinquished here}}
    nvvm.tcgen05.relinquish_alloc_permit
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    // expected-error@+1 {{'nvvm.tcgen05.alloc' op expected the permit to allocate, but got an allocation after tcgen05.relinquish_alloc_permit [allocation]}}
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @relinquished_right() kernel {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    nvvm.tcgen05.relinquish_alloc_permit
    nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    gpu.return
  }
}
