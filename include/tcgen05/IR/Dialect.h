//===- Dialect.h - The tcgen05 dialect --------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect class alone, for whoever only registers it. Operations, types and
// attributes are in Tcgen05.h.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_DIALECT_H
#define TCGEN05_IR_DIALECT_H

#include "tcgen05/IR/PlanCache.h"
#include "tcgen05/Layout/Cp/Plan.h"

#include "mlir/IR/Dialect.h"

#include <tuple>

namespace tcgen05 {
class CpOp;

/// What the plan of a copy depends on: the attributes cta_group, shape,
/// multicast, decompress and scope, and the types of dst and src.
using CpPlanKey =
    std::tuple<const void *, const void *, const void *, const void *,
               const void *, const void *, const void *>;
using CpPlanCache = PlanCache<CpPlanKey, layout::Result<layout::CpPlan>>;
} // namespace tcgen05

#include "tcgen05/IR/Dialect.h.inc"

#endif // TCGEN05_IR_DIALECT_H
