// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// Nothing tracks the completion of a copy that is not committed.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

gpu.module @kernels {
  gpu.func @straight(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-warning@+1 {{'tcgen05.cp' op expected a tcgen05.commit of cta_group 1 after the copy, but got none before the end [uncommitted]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    }
    // expected-note@+1 {{the kernel ends here}}
    gpu.return
  }

  gpu.func @straight_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // Each round commits the copy of the round before: the last one is left.
  gpu.func @loop(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      scf.for %i = %c0 to %n step %c1 {
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
        // expected-warning@+1 {{'tcgen05.cp' op expected a tcgen05.commit of cta_group 1 after the copy, but got none before the end [uncommitted]}}
        tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      }
    }
    // expected-note@+1 {{the kernel ends here}}
    gpu.return
  }

  gpu.func @loop_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      scf.for %i = %c0 to %n step %c1 {
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
        tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      }
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // In the last of several rounds, with one commit for all.
  gpu.func @last_round(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %last = arith.subi %n, %c1 : index
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      scf.for %i = %c0 to %n step %c1 {
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
        tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
        %is_last = arith.cmpi eq, %i, %last : index
        scf.if %is_last {
          nvvm.tcgen05.commit %bar : !llvm.ptr<3>
        }
        nvvm.tcgen05.commit %data : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
      }
    }
    gpu.return
  }

  gpu.func @branch(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %c: i1) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-warning@+1 {{'tcgen05.cp' op expected a tcgen05.commit of cta_group 1 after the copy, but got none before the end [uncommitted]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      scf.if %c {
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
      }
    }
    // expected-note@+1 {{the kernel ends here}}
    gpu.return
  }

  gpu.func @branch_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32, %c: i1, %other: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      scf.if %c {
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
      } else {
        nvvm.tcgen05.commit %other : !llvm.ptr<3>
      }
    }
    gpu.return
  }

  // The thread that is elected twice is one.
  gpu.func @elected_twice(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %first = nvvm.elect.sync -> i1
    scf.if %first {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    }
    %second = nvvm.elect.sync -> i1
    scf.if %second {
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // The same in blocks.
  gpu.func @blocks(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    cf.cond_br %elected, ^copy, ^meet
  ^copy:
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    cf.br ^meet
  ^meet:
    cf.cond_br %elected, ^commit, ^end
  ^commit:
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    cf.br ^end
  ^end:
    gpu.return
  }

  func.func private @copy(%t: !tmem, %data: !llvm.ptr<3>) {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    // expected-warning@+1 {{'tcgen05.cp' op expected a tcgen05.commit of cta_group 1 after the copy, but got none before the end [uncommitted]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    return
  }

  func.func private @commit(%bar: !llvm.ptr<3>) {
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    return
  }

  gpu.func @call(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) kernel {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      func.call @commit(%bar) : (!llvm.ptr<3>) -> ()
      func.call @copy(%t, %data) : (!tmem, !llvm.ptr<3>) -> ()
    }
    // expected-note@+1 {{the kernel ends here}}
    gpu.return
  }

  gpu.func @call_right(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) kernel {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      func.call @copy(%t, %data) : (!tmem, !llvm.ptr<3>) -> ()
      func.call @commit(%bar) : (!llvm.ptr<3>) -> ()
    }
    gpu.return
  }

  // A store to the source, whether or not there is a commit later.
  gpu.func @reuse(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-note@+2 {{copied here}}
      // expected-warning@+1 {{'tcgen05.cp' op expected a tcgen05.commit of cta_group 1 after the copy, but got none before a store to its source [uncommitted]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      // expected-note@+2 {{stored here}}
      // expected-warning@+1 {{'llvm.store' op expected the copy from this memory to be awaited before the store, but got no commit and no mbarrier wait [source-reuse]}}
      llvm.store %v, %data : vector<4xi32>, !llvm.ptr<3>
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }
}

// Of a function, the caller may commit.
func.func @function(%t: !tmem, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %v: vector<4xi32>, %phase: i32, %ticks: i32) {
  %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
