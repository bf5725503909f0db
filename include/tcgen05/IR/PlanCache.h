//===- PlanCache.h - Plans that are computed once ---------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier runs between all passes, on many threads, over modules that hold
// the same few kinds of copies thousands of times. What a plan depends on
// (attributes and types) is unique in a context and lives as long as it does,
// so plans are kept under those pointers and never expire.
//
//   PlanCache<std::tuple<const void *, const void *>, Result<CpPlan>> cache;
//   const Result<CpPlan> &plan = cache.get(key, [&] { return planCp(...); });
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_PLANCACHE_H
#define TCGEN05_IR_PLANCACHE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/RWMutex.h"

#include <memory>
#include <mutex>
#include <shared_mutex>

namespace tcgen05 {

template <typename Key, typename Plan> class PlanCache {
public:
  /// The plan under `key`, made by `make` if there is none. The reference stays
  /// valid as long as the cache. Threads that ask for one new key at a time may
  /// each make it; the first to finish is kept.
  const Plan &get(const Key &key, llvm::function_ref<Plan()> make) {
    {
      std::shared_lock<llvm::sys::RWMutex> lock(mutex);
      if (auto found = plans.find(key); found != plans.end())
        return *found->second;
    }
    // Planning takes microseconds: no reader waits for it.
    auto plan = std::make_unique<Plan>(make());
    std::unique_lock<llvm::sys::RWMutex> lock(mutex);
    return *plans.try_emplace(key, std::move(plan)).first->second;
  }

private:
  llvm::sys::RWMutex mutex;
  llvm::DenseMap<Key, std::unique_ptr<Plan>> plans;
};

} // namespace tcgen05

#endif // TCGEN05_IR_PLANCACHE_H
