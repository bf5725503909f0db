// RUN: tcgen05-opt %s -tcgen05-check-protocol -verify-diagnostics

// cta_group::2 is a pair of CTAs of one cluster.

#tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#smem = #tcgen05.layout<[128, 4] : [4, 1]>
!tmem = !tcgen05.tmem<128x4xi32, #tmem, columns 32>
!smem = !tcgen05.smem<128x4xi32, #smem>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // expected-note@+1 {{known_cluster_size of a gpu.func, or nvvm.cluster_dim, states it here}}
  gpu.func @straight(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-warning@+1 {{'tcgen05.cp' op expected the kernel to have a cluster of at least 2 CTAs for cta_group 2, but got none [cluster]}}
      tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @straight_right(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
    }
    gpu.return
  }

  // expected-note@+1 {{known_cluster_size of a gpu.func, or nvvm.cluster_dim, states it here}}
  gpu.func @one(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {known_cluster_size = array<i32: 1, 1, 1>} {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-warning@+1 {{'tcgen05.cp' op expected the kernel to have a cluster of at least 2 CTAs for cta_group 2, but got a cluster of 1 CTA [cluster]}}
      tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @dimension(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>) kernel attributes {nvvm.cluster_dim = array<i32: 1, 4, 1>} {
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
      nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
    }
    gpu.return
  }

  // Clusters that the launch in sight makes.
  gpu.func @launched(%t: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) kernel {
    %tmem = tcgen05.tmem_view %t : !tmem
    %smem = tcgen05.smem_view %data : !llvm.ptr<3> -> !smem
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      tcgen05.cp "cta_group::2.128x128b" %tmem, %smem : !tmem, !smem
      nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
    }
    gpu.return
  }

  // expected-note@+1 {{known_cluster_size of a gpu.func, or nvvm.cluster_dim, states it here}}
  gpu.func @loop(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %n: index, %phase: i32, %ticks: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      scf.for %i = %c0 to %n step %c1 {
        // expected-warning@+1 {{'tcgen05.cp' op expected the kernel to have a cluster of at least 2 CTAs for cta_group 2, but got none [cluster]}}
        tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
        nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
      }
    }
    gpu.return
  }

  gpu.func @loop_right(%t: !tmem, %s: !smem, %bar: !llvm.ptr<3>, %n: index, %phase: i32, %ticks: i32) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      scf.for %i = %c0 to %n step %c1 {
        tcgen05.cp "cta_group::2.128x128b" %t, %s : !tmem, !smem
        nvvm.tcgen05.commit %bar {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
      }
    }
    gpu.return
  }

  func.func private @shift(%d: !llvm.ptr<6>) {
    // expected-warning@+1 {{'nvvm.tcgen05.shift' op expected the kernel to have a cluster of at least 2 CTAs for cta_group 2, but got none [cluster]}}
    nvvm.tcgen05.shift %d {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
    return
  }

  // expected-note@+1 {{known_cluster_size of a gpu.func, or nvvm.cluster_dim, states it here}}
  gpu.func @call(%d: !llvm.ptr<6>, %c: i1) kernel {
    scf.if %c {
      func.call @shift(%d) : (!llvm.ptr<6>) -> ()
    }
    gpu.return
  }

  gpu.func @many(%d: !llvm.ptr<6>) kernel attributes {known_cluster_size = array<i32: 2147483647, 2147483647, 2147483647>} {
    nvvm.tcgen05.shift %d {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
    gpu.return
  }

  gpu.func @call_right(%d: !llvm.ptr<6>, %c: i1) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
    scf.if %c {
      func.call @shift(%d) : (!llvm.ptr<6>) -> ()
    }
    gpu.return
  }
}

func.func @host(%t: i32, %data: !llvm.ptr<3>, %bar: !llvm.ptr<3>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch_func @kernels::@launched clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : i32, %data : !llvm.ptr<3>, %bar : !llvm.ptr<3>)
  return
}
}
