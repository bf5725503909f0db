//===- Slice.cpp - Sub-regions --------------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceOrigin.h"
#include "tcgen05/IR/Tcgen05.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tcgen05;
using layout::Slice;
using layout::SliceOrigin;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::vector<SliceOrigin> originsOf(ArrayRef<int64_t> constants,
                                          ArrayRef<int64_t> multipliers) {
  std::vector<SliceOrigin> origins;
  for (auto [constant, multiplier] : llvm::zip(constants, multipliers))
    origins.push_back({constant, multiplier});
  return origins;
}

static const layout::Layout &layoutOf(Type region) {
  if (auto tmem = dyn_cast<TmemType>(region))
    return tmem.getLayout().toLayout();
  return cast<SmemType>(region).getLayout().toLayout();
}

/// What a slice of `region` is, or why there is none. The memory is inherited.
static FailureOr<Type>
sliceType(function_ref<InFlightDiagnostic(const Twine &)> emitError,
          Type region, const std::vector<SliceOrigin> &origins,
          ArrayRef<int64_t> sizes) {
  const layout::Result<Slice> slice =
      layout::slice(layoutOf(region), origins, sizes.vec());
  if (!slice) {
    emitError(slice.error().message);
    return failure();
  }
  MLIRContext *context = region.getContext();
  auto attribute = LayoutAttr::get(context, slice->layout);
  auto report = [&] { return emitError(""); };
  Type result;
  if (auto tmem = dyn_cast<TmemType>(region)) {
    result = TmemType::getChecked(report, context, sizes, tmem.getElementType(),
                                  attribute, tmem.getColumns());
  } else {
    auto smem = cast<SmemType>(region);
    result =
        SmemType::getChecked(report, sizes, smem.getElementType(), attribute,
                             smem.getAlign(), smem.toRegion().storageBytes());
  }
  if (!result)
    return failure();
  return result;
}

/// Two indices for one dimension, or none where the multiplier asks for one.
static LogicalResult
checkOperands(function_ref<InFlightDiagnostic(const Twine &)> emitError,
              Type region, size_t numIndices, ArrayRef<int64_t> constants,
              ArrayRef<int64_t> multipliers) {
  if (!isa<TmemType, SmemType>(region))
    return emitError("expected view to be a region");
  if (constants.size() != multipliers.size())
    return emitError("expected a multiplier for each of ")
           << constants.size() << " constants, but got " << multipliers.size();
  const size_t dynamic =
      llvm::count_if(multipliers, [](int64_t m) { return m != 0; });
  if (dynamic != numIndices)
    return emitError("expected an index for each of ")
           << dynamic << " multipliers that are not zero, but got "
           << numIndices;
  return success();
}

LogicalResult SliceOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &inferred) {
  SliceOp::Adaptor adaptor(operands, attributes, properties, regions);
  auto emitError = [&](const Twine &message) {
    return mlir::emitError(location.value_or(UnknownLoc::get(context)),
                           message);
  };
  if (operands.empty())
    return emitError("expected a view to slice");
  const Type region = operands.front().getType();
  if (failed(checkOperands(emitError, region, operands.size() - 1,
                           adaptor.getConstants(), adaptor.getMultipliers())))
    return failure();
  FailureOr<Type> type =
      sliceType(emitError, region,
                originsOf(adaptor.getConstants(), adaptor.getMultipliers()),
                adaptor.getSizes());
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

LogicalResult SliceOp::verify() {
  auto emitError = [&](const Twine &message) { return emitOpError(message); };
  if (failed(checkOperands(emitError, getView().getType(), getIndices().size(),
                           getConstants(), getMultipliers())))
    return failure();
  FailureOr<Type> type =
      sliceType(emitError, getView().getType(), getOrigins(), getSizes());
  if (failed(type))
    return failure();
  if (*type != getType())
    return emitOpError("expected result to be ")
           << *type << ", but got " << getType();
  return success();
}

std::vector<SliceOrigin> SliceOp::getOrigins() {
  return originsOf(getConstants(), getMultipliers());
}

Slice SliceOp::getSlice() {
  layout::Result<Slice> slice = layout::slice(layoutOf(getView().getType()),
                                              getOrigins(), getSizes().vec());
  assert(slice && "expected a verified tcgen05.slice");
  return slice ? *slice : Slice{};
}

Value SliceOp::getIndex(unsigned dim) {
  ArrayRef<int64_t> multipliers = getMultipliers();
  if (multipliers[dim] == 0)
    return {};
  return getIndices()[llvm::count_if(multipliers.take_front(dim),
                                     [](int64_t m) { return m != 0; })];
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// constant | %i | %i * multiplier | constant + %i (* multiplier)?
static ParseResult
parseOrigin(OpAsmParser &parser, SliceOrigin &origin,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices) {
  OpAsmParser::UnresolvedOperand index;
  OptionalParseResult first = parser.parseOptionalOperand(index);
  if (!first.has_value()) {
    if (parser.parseInteger(origin.constant))
      return failure();
    if (failed(parser.parseOptionalPlus()))
      return success();
    if (parser.parseOperand(index))
      return failure();
  } else if (failed(*first)) {
    return failure();
  }
  indices.push_back(index);
  origin.multiplier = 1;
  if (failed(parser.parseOptionalStar()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(origin.multiplier))
    return failure();
  if (origin.multiplier < 1)
    return parser.emitError(loc,
                            "expected slice multiplier to be positive, but "
                            "got ")
           << origin.multiplier;
  return success();
}

/// %view[ORIGIN, ...] [SIZE, ...] {...}? : T (-> T2)?
ParseResult SliceOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand view;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  SmallVector<int64_t> constants, multipliers, sizes;
  if (parser.parseOperand(view) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        SliceOrigin origin;
        if (parseOrigin(parser, origin, indices))
          return failure();
        constants.push_back(origin.constant);
        multipliers.push_back(origin.multiplier);
        return success();
      }))
    return failure();
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            return parser.parseInteger(sizes.emplace_back());
          }))
    return failure();
  Type region, type;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(region))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(type))
    return failure();

  Builder &builder = parser.getBuilder();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.constants = builder.getDenseI64ArrayAttr(constants);
  properties.multipliers = builder.getDenseI64ArrayAttr(multipliers);
  properties.sizes = builder.getDenseI64ArrayAttr(sizes);
  if (parser.resolveOperand(view, region, result.operands) ||
      parser.resolveOperands(indices, builder.getIndexType(), result.operands))
    return failure();
  if (!type) {
    if (!isa<TmemType, SmemType>(region))
      return parser.emitError(loc, "expected view to be a region, but got ")
             << region;
    FailureOr<Type> inferred = sliceType(
        [&](const Twine &message) { return parser.emitError(loc, message); },
        region, originsOf(constants, multipliers), sizes);
    if (failed(inferred))
      return failure();
    type = *inferred;
  }
  result.addTypes(type);
  return success();
}

void SliceOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getView() << '[';
  for (unsigned dim = 0; dim < getSizes().size(); ++dim) {
    printer << (dim > 0 ? ", " : "");
    const int64_t constant = getConstants()[dim];
    Value index = getIndex(dim);
    if (!index) {
      printer << constant;
      continue;
    }
    if (constant != 0)
      printer << constant << " + ";
    printer << index;
    if (getMultipliers()[dim] != 1)
      printer << " * " << getMultipliers()[dim];
  }
  printer << "] [";
  llvm::interleaveComma(getSizes(), printer);
  printer << ']';
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getConstantsAttrName(), getMultipliersAttrName(), getSizesAttrName()});
  printer << " : " << getView().getType() << " -> " << getType();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

OpFoldResult SliceOp::fold(FoldAdaptor) {
  // All of it: origin zero and the sizes of the view.
  return getView().getType() == getType() && getIndices().empty()
             ? OpFoldResult(getView())
             : OpFoldResult();
}

namespace {
/// A slice in parts that a pattern may change.
struct Parts {
  Value view;
  SmallVector<Value> indices; // null where the origin is known
  std::vector<SliceOrigin> origins;
  SmallVector<int64_t> sizes;
};
} // namespace

static Parts partsOf(SliceOp op) {
  Parts parts{
      op.getView(), {}, op.getOrigins(), SmallVector<int64_t>(op.getSizes())};
  for (unsigned dim = 0; dim < parts.sizes.size(); ++dim)
    parts.indices.push_back(op.getIndex(dim));
  return parts;
}

/// Puts the changed slice in the place of `op`, behind a cast if its type says
/// more or less than the old one. Fails if there is no such slice.
static LogicalResult replace(SliceOp op, const Parts &parts,
                             PatternRewriter &rewriter) {
  SmallVector<int64_t> constants, multipliers;
  SmallVector<Value> indices;
  for (auto [origin, index] : llvm::zip(parts.origins, parts.indices)) {
    constants.push_back(origin.constant);
    multipliers.push_back(origin.multiplier);
    if (index)
      indices.push_back(index);
  }
  const layout::Result<Slice> slice = layout::slice(
      layoutOf(parts.view.getType()), parts.origins,
      std::vector<int64_t>(parts.sizes.begin(), parts.sizes.end()));
  if (!slice)
    return failure();
  FailureOr<Type> type = sliceType(
      [&](const Twine &message) {
        return op.emitOpError(message); // unreachable: the slice exists
      },
      parts.view.getType(), parts.origins, parts.sizes);
  if (failed(type))
    return failure();
  if (*type != op.getType() && !CastOp::whyNot(*type, op.getType()).empty())
    return failure();
  Value result = SliceOp::create(rewriter, op.getLoc(), *type, parts.view,
                                 indices, constants, multipliers, parts.sizes);
  if (*type != op.getType())
    result = CastOp::create(rewriter, op.getLoc(), op.getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}

namespace {
struct AbsorbConstants : public OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    Parts parts = partsOf(op);
    for (unsigned dim = 0; dim < parts.sizes.size(); ++dim)
      if (parts.indices[dim] && absorb(parts.indices[dim], parts.origins[dim]))
        return replace(op, parts, rewriter);
    return failure();
  }
};

/// A slice of a slice is a slice, where each origin has one run-time part.
struct MergeSlices : public OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getView().getDefiningOp<SliceOp>();
    if (!inner)
      return failure();
    Parts parts = partsOf(op);
    const Parts first = partsOf(inner);
    parts.view = inner.getView();
    for (unsigned dim = 0; dim < parts.sizes.size(); ++dim) {
      if (parts.indices[dim] && first.indices[dim])
        return failure();
      parts.origins[dim].constant += first.origins[dim].constant;
      if (first.indices[dim]) {
        parts.indices[dim] = first.indices[dim];
        parts.origins[dim].multiplier = first.origins[dim].multiplier;
      }
    }
    return replace(op, parts, rewriter);
  }
};
} // namespace

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                          MLIRContext *context) {
  results.add<AbsorbConstants, MergeSlices>(context);
}
