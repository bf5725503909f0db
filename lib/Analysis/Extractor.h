//===- Extractor.h - From one operation to its events -----------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files that know operations have in common: Events.cpp has those of
// this dialect and of memory, NvvmEvents.cpp those of NVVM, PtxEvents.cpp the
// instructions of inline PTX.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_EXTRACTOR_H
#define TCGEN05_LIB_ANALYSIS_EXTRACTOR_H

#include "Events.h"
#include "Ptx.h"
#include "tcgen05/IR/Tcgen05.h"
#include "tcgen05/Layout/Cp/Plan.h"

namespace tcgen05 {
namespace check {

class Extractor {
public:
  Extractor(mlir::Operation *op, Values &values, Conditions &conditions)
      : op(op), values(values), conditions(conditions) {}

  std::vector<Event> run();

private:
  Event &add(EventKind kind);
  void ofCp(CpOp copy);
  void addCells(Event &event, const layout::CpAtom &atom, int64_t lane,
                int64_t column);
  /// All lanes, and `columns` columns from the address on.
  Cells cellsAt(const Address &address, int64_t columns);
  void ofView(TmemViewOp view);
  int groupOfOp();
  void ofNvvm(llvm::StringRef name);
  /// The value that `$n` has before the template runs; null if it has none.
  mlir::Value operandOf(const PtxOperand &operand);
  Address addressOf(const PtxInstruction &instruction, unsigned index);
  void ofPtx();
  void ofStore(mlir::Value memory, std::optional<int64_t> bytes,
               mlir::ValueRange indices = {});
  void ofOther();

  mlir::Operation *op;
  Values &values;
  Conditions &conditions;
  std::vector<Event> events;
  /// Of inline PTX: `$0`, `$1` and so on.
  llvm::SmallVector<mlir::Value> ptxValues;
};

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_EXTRACTOR_H
