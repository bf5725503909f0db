//===- Views.cpp - Lowering of regions ------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Conversion/Emit.h"
#include "tcgen05/Conversion/Tcgen05ToNVVM.h"
#include "tcgen05/IR/Tcgen05.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace tcgen05;
using layout::Axis;

namespace {
/// `index * step`: bytes of shared memory, or a displacement in tensor memory.
struct SliceTerm {
  Value index;
  int64_t step;
};
} // namespace

/// What a slice adds to its view's address when the program runs.
static SmallVector<SliceTerm> sliceTerms(SliceOp op, ValueRange indices) {
  SmallVector<Value> byDim;
  for (int64_t multiplier : op.getMultipliers()) {
    byDim.push_back(multiplier == 0 ? Value() : indices.front());
    if (multiplier != 0)
      indices = indices.drop_front();
  }
  SmallVector<SliceTerm> terms;
  for (const layout::SliceStep &step : op.getSlice().steps) {
    int64_t by = step.stride.value;
    if (auto smem = dyn_cast<SmemType>(op.getView().getType()))
      by *= smem.getElementType().getIntOrFloatBitWidth() / 8;
    else
      by = layout::TmemAddress::displacement(
          step.stride.axis == Axis::Lane ? by : 0,
          step.stride.axis == Axis::Col ? by : 0);
    terms.push_back({byDim[step.dim], by});
  }
  return terms;
}

namespace {
struct TmemViewOpLowering : public OpConversionPattern<TmemViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TmemViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getAddress());
    return success();
  }
};

struct SmemViewOpLowering : public OpConversionPattern<SmemViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SmemViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emit emit(rewriter, op.getLoc());
    auto memref = dyn_cast<MemRefType>(op.getSrc().getType());
    if (!memref) {
      rewriter.replaceOp(op, emit.toI32(adaptor.getSrc()));
      return success();
    }
    int64_t offset;
    SmallVector<int64_t> strides;
    if (failed(memref.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamic(offset))
      return rewriter.notifyMatchFailure(op, "expected a static memref");
    Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(
        rewriter, op.getLoc(), op.getSrc());
    Type element = memref.getElementType();
    // The data layout knows the sizes of all elements but this one.
    if (auto vector = dyn_cast<VectorType>(element);
        vector && vector.getRank() == 0)
      element = vector.getElementType();
    const llvm::TypeSize bytes = DataLayout::closest(op).getTypeSize(element);
    rewriter.replaceOp(
        op, emit.add(emit.toI32(pointer), offset * bytes.getFixedValue()));
    return success();
  }
};

struct CastOpLowering : public OpConversionPattern<CastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The same place, with another part of it in the type.
    const int64_t difference = regionOrigin(op.getView().getType()) -
                               regionOrigin(op.getResult().getType());
    rewriter.replaceOp(
        op, Emit(rewriter, op.getLoc()).add(adaptor.getView(), difference));
    return success();
  }
};

struct SliceOpLowering : public OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The constant part of the origin is in the result's type.
    Emit emit(rewriter, op.getLoc());
    Value address = adaptor.getView();
    for (const SliceTerm &term : sliceTerms(op, adaptor.getIndices()))
      address = emit.add(address, emit.mul(emit.toI32(term.index), term.step));
    rewriter.replaceOp(op, address);
    return success();
  }
};

struct AddressOpLowering : public OpConversionPattern<AddressOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AddressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emit emit(rewriter, op.getLoc());
    Value address =
        emit.add(adaptor.getView(), regionOrigin(op.getView().getType()));
    if (isa<SmemType>(op.getView().getType()))
      address = emit.toPointer(address, kSharedAddressSpace);
    rewriter.replaceOp(op, address);
    return success();
  }
};
} // namespace

void tcgen05::populateViewPatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<TmemViewOpLowering, SmemViewOpLowering, SliceOpLowering,
               CastOpLowering, AddressOpLowering>(converter,
                                                  patterns.getContext());
}
