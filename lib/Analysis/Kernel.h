//===- Kernel.h - A function and what is known about it ---------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel, or one function that nobody in sight calls, with the functions
// that it calls inlined (Inline.h): its events in the order of the text, who
// executes them, and which events a branch can skip.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_KERNEL_H
#define TCGEN05_LIB_ANALYSIS_KERNEL_H

#include "Events.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <memory>

namespace tcgen05 {
namespace check {

class Kernel {
public:
  /// `function` may be a copy of `original`, which has the attributes.
  Kernel(mlir::FunctionOpInterface function,
         mlir::FunctionOpInterface original);

  mlir::FunctionOpInterface function, original;
  /// Marked as an entry point. Of other functions, the caller is unknown.
  bool isKernel = false;
  Launch launch;
  Values values;
  mlir::DominanceInfo dominance;
  mlir::PostDominanceInfo postDominance;
  Conditions conditions;
  std::vector<Event> events;

  /// Indices into `events`.
  llvm::ArrayRef<uint32_t> eventsAt(mlir::Operation *op) const;
  /// The kinds of events inside of a region.
  EventMask inside(mlir::Region *region) const;
  /// The kinds of events, and the blocks, between one successor of a branch and
  /// where the branch's paths meet again.
  struct Between {
    EventMask mask = 0;
    llvm::DenseSet<mlir::Block *> blocks;
  };
  const Between &between(mlir::Block *branch, mlir::Block *successor);

  /// How many threads pass a guard, as far as that can be told.
  struct Issuers {
    bool elect = false, oneWarp = false, wholeWarps = false, unknown = false;
    /// The thread's id, or the lane.
    std::optional<int64_t> thread, lane;
    /// It is one thread, or it may be.
    bool mayBeOne(const Launch &launch) const;
  };
  Issuers issuersOf(const Event &event) const;

private:
  void findLaunch();

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<uint32_t, 1>> byOp;
  llvm::DenseMap<mlir::Region *, EventMask> regionMasks;
  llvm::DenseMap<mlir::Block *, EventMask> blockMasks;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Block *>,
                 std::unique_ptr<Between>>
      betweens;
};

/// True for gpu.func with `kernel`, and functions with gpu.kernel or
/// nvvm.kernel.
bool isKernelFunction(mlir::Operation *op);

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_KERNEL_H
