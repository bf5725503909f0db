// RUN: tcgen05-opt %s -tcgen05-check-protocol=disable=issuer -verify-diagnostics

// ptxas takes address and descriptor of one lane for all that issue.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

// Who issues is another rule's matter.
gpu.module @kernels {
  gpu.func @dst(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %mine = arith.addi %address, %thread : i32
    %t = tcgen05.tmem_view %mine : !tmem
    // expected-warning@+1 {{'tcgen05.cp' op expected dst to be the same in all threads that issue the copy, but got one that depends on the thread: ptxas reads one lane's value for all [uniform-address]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  gpu.func @dst_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %t = tcgen05.tmem_view %address : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  gpu.func @loop(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %n: index, %phase: i32, %ticks: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tcgen05.tmem_view %address : !tmem
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %c2048 = arith.constant 2048 : i32
    %offset = arith.muli %lane, %c2048 : i32
    scf.for %i = %c0 to %n step %c1 {
      %mine = llvm.getelementptr %data[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %s = tcgen05.smem_view %mine : !llvm.ptr<3> -> !smem
      // expected-warning@+1 {{'tcgen05.cp' op expected src to be the same in all threads that issue the copy, but got one that depends on the thread: ptxas reads one lane's value for all [uniform-address]}}
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
      nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  // One warp's threads agree on the number of their warp.
  gpu.func @loop_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %n: index, %phase: i32, %ticks: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : i32
    %t = tcgen05.tmem_view %address : !tmem
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.shrui %thread, %c5 : i32
    %c2048 = arith.constant 2048 : i32
    %offset = arith.muli %warp, %c2048 : i32
    scf.for %i = %c0 to %n step %c1 {
      %mine = llvm.getelementptr %data[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %s = tcgen05.smem_view %mine : !llvm.ptr<3> -> !smem
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
      nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @slice(%address: i32, %ring: memref<4x512xi32, 3>, %bar: !llvm.ptr<3>) kernel {
    %c4 = arith.constant 4 : index
    %thread = gpu.thread_id x
    %stage = arith.remui %thread, %c4 : index
    %t = tcgen05.tmem_view %address : !tmem
    %all = tcgen05.smem_view %ring : memref<4x512xi32, 3> -> !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>>
    %s = tcgen05.slice %all[%stage, 0, 0] [1, 128, 4] : !tcgen05.smem<4x128x4xi32, #tcgen05.layout<[4, 128, 4] : [512, 4, 1]>> -> !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?4*512]>, storage 8192>
    // expected-warning@+1 {{'tcgen05.cp' op expected src to be the same in all threads that issue the copy, but got one that depends on the thread: ptxas reads one lane's value for all [uniform-address]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !tcgen05.smem<1x128x4xi32, #tcgen05.layout<[1, 128, 4] : [512, 4, 1], offset [?4*512]>, storage 8192>
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  // One thread issues, so there is one value.
  gpu.func @one_thread(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %mine = arith.addi %address, %thread : i32
    %t = tcgen05.tmem_view %mine : !tmem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // Two rows are a warp.
  gpu.func @row_of_16(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 16, 8, 1>} {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %sum = arith.addi %address, %y : i32
    %t = tcgen05.tmem_view %sum : !tmem
    // expected-warning@+1 {{'tcgen05.cp' op expected dst to be the same in all threads that issue the copy, but got one that depends on the thread: ptxas reads one lane's value for all [uniform-address]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  // A row is a warp.
  gpu.func @row_of_32_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 32, 8, 1>} {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %sum = arith.addi %address, %y : i32
    %t = tcgen05.tmem_view %sum : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  gpu.func @plane_of_32_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 16, 2, 8>} {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %z = nvvm.read.ptx.sreg.tid.z : i32
    %sum = arith.addi %address, %z : i32
    %t = tcgen05.tmem_view %sum : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  // One row, perhaps.
  gpu.func @row_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %sum = arith.addi %address, %y : i32
    %t = tcgen05.tmem_view %sum : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  // Sixteen warps have one value, as 32 rows are 16 warps.
  gpu.func @rows_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 16, 64, 1>} {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %c5 = arith.constant 5 : i32
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %rows = arith.shrui %y, %c5 : i32
    %sum = arith.addi %address, %rows : i32
    %t = tcgen05.tmem_view %sum : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  // The first thread of a warp: x - x mod 32, and x without its last five bits.
  gpu.func @first_of_warp_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %c32 = arith.constant 32 : i32
    %x = nvvm.read.ptx.sreg.tid.x : i32
    %lane = arith.remui %x, %c32 : i32
    %first = arith.subi %x, %lane : i32
    %sum = arith.addi %address, %first : i32
    %t = tcgen05.tmem_view %sum : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  gpu.func @mask_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %mask = arith.constant -32 : i32
    %x = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.andi %x, %mask : i32
    %sum = arith.addi %address, %first : i32
    %t = tcgen05.tmem_view %sum : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  // A sum over the warp.
  gpu.func @sum_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %all = arith.constant -1 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %total = nvvm.redux.sync add %lane, %all : i32 -> i32
    %sum = arith.addi %address, %total : i32
    %t = tcgen05.tmem_view %sum : !tmem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    gpu.return
  }

  func.func private @copy(%address: i32, %data: !llvm.ptr<3>) {
    %s = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %t = tcgen05.tmem_view %address : !tmem
    // expected-warning@+1 {{'tcgen05.cp' op expected dst to be the same in all threads that issue the copy, but got one that depends on the thread: ptxas reads one lane's value for all [uniform-address]}}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    return
  }

  gpu.func @call(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %c: i1) kernel {
    %c3 = arith.constant 3 : i32
    %c2 = arith.constant 2 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %some = arith.andi %lane, %c3 : i32
    %columns = arith.shli %some, %c2 : i32
    %mine = arith.addi %address, %columns : i32
    scf.if %c {
      func.call @copy(%mine, %data) : (i32, !llvm.ptr<3>) -> ()
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @call_right(%address: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %c: i1) kernel {
    scf.if %c {
      func.call @copy(%address, %data) : (i32, !llvm.ptr<3>) -> ()
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    gpu.return
  }
}
