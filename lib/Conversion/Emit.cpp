//===- Emit.cpp - Address arithmetic in IR --------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Conversion/Emit.h"

#include "tcgen05/Layout/SmemDescriptor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tcgen05;

Value Emit::constant(Type type, int64_t value) {
  // Cut to the width: 0xC000... is negative as a 64-bit attribute.
  const unsigned width = type.getIntOrFloatBitWidth();
  return LLVM::ConstantOp::create(
      builder, loc, type,
      builder.getIntegerAttr(
          type, llvm::APInt(64, static_cast<uint64_t>(value)).trunc(width)));
}

Value Emit::i32(int64_t value) { return constant(builder.getI32Type(), value); }
Value Emit::i64(uint64_t value) {
  return constant(builder.getI64Type(), static_cast<int64_t>(value));
}

Value Emit::toI32(Value value) {
  Type i32 = builder.getI32Type();
  Type type = value.getType();
  if (type == i32)
    return value;
  // The same IR, whether a constant was converted before or is still an index.
  llvm::APInt known;
  if (matchPattern(value, m_ConstantInt(&known)))
    return this->i32(
        static_cast<int64_t>(known.zextOrTrunc(32).getZExtValue()));
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::PtrToIntOp::create(builder, loc, i32, value);
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(builder, loc, i32, value);
  if (type.getIntOrFloatBitWidth() > 32)
    return LLVM::TruncOp::create(builder, loc, i32, value);
  return LLVM::ZExtOp::create(builder, loc, i32, value);
}

Value Emit::toPointer(Value address, unsigned addressSpace) {
  return LLVM::IntToPtrOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), addressSpace), address);
}

Value Emit::add(Value value, int64_t constant) {
  return constant == 0 ? value
                       : add(value, this->constant(value.getType(), constant));
}

Value Emit::add(Value a, Value b) {
  return LLVM::AddOp::create(builder, loc, a, b);
}

Value Emit::mul(Value value, int64_t constant) {
  if (constant == 1)
    return value;
  return mul(value, this->constant(value.getType(), constant));
}

Value Emit::mul(Value a, Value b) {
  return LLVM::MulOp::create(builder, loc, a, b);
}

Value Emit::udiv(Value value, int64_t divisor) {
  if (divisor == 1)
    return value;
  if (llvm::isPowerOf2_64(static_cast<uint64_t>(divisor)))
    return LLVM::LShrOp::create(
        builder, loc, value,
        constant(value.getType(),
                 llvm::Log2_64(static_cast<uint64_t>(divisor))));
  return LLVM::UDivOp::create(builder, loc, value,
                              constant(value.getType(), divisor));
}

Value Emit::urem(Value value, int64_t divisor) {
  if (llvm::isPowerOf2_64(static_cast<uint64_t>(divisor)))
    return LLVM::AndOp::create(builder, loc, value,
                               constant(value.getType(), divisor - 1));
  return LLVM::URemOp::create(builder, loc, value,
                              constant(value.getType(), divisor));
}

Value Emit::extend(Value value, bool isSigned) {
  Type i64 = builder.getI64Type();
  if (isSigned)
    return LLVM::SExtOp::create(builder, loc, i64, value);
  return LLVM::ZExtOp::create(builder, loc, i64, value);
}

Value Emit::descriptor(Value address, uint64_t constant) {
  const layout::Field &start = layout::smem_fields::kStart;
  Value chunk = LLVM::LShrOp::create(builder, loc, address,
                                     i32(llvm::Log2_64(layout::kChunkBytes)));
  Value field = LLVM::AndOp::create(builder, loc, chunk,
                                    i32(static_cast<int64_t>(start.mask())));
  return LLVM::OrOp::create(builder, loc, extend(field), i64(constant));
}
