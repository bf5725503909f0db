//===- Emit.h - Address arithmetic in IR ------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place where this project builds arithmetic. It is made of operations
// of the LLVM dialect, but for the cast of an index: legal in every conversion,
// free of side effects, and so left to CSE and loop-invariant code motion.
//
//   base = zext((address >> 4) & 0x3FFF) | constant
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_CONVERSION_EMIT_H
#define TCGEN05_CONVERSION_EMIT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <cstdint>

namespace tcgen05 {

class Emit {
public:
  Emit(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value i32(int64_t value);
  mlir::Value i64(uint64_t value);

  /// An integer, index or shared-memory pointer as i32: cut where it is longer,
  /// extended by zeros where it is shorter.
  mlir::Value toI32(mlir::Value value);
  /// The i32 as a pointer into `addressSpace`.
  mlir::Value toPointer(mlir::Value address, unsigned addressSpace);

  /// value + constant; the value itself for zero. i32 or i64.
  mlir::Value add(mlir::Value value, int64_t constant);
  mlir::Value add(mlir::Value a, mlir::Value b);
  /// value * constant; the value itself for one.
  mlir::Value mul(mlir::Value value, int64_t constant);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Unsigned i32: value / divisor and value % divisor, as shift and mask where
  /// the divisor is a power of two.
  mlir::Value udiv(mlir::Value value, int64_t divisor);
  mlir::Value urem(mlir::Value value, int64_t divisor);
  /// i32 to i64.
  mlir::Value extend(mlir::Value value, bool isSigned = false);

  /// The descriptor whose other fields are `constant`, for the shared address
  /// (i32, bytes).
  mlir::Value descriptor(mlir::Value address, uint64_t constant);

private:
  mlir::Value constant(mlir::Type type, int64_t value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tcgen05

#endif // TCGEN05_CONVERSION_EMIT_H
