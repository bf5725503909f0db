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
    %c31 = arith.constant 31 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %lane = arith.andi %thread, %c31 : i32
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

  // Another thread than the first.
  gpu.func @thread_5(%t: !tmem16, %s: !smem16, %bar: !llvm.ptr<3>) kernel {
    %c5 = arith.constant 5 : i64
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %long = llvm.sext %thread : i32 to i64
    %is_fifth = arith.cmpi eq, %long, %c5 : i64
    scf.if %is_fifth {
      // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got thread id == 5 without a known 1-D block size: ptxas wraps each instruction in a loop, 125 machine instructions instead of 43 [issuer]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem16, !smem16
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @thread_5_right(%t: !tmem16, %s: !smem16, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c5 = arith.constant 5 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %is_fifth = arith.cmpi eq, %thread, %c5 : i32
    scf.if %is_fifth {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem16, !smem16
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @lane_7(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %c31 = arith.constant 31 : i32
    %c7 = arith.constant 7 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %lane = arith.andi %thread, %c31 : i32
    %is_seventh = arith.cmpi eq, %lane, %c7 : i32
    scf.if %is_seventh {
      // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got lane 7 of every warp: ptxas wraps each instruction in a loop, 20 machine instructions instead of 13 [issuer]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // ptxas knows that one lane of a warp has a lane id: no loop (tid & 31 gets
  // one). Only the number of warps can be wrong.
  gpu.func @lane_id(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %c7 = arith.constant 7 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %is_seventh = arith.cmpi eq, %lane, %c7 : i32
    scf.if %is_seventh {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @lane_id_of_warps(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %is_first = arith.cmpi eq, %lane, %c0 : i32
    scf.if %is_first {
      // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got one thread of each of 4 warps: each of them issues the copy [issuer]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // Nobody.
  gpu.func @lane_40(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %c40 = arith.constant 40 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %is_there = arith.cmpi eq, %lane, %c40 : i32
    scf.if %is_there {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // Four warps pass, or one, but each of them as a whole.
  gpu.func @warps(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %c0 = arith.constant 0 : i32
    %c7 = arith.constant 7 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %group = arith.shrui %thread, %c7 : i32
    %is_first = arith.cmpi eq, %group, %c0 : i32
    scf.if %is_first {
      // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got every thread of some warps: ptxas wraps each instruction in a loop, 20 machine instructions instead of 13 [issuer]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // Every fourth thread: 32 * x mod 128 is 0, 32, 64, 96 in turn.
  gpu.func @fourth(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %times = arith.muli %thread, %c32 : i32
    %rest = arith.andi %times, %c96 : i32
    %is_fourth = arith.cmpi eq, %rest, %c0 : i32
    scf.if %is_fourth {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // One thread, in a block of 4 by 1 by 1.
  gpu.func @row(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %rows = arith.shrui %y, %c5 : i32
    %is_first = arith.cmpi eq, %rows, %c0 : i32
    scf.if %is_first {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // A row is a warp.
  gpu.func @row_of_32(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 32, 4, 1>} {
    %c1 = arith.constant 1 : i32
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %is_second = arith.cmpi eq, %y, %c1 : i32
    scf.if %is_second {
      // expected-warning@+1 {{'tcgen05.cp' op expected the copy to be guarded to one thread by nvvm.elect.sync in warp 0, but got every thread of some warps: ptxas wraps each instruction in a loop, 20 machine instructions instead of 13 [issuer]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
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
