//===- Passes.td - Passes that look and change nothing -----*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_ANALYSIS_PASSES_TD
#define TCGEN05_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Tcgen05CheckProtocol : Pass<"tcgen05-check-protocol"> {
  let summary = "say what the kernel around a tcgen05.cp is missing";
  let description = [{
    Reads kernels and changes nothing. Run it on a module, a `gpu.module` or a
    function (`gpu.func`, `func.func`, `llvm.func`), before the lowering or after
    it: it knows `tcgen05.cp`, `nvvm.tcgen05.cp` and inline PTX.

    | name             | finding                                                                              | severity |
    |------------------|--------------------------------------------------------------------------------------|----------|
    | mixed-cta-group  | two tcgen05 operations of one kernel with different `cta_group`                      | error    |
    | allocation       | a view wider than its allocation; dealloc unlike alloc; copy after dealloc; alloc after relinquish | error |
    | allocation       | alloc without dealloc on some path                                                   | warning  |
    | proxy-fence      | a store reaches the copy with no `fence.proxy.async`, by the writer and before the barrier, between | warning |
    | barrier          | other threads' stores reach the copy with no CTA barrier after their fence           | warning  |
    | uncommitted      | a copy reaches the end, or a store to its source, with no commit of its group        | warning  |
    | unawaited-read   | `tcgen05.ld` or dealloc of copied TMEM without commit, mbarrier wait and fence::after_thread_sync, in that order | warning |
    | unordered-copies | a copy overlaps an earlier copy, or what an mma still reads, with no wait between    | warning  |
    | source-reuse     | a store to the source before the copy's completion is awaited                        | warning  |
    | issuer           | the copy is not guarded to one thread, or so that ptxas puts a loop around it        | warning  |
    | uniform-address  | a TMEM address or source that differs between the threads that issue                 | warning  |
    | cluster          | `cta_group::2` in a kernel without a cluster, or with a cluster of one CTA           | warning  |

    Functions of the module that a kernel calls are read as part of it. What
    depends on the caller (who issues, whether somebody commits or frees later,
    clusters) is asked of kernels only: `gpu.func ... kernel`, functions with
    `gpu.kernel` or `nvvm.kernel`.

    Only what is certain is reported. Unknown calls and operations may do
    everything that is missing. Two branches on one condition are taken together;
    a condition of which nothing is known leaves what passes it in doubt. Memory
    that cannot be told apart is the same only where both sides name one buffer.
  }];
  let constructor = "::tcgen05::createTcgen05CheckProtocol()";
  // Calls are read as scf.execute_region, in a copy.
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let options = [
    Option<"werror", "werror", "bool", "false", "Report warnings as errors">,
    ListOption<"disable", "disable", "std::string",
               "Names of findings that are not looked for">
  ];
}

#endif // TCGEN05_ANALYSIS_PASSES_TD
