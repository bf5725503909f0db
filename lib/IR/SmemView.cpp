//===- SmemView.cpp - Regions over pointers and memrefs -------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref promises its extent, the buffer under it an alignment. Both are
// checked here, since the type of the view says both and everything after it
// relies on that.
//
//===----------------------------------------------------------------------===//

#include "tcgen05/IR/Tcgen05.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace tcgen05;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// How an element lies in memory, in bytes.
struct Storage {
  int64_t size;
  int64_t align;
};
} // namespace

/// The sum or product, or the largest number there is.
static int64_t addSaturated(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max()
                                      : sum;
}
static int64_t multiplySaturated(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max()
                                          : product;
}

/// Nothing if the element has no fixed number of whole bytes that is a power of
/// two, vectors aside.
static std::optional<Storage> storageOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::optional<Storage> element = storageOf(vector.getElementType());
    if (!element || vector.isScalable())
      return std::nullopt;
    // LLVM's vectors have one dimension and are padded to a power of two; the
    // others are arrays of them.
    const int64_t inner = vector.getRank() ? vector.getShape().back() : 1;
    const int64_t bytes = multiplySaturated(inner, element->size);
    if (bytes > std::numeric_limits<int32_t>::max())
      return std::nullopt;
    Storage storage{0, static_cast<int64_t>(llvm::PowerOf2Ceil(bytes))};
    storage.size = storage.align;
    if (vector.getRank())
      for (int64_t extent : vector.getShape().drop_back())
        storage.size = multiplySaturated(storage.size, extent);
    return storage;
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<Storage> element = storageOf(complex.getElementType());
    if (!element)
      return std::nullopt;
    return Storage{2 * element->size, element->align};
  }
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() < 8 ||
      !llvm::isPowerOf2_32(type.getIntOrFloatBitWidth()))
    return std::nullopt;
  const int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  return Storage{bytes, bytes};
}

/// The elements from the first to the last, inclusive, of positive extents and
/// nonnegative strides.
static int64_t spanOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  int64_t span = 1;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    span = addSaturated(span, multiplySaturated(extent - 1, stride));
  return span;
}

bool tcgen05::isWorkgroup(Attribute space) {
  if (auto address = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return address.getValue() == gpu::AddressSpace::Workgroup;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return number && number.getValue() == kSharedAddressSpace;
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

namespace {
/// What is known of the memory behind a source.
struct Buffer {
  int64_t align;
  Location location;
  /// The attribute that would align it.
  StringRef attribute;
};
} // namespace

/// The value whose buffer `source` lies in. The operations on the way keep the
/// pointer that offsets of memrefs count from.
static Value baseOf(Value source) {
  while (Operation *op = source.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::SubViewOp, memref::ReinterpretCastOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::MemorySpaceCastOp>(op))
      break;
    source = op->getOperand(0);
  }
  return source;
}

static int64_t naturalAlign(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    type = memref.getElementType();
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    type = array.getElementType();
  std::optional<Storage> storage = storageOf(type);
  return storage ? storage->align : 1;
}

static Buffer bufferOf(Location location, Type type,
                       std::optional<uint64_t> align, StringRef attribute) {
  return {align ? static_cast<int64_t>(*align) : naturalAlign(type), location,
          attribute};
}

/// The buffer of an attribution or an alloca, which the function itself shows.
static std::optional<Buffer> findLocalBuffer(Value base) {
  if (auto alloca = base.getDefiningOp<memref::AllocaOp>())
    return bufferOf(alloca.getLoc(), alloca.getType(), alloca.getAlignment(),
                    "alignment");
  auto argument = dyn_cast<BlockArgument>(base);
  if (!argument)
    return std::nullopt;
  auto function =
      dyn_cast_or_null<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  const unsigned first = function.getFirstWorkgroupAttributionIndex();
  const unsigned number = argument.getArgNumber();
  if (number < first ||
      number - first >= function.getNumWorkgroupAttributions())
    return std::nullopt;
  std::optional<uint64_t> align;
  if (auto attribute =
          dyn_cast_or_null<IntegerAttr>(function.getWorkgroupAttributionAttr(
              number - first, LLVM::LLVMDialect::getAlignAttrName())))
    align = attribute.getValue().getLimitedValue(
        std::numeric_limits<int64_t>::max());
  return bufferOf(argument.getLoc(), argument.getType(), align,
                  LLVM::LLVMDialect::getAlignAttrName());
}

static LogicalResult verifyAlign(SmemViewOp op, const Buffer &buffer) {
  const int64_t needed = op.getType().getAlign();
  if (buffer.align >= needed)
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError("expected src aligned to ")
                                  << needed << " bytes, but got "
                                  << buffer.align;
  diagnostic.attachNote(buffer.location)
      << "the buffer would be with the attribute " << buffer.attribute << " = "
      << needed << " : i64";
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// smem_view
//===----------------------------------------------------------------------===//

static LogicalResult verifyMemRef(SmemViewOp op, BaseMemRefType type) {
  const auto fail = [&](const Twine &requirement) {
    return op.emitOpError("expected src ")
           << requirement << ", but got " << Type(type);
  };
  if (!isWorkgroup(type.getMemorySpace()))
    return fail("to be in workgroup memory");
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return fail("to have a static shape");
  const std::optional<Storage> element = storageOf(memref.getElementType());
  if (!element)
    return fail("elements to be a power of two of whole bytes");
  const int64_t needed = op.getType().toRegion().storageBytes();
  const auto tooSmall = [&](int64_t held) {
    return op.emitOpError("expected src to hold at least ")
           << needed << " bytes, but got " << held;
  };
  // Upstream asserts that these fit when asked for strides.
  int64_t elements = 1;
  for (int64_t extent : memref.getShape())
    elements = multiplySaturated(elements, extent);
  if (elements == std::numeric_limits<int64_t>::max())
    return fail("to have fewer than 2^63 elements");
  // Upstream gives the strides of an empty memref as unknown.
  if (llvm::is_contained(memref.getShape(), 0))
    return tooSmall(0);
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return fail("to be contiguous or strided");
  if (ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return fail("to have static strides and a static offset");
  if (offset < 0 || llvm::any_of(strides, [](int64_t s) { return s < 0; }))
    return fail("strides and offset to be nonnegative");

  const int64_t held =
      multiplySaturated(spanOf(memref.getShape(), strides), element->size);
  if (held < needed)
    return tooSmall(held);
  // The offset is part of the address that `align` speaks of.
  const int64_t start = multiplySaturated(offset, element->size);
  if (start % op.getType().getAlign() != 0)
    return op.emitOpError("expected src to start at a multiple of ")
           << op.getType().getAlign() << " bytes in its buffer, but got byte "
           << start;
  return success();
}

LogicalResult SmemViewOp::verify() {
  if (std::optional<layout::Error> error = getType().toRegion().checkView())
    return report(*this, *error);
  const Type type = getSrc().getType();
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
      pointer && pointer.getAddressSpace() == kSharedAddressSpace)
    return success();
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref)
    return emitOpError("expected src to be !llvm.ptr<3> or a workgroup memref, "
                       "but got ")
           << type;
  if (failed(verifyMemRef(*this, memref)))
    return failure();
  if (std::optional<Buffer> buffer = findLocalBuffer(baseOf(getSrc())))
    return verifyAlign(*this, *buffer);
  return success();
}

/// Buffers that are symbols are looked up here and not in `verify`, which may
/// run while other threads work on other functions of the module.
LogicalResult
SmemViewOp::verifySymbolUses(SymbolTableCollection &symbolTables) {
  Operation *base = baseOf(getSrc()).getDefiningOp();
  if (auto get = dyn_cast_or_null<memref::GetGlobalOp>(base)) {
    auto global = symbolTables.lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    if (global)
      return verifyAlign(*this, bufferOf(global.getLoc(), global.getType(),
                                         global.getAlignment(), "alignment"));
  }
  if (auto get = dyn_cast_or_null<LLVM::AddressOfOp>(base)) {
    auto global = symbolTables.lookupNearestSymbolFrom<LLVM::GlobalOp>(
        get, get.getGlobalNameAttr());
    if (global)
      return verifyAlign(*this,
                         bufferOf(global.getLoc(), global.getGlobalType(),
                                  global.getAlignment(), "alignment"));
  }
  return success();
}
