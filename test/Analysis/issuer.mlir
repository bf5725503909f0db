// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// One thread issues, and ptxas can tell that it is one.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>
!tmem16 = !tcgen05.tmem<16x128x4xi32, #tcgen05.layout<[16, 128, 4] : [4@col, 1@lane, 1@col]>>
!smem16 = !tcgen05.smem<16x128x4xi32, #tcgen05.layout<[16, 128, 4] : [512, 4, 1]>>

gpu.module @kernels {
  gpu.func @nobody(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got every thread: ptxas wraps each instruction in a loop, 20 machine instructions instead of 13 [issuer]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  gpu.func @nobody_right(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @thread_0(%t: !tmem16, %s: !smem16, %bar: !llvm.ptr<3>) kernel {
    %c0 = arith.constant 0 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is_first {
      // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got thread id == 0 without a known 1-D block size: ptxas wraps each instruction in a loop, 125 machine instructions instead of 43 [issuer]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem16, !smem16
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // ptxas knows the block.
  gpu.func @thread_0_right(%t: !tmem16, %s: !smem16, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem16, !smem16
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // As a predicate of each copy.
  gpu.func @predicate(%t: !tmem16, %s: !smem16, %bar: !llvm.ptr<3>) kernel {
    %c0 = arith.constant 0 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got thread id == 0 without a known 1-D block size: ptxas wraps each instruction in a loop, 155 machine instructions instead of 43 [issuer]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %is_first : !tmem16, !smem16
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  gpu.func @predicate_right(%t: !tmem16, %s: !smem16, %bar: !llvm.ptr<3>) kernel {
    %elected = nvvm.elect.sync -> i1
    tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %elected : !tmem16, !smem16
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  gpu.func @lane(%n: index, %t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %is_first = arith.cmpi eq, %lane, %zero : i32
    scf.for %i = %c0 to %n step %c1 {
      scf.if %is_first {
        // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got lane 0 of every warp: ptxas wraps each instruction in a loop, 20 machine instructions instead of 13 [issuer]}}
        tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
      }
    }
    gpu.return
  }

  gpu.func @lane_right(%n: index, %t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : i32
    %elected = nvvm.elect.sync -> i1
    %issues = arith.andi %is_warp_0, %elected : i1
    scf.for %i = %c0 to %n step %c1 {
      scf.if %issues {
        tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
      }
    }
    gpu.return
  }

  // Four warps elect four threads.
  gpu.func @each_warp(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got one thread of each of 4 warps: each of them issues the copy [issuer]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @warp(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %c32 = arith.constant 32 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %others = arith.cmpi uge, %thread, %c32 : i32
    cf.cond_br %others, ^end, ^copy
  ^copy:
    // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got every thread of a warp: ptxas wraps each instruction in a loop, 20 machine instructions instead of 13 [issuer]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    cf.br ^end
  ^end:
    gpu.return
  }

  func.func private @copy(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) {
    // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got every thread: ptxas wraps each instruction in a loop, 20 machine instructions instead of 13 [issuer]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    return
  }

  gpu.func @call(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    func.call @copy(%t, %s, %bar) : (!tmem, !smem, !llvm.ptr<3>) -> ()
    gpu.return
  }

  gpu.func @call_right(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      func.call @copy(%t, %s, %bar) : (!tmem, !smem, !llvm.ptr<3>) -> ()
    }
    gpu.return
  }

  // A condition that nobody knows may be the right one.
  gpu.func @unknown(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %flags: !llvm.ptr<3>) kernel {
    %flag = llvm.load %flags : !llvm.ptr<3> -> i1
    scf.if %flag {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }
}

// Of a function, the guard may be around the call.
func.func @function(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) {
  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
  return
}
