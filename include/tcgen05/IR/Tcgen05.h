//===- Tcgen05.h - Operations, types and attributes -------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region type is a layout and what is known of the memory under it; an
// operation makes a region, recasts it, or copies from one to another. The IR
// floor does no arithmetic: types turn into plain values of the ground floor at
// one border (`toRegion`, `toLayout`), the ground floor decides, and verifiers
// report its sentence.
//
//   CpOp::getPlan()  ->  planCp(opcode, dst.toRegion(), src.toRegion(), scope)
//
// Its answer is kept by the dialect for each combination of qualifiers and
// types. These are unique in a context, so the key is a handful of pointers,
// and verifying a copy of a kind that was seen before costs a look-up.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_TCGEN05_H
#define TCGEN05_IR_TCGEN05_H

#include "tcgen05/IR/Dialect.h"
#include "tcgen05/Layout/Layout.h"
#include "tcgen05/Layout/Region.h"
#include "tcgen05/Layout/Slice.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"

#include <optional>

namespace tcgen05 {

namespace layout {
/// How the uniquer of attributes hashes a layout.
inline llvm::hash_code hash_value(const Layout &layout) {
  return llvm::hash_code(layout.hash());
}
} // namespace layout

/// The address spaces of shared and of tensor memory, as LLVM numbers them.
inline constexpr unsigned kSharedAddressSpace = 3;
inline constexpr unsigned kTensorAddressSpace = 6;

/// True for the memory space of a memref in shared memory: `workgroup` of the
/// GPU dialect, or the number. False for none.
bool isWorkgroup(mlir::Attribute memorySpace);

/// Where coordinate zero of a region lies from the address of its view, but for
/// the values of its run-time terms: the displacement of its first replica in
/// tensor memory (Layout/TmemAddress.h), or bytes of shared memory.
int64_t regionOrigin(mlir::Type region);

/// What a copy writes. No other operation reads or writes this resource, so
/// copies are neither merged nor removed.
struct TensorMemory : public mlir::SideEffects::Resource::Base<TensorMemory> {
  llvm::StringRef getName() final { return "TensorMemory"; }
};

/// Reports what the ground floor found, notes included, as an error of `op`.
mlir::LogicalResult report(mlir::Operation *op, const layout::Error &error);
/// The same where there is no operation yet, to a diagnostic of the caller.
mlir::InFlightDiagnostic report(mlir::InFlightDiagnostic diagnostic,
                                const layout::Error &error);

} // namespace tcgen05

#define GET_ATTRDEF_CLASSES
#include "tcgen05/IR/Attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tcgen05/IR/Types.h.inc"

#define GET_OP_CLASSES
#include "tcgen05/IR/Ops.h.inc"

#endif // TCGEN05_IR_TCGEN05_H
