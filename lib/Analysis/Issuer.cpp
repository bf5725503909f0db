//===- Issuer.cpp - Who issues a copy -------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "tcgen05/Layout/TmemAddress.h"

using namespace mlir;
using namespace tcgen05::check;
using tcgen05::layout::kWarpSize;

/// Instructions for n copies, measured with ptxas 13.5 for sm_100a: with one
/// thread that it can tell, in a loop, in a loop with a predicate each.
static int64_t plainCost(int64_t n) { return 2 * n + 11; }
static int64_t loopCost(int64_t n) { return 7 * n + 13; }
static int64_t predicatedLoopCost(int64_t n) { return 9 * n + 11; }

/// What is wrong with the guard; empty if nothing is, or nothing is certain.
static std::string fault(const Kernel &kernel, const Kernel::Issuers &issuers) {
  if (issuers.unknown)
    return {};
  const int64_t threads = kernel.launch.threads();
  if (issuers.elect) {
    const bool severalWarps = kernel.launch.required && threads > kWarpSize;
    if (issuers.wholeWarps || issuers.thread || !severalWarps)
      return {};
    return "one thread of each of " +
           std::to_string((threads + kWarpSize - 1) / kWarpSize) + " warps";
  }
  if (issuers.thread)
    return kernel.launch.isOneDimensional()
               ? ""
               : "thread id == " + std::to_string(*issuers.thread) +
                     " without a known 1-D block size";
  const char *warps = issuers.oneWarp      ? "a warp"
                      : issuers.wholeWarps ? "some warps"
                                           : "every warp";
  if (issuers.lane)
    return "lane " + std::to_string(*issuers.lane) + " of " + warps;
  if (kernel.launch.required && threads == 1)
    return {};
  return issuers.wholeWarps ? std::string("every thread of ") + warps
                            : "every thread";
}

void tcgen05::check::findIssuers(const Kernel &kernel, Findings &findings) {
  // Of other functions, the guard may be around the call.
  if (!kernel.isKernel)
    return;
  for (const Event &event : kernel.events) {
    if (event.kind != EventKind::Copy || event.isCollective)
      continue;
    const Kernel::Issuers issuers = kernel.issuersOf(event);
    if (std::string got = fault(kernel, issuers); !got.empty()) {
      const int64_t n = event.issues;
      // A warp's elected threads need no loop: they only copy too often.
      std::string cost =
          issuers.elect
              ? "each of them issues the copy"
              : "ptxas wraps each instruction in a loop, " +
                    std::to_string(event.hasPredicate ? predicatedLoopCost(n)
                                                      : loopCost(n)) +
                    " machine instructions instead of " +
                    std::to_string(plainCost(n));
      findings.push_back({"issuer",
                          /*isError=*/false,
                          event.op,
                          "expected the copy to be guarded to one thread by "
                          "nvvm.elect.sync in warp 0, but got " +
                              got + ": " + cost,
                          {}});
    }
    if (issuers.unknown || issuers.elect || issuers.lane || issuers.thread)
      continue;
    for (auto [address, name] :
         {std::pair(&event.tmem, "dst"), {&event.smem, "src"}})
      if (address->perLane)
        findings.push_back({"uniform-address",
                            /*isError=*/false,
                            event.op,
                            std::string("expected ") + name +
                                " to be the same in all threads that issue the "
                                "copy, but got one that depends on the thread: "
                                "ptxas reads one lane's value for all",
                            {}});
  }
}
