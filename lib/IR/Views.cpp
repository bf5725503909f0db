//===- Views.cpp - Regions made, recast and read off ----------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/IR/Tcgen05.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tcgen05;

int64_t tcgen05::regionOrigin(Type region) {
  if (auto tmem = dyn_cast<TmemType>(region)) {
    const layout::TmemDisplacement origin =
        layout::tmemOrigin(tmem.getLayout().toLayout());
    return layout::TmemAddress::displacement(origin.lane, origin.col);
  }
  auto smem = cast<SmemType>(region);
  return smem.getLayout().toLayout().offset(layout::Axis::Memory).constant *
         (smem.getElementType().getIntOrFloatBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// tmem_view
//===----------------------------------------------------------------------===//

LogicalResult TmemViewOp::verify() {
  if (std::optional<layout::Error> error = getType().toRegion().checkView())
    return report(*this, *error);
  return success();
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

namespace {
/// What the two region types have in common.
struct Tensor {
  ArrayRef<int64_t> shape;
  Type elementType;
  const layout::Layout &layout;
};
} // namespace

template <typename RegionType> static Tensor tensorOf(RegionType type) {
  return {type.getShape(), type.getElementType(), type.getLayout().toLayout()};
}

static Tensor tensorOf(Type type) {
  if (auto tmem = dyn_cast<TmemType>(type))
    return tensorOf(tmem);
  return tensorOf(cast<SmemType>(type));
}

static std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << '\'' << type << '\'';
  return text;
}

static std::string toString(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }), "x");
}

static std::string atMost(StringRef what, int64_t limit, int64_t got) {
  return ("expected result " + what + " of at most " + Twine(limit) +
          " bytes, but got " + Twine(got))
      .str();
}

std::string CastOp::whyNot(Type from, Type to) {
  if (isa<TmemType>(from) != isa<TmemType>(to))
    return "expected result to be a region of " +
           std::string(isa<TmemType>(from) ? "tensor" : "shared") +
           " memory, but got " + quoted(to);
  const Tensor before = tensorOf(from), after = tensorOf(to);
  if (before.shape != after.shape)
    return "expected result shape to be " + toString(before.shape) +
           ", but got " + toString(after.shape);
  if (before.elementType != after.elementType)
    return "expected result elements to be " + quoted(before.elementType) +
           ", but got " + quoted(after.elementType);
  if (!before.layout.equivalentUpToOffset(after.layout))
    return "expected result layout to be that of view up to the offset, but "
           "got " +
           after.layout.str();
  if (!before.layout.containsPlacements(after.layout) &&
      !after.layout.containsPlacements(before.layout))
    return "expected result offsets to include those of view, or to be among "
           "them, but got " +
           after.layout.str();
  if (auto tmem = dyn_cast<TmemType>(from)) {
    const int64_t got = cast<TmemType>(to).getColumns();
    if (tmem.getColumns() != got)
      return "expected result columns to be " +
             std::to_string(tmem.getColumns()) + ", but got " +
             std::to_string(got);
    return {};
  }
  auto smem = cast<SmemType>(from), result = cast<SmemType>(to);
  if (result.getAlign() > smem.getAlign())
    return atMost("align", smem.getAlign(), result.getAlign());
  const int64_t limit = smem.toRegion().storageBytes();
  const int64_t got = result.toRegion().storageBytes();
  if (got > limit)
    return atMost("storage", limit, got);
  return {};
}

LogicalResult CastOp::verify() {
  const std::string error = whyNot(getView().getType(), getResult().getType());
  return error.empty() ? success() : emitOpError(error);
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getView().getType() == getType())
    return getView();
  auto inner = getView().getDefiningOp<CastOp>();
  if (!inner)
    return {};
  if (inner.getView().getType() == getType())
    return inner.getView();
  // From one static offset over a term to another static offset is no cast.
  if (!whyNot(inner.getView().getType(), getType()).empty())
    return {};
  getViewMutable().assign(inner.getView());
  return getResult();
}

//===----------------------------------------------------------------------===//
// address
//===----------------------------------------------------------------------===//

static Type addressType(Type region) {
  MLIRContext *context = region.getContext();
  if (isa<TmemType>(region))
    return IntegerType::get(context, 32);
  return LLVM::LLVMPointerType::get(context, kSharedAddressSpace);
}

LogicalResult AddressOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &inferred) {
  if (operands.size() != 1 ||
      !isa<TmemType, SmemType>(operands.front().getType()))
    return emitOptionalError(location, "expected view to be a region");
  inferred.push_back(addressType(operands.front().getType()));
  return success();
}

LogicalResult AddressOp::verify() {
  const Type expected = addressType(getView().getType());
  if (getType() == expected)
    return success();
  return emitOpError("expected result to be ")
         << expected << ", but got " << getType();
}
