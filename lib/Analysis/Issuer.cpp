//===- Issuer.cpp - Who issues a copy -------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"

using namespace mlir;
using namespace tcgen05::check;

/// Instructions for n copies, measured with ptxas 13.5 for sm_100a: with one
/// thread that it can tell, in a loop, in a loop with a predicate each.
static int64_t plainCost(int64_t n) { return 2 * n + 11; }
static int64_t loopCost(int64_t n) { return 7 * n + 13; }
static int64_t predicatedLoopCost(int64_t n) { return 9 * n + 11; }

/// What is wrong with the guard; empty if nothing is, or nothing is certain.
static std::string fault(const Kernel &kernel, const Kernel::Issuers &issuers) {
  if (issuers.unknown)
    return {};
  const int64_t threads =
      kernel.launch.block[0] * kernel.launch.block[1] * kernel.launch.block[2];
  if (issuers.elect) {
    const bool severalWarps = kernel.launch.required && threads > 32;
    if (issuers.oneWarp || issuers.threadZero || !severalWarps)
      return {};
    return "one thread of each of " + std::to_string((threads + 31) / 32) +
           " warps";
  }
  if (issuers.threadZero)
    return kernel.launch.isOneDimensional()
               ? ""
               : "thread id == 0 without a known 1-D block size";
  if (issuers.laneZero)
    return issuers.oneWarp ? "lane 0 of a warp" : "lane 0 of every warp";
  if (kernel.launch.required && threads == 1)
    return {};
  return issuers.oneWarp ? "every thread of a warp" : "every thread";
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
    if (issuers.unknown || issuers.elect || issuers.laneZero ||
        issuers.threadZero)
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
