//===- Inline.h - A function with what it calls, for reading ----*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a called function finds pending, and what it leaves, depends on who
// calls it: joined over all callers, a helper that is called twice would carry
// one caller's state into the other. So the analyses read a private copy in
// which every call of a function in sight is replaced by its body. Recursive
// calls stay, and so do those beyond a budget; they may do anything.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_INLINE_H
#define TCGEN05_LIB_ANALYSIS_INLINE_H

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace tcgen05 {
namespace check {

struct InlinedFunction {
  mlir::OwningOpRef<mlir::Operation *> copy;
  /// Of each operation of the copy, the one it was copied from.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> origins;
};

/// With `within`, the operation that callees must lie in; without, no call is
/// looked into.
InlinedFunction inlineCalls(mlir::FunctionOpInterface function,
                            mlir::Operation *within);

/// A terminator that leaves its function.
bool isReturn(mlir::Operation *op);

/// The function of `call`, if it has a body and lies in `within`.
mlir::FunctionOpInterface calleeOf(mlir::Operation *call,
                                   mlir::Operation *within);

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_INLINE_H
