//===- Address.cpp - From a use to the buffer's name ----------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "tcgen05/IR/Tcgen05.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tcgen05;
using namespace tcgen05::check;

namespace {
/// Longer chains of pointer arithmetic have no name.
constexpr unsigned kMaxDepth = 256;
enum RootKind : uint64_t { kSymbol = 1, kValue = 2, kAllocation = 3 };
} // namespace

std::optional<int64_t> tcgen05::check::sizeInBytes(Type type) {
  if (type.isIntOrFloat())
    return (type.getIntOrFloatBitWidth() + 7) / 8;
  if (type.isIndex() || isa<LLVM::LLVMPointerType>(type))
    return 8;
  if (auto vector = dyn_cast<VectorType>(type)) {
    auto element = sizeInBytes(vector.getElementType());
    if (!element || vector.isScalable())
      return std::nullopt;
    return llvm::checkedMul(*element, vector.getNumElements());
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    auto element = sizeInBytes(array.getElementType());
    if (!element || array.getNumElements() > (uint64_t(1) << 32))
      return std::nullopt;
    return llvm::checkedMul(*element,
                            static_cast<int64_t>(array.getNumElements()));
  }
  return std::nullopt;
}

std::optional<int64_t> tcgen05::check::strideInBytes(int64_t stride,
                                                     int64_t size) {
  if (ShapedType::isDynamic(stride))
    return std::nullopt;
  return llvm::checkedMul(stride, size);
}

bool tcgen05::check::isSharedMemory(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == kSharedAddressSpace;
  auto memref = dyn_cast<MemRefType>(type);
  return memref && isWorkgroup(memref.getMemorySpace());
}

void Values::addTerm(Address &base, Value value, int64_t scale) {
  const ValueInfo &known = info(value);
  base.offset = base.offset + known.range * Interval::of(scale);
  if (known.range.isConstant()) {
    // Addresses wrap around.
    base.constant = static_cast<int64_t>(
        uint64_t(base.constant) + uint64_t(known.range.lo) * uint64_t(scale));
    return;
  }
  if (known.varies & kLane)
    base.perLane = true;
  const bool threadOnly =
      (known.varies & kThread) && !(known.varies & (kLoop | kOpaque | kCta));
  if (!threadOnly && !llvm::is_contained(base.terms, known.number))
    base.terms.push_back(known.number);
}

uint32_t Values::allocationRoot(const Address &slot) {
  if (!slot || slot.inexact || !slot.offset.isConstant() || !slot.terms.empty())
    return 0;
  return numberOf({~uint64_t(0), kAllocation, slot.root,
                   static_cast<uint64_t>(slot.offset.lo)});
}

Address Values::address(Value value) { return computeAddress(value, 0); }

Address Values::computeAddress(Value value, unsigned depth) {
  if (auto found = addresses.find(value); found != addresses.end())
    return found->second;
  if (depth > kMaxDepth)
    return {};
  Address result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Others may be another pointer each time round.
    if (argument.getOwner() == launch.entry) {
      result.root = rootOf(value.getAsOpaquePointer(), kValue);
      auto function =
          dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
      result.named =
          function && argument.getArgNumber() >= function.getNumArguments();
    }
  } else {
    result = addressOfOp(value.getDefiningOp(), value, depth + 1);
  }
  addresses[value] = result;
  return result;
}

static bool hasTerms(Type region) {
  auto tmem = dyn_cast<TmemType>(region);
  return (tmem ? tmem.getLayout() : cast<SmemType>(region).getLayout())
      .toLayout()
      .hasTerms();
}

Address Values::addressOfOp(Operation *op, Value value, unsigned depth) {
  auto through = [&](Value source) { return computeAddress(source, depth); };
  auto move = [&](Address base, int64_t bytes) {
    base.move(bytes);
    return base;
  };
  auto lose = [&](Address base) {
    base.inexact = true;
    base.offset = {};
    return base;
  };

  // Names.
  if (auto global = dyn_cast<LLVM::AddressOfOp>(op)) {
    Address result;
    result.root = rootOf(
        global.getGlobalNameAttr().getAttr().getAsOpaquePointer(), kSymbol);
    result.named = true;
    return result;
  }
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    Address result;
    result.root =
        rootOf(global.getNameAttr().getAttr().getAsOpaquePointer(), kSymbol);
    result.named = true;
    return result;
  }
  if (isa<memref::AllocaOp, memref::AllocOp, LLVM::AllocaOp>(op)) {
    Address result;
    result.root = rootOf(value.getAsOpaquePointer(), kValue);
    result.named = true;
    return result;
  }
  // The address that an allocation left in shared memory.
  if (isa<LLVM::LoadOp, memref::LoadOp>(op)) {
    Address slot = through(op->getOperand(0));
    if (!isSharedMemory(op->getOperand(0).getType()))
      return {};
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      SmallVector<int64_t> strides;
      int64_t offset;
      auto size = sizeInBytes(load.getMemRefType().getElementType());
      if (failed(load.getMemRefType().getStridesAndOffset(strides, offset)) ||
          !size)
        return {};
      for (auto [index, elements] : llvm::zip_equal(load.getIndices(), strides))
        if (auto stride = strideInBytes(elements, *size))
          addTerm(slot, index, *stride);
        else
          return {};
    }
    Address result;
    result.root = allocationRoot(slot);
    return result;
  }

  // Regions: the address of their view. Where they lie from there is in their
  // types, but for the values of run-time terms.
  if (auto view = dyn_cast<TmemViewOp>(op))
    return through(view.getAddress());
  if (auto view = dyn_cast<SmemViewOp>(op))
    return through(view.getSrc());
  if (auto cast = dyn_cast<CastOp>(op)) {
    Address base = through(cast.getView());
    // What it moves from the terms into the constant is not known here.
    if (!base.terms.empty() &&
        regionOrigin(value.getType()) != regionOrigin(cast.getView().getType()))
      base.terms.push_back(info(value).number);
    return base;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    Address base = through(slice.getView());
    for (Value index : slice.getIndices()) {
      const ValueInfo &known = info(index);
      base.perLane |= (known.varies & kLane) != 0;
      if (!known.range.isConstant() &&
          !llvm::is_contained(base.terms, known.number))
        base.terms.push_back(known.number);
    }
    return base;
  }
  if (auto address = dyn_cast<AddressOp>(op)) {
    const Type region = address.getView().getType();
    Address base = move(through(address.getView()), regionOrigin(region));
    if (hasTerms(region))
      base.offset = {};
    return base;
  }

  // Pointers.
  if (isa<memref::ExtractAlignedPointerAsIndexOp, memref::CastOp,
          memref::MemorySpaceCastOp, memref::CollapseShapeOp,
          memref::ExpandShapeOp, arith::IndexCastOp, arith::IndexCastUIOp,
          arith::ExtUIOp, arith::TruncIOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp,
          LLVM::AddrSpaceCastOp, LLVM::BitcastOp, LLVM::ZExtOp, LLVM::TruncOp,
          UnrealizedConversionCastOp>(op) &&
      op->getNumOperands() == 1)
    return through(op->getOperand(0));
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    // A memref's descriptor, put together a few operations above.
    Value container = extract.getContainer();
    for (unsigned i = 0; i < kMaxDepth; ++i) {
      auto insert = container.getDefiningOp<LLVM::InsertValueOp>();
      if (!insert)
        return {};
      if (insert.getPosition() == extract.getPosition())
        return through(insert.getValue());
      container = insert.getContainer();
    }
    return {};
  }
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    Address base = through(gep.getBase());
    Type element = gep.getElemType();
    bool first = true;
    for (auto index : gep.getIndices()) {
      if (!first) {
        if (auto array = dyn_cast<LLVM::LLVMArrayType>(element))
          element = array.getElementType();
        else
          return lose(base);
      }
      first = false;
      auto size = sizeInBytes(element);
      if (!size)
        return lose(base);
      if (auto attribute = dyn_cast<IntegerAttr>(index)) {
        auto bytes = llvm::checkedMul(attribute.getInt(), *size);
        if (!bytes)
          return lose(base);
        base.move(*bytes);
      } else {
        addTerm(base, cast<Value>(index), *size);
      }
    }
    return base;
  }
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    Address base = through(subview.getSource());
    auto size = sizeInBytes(subview.getSourceType().getElementType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!size ||
        failed(subview.getSourceType().getStridesAndOffset(strides, offset)))
      return lose(base);
    for (auto [origin, elements] :
         llvm::zip_equal(subview.getMixedOffsets(), strides)) {
      auto stride = strideInBytes(elements, *size);
      if (!stride)
        return lose(base);
      if (auto attribute = dyn_cast<Attribute>(origin)) {
        auto bytes =
            llvm::checkedMul(cast<IntegerAttr>(attribute).getInt(), *stride);
        if (!bytes)
          return lose(base);
        base.move(*bytes);
      } else {
        addTerm(base, cast<Value>(origin), *stride);
      }
    }
    return base;
  }
  if (isa<memref::ReinterpretCastOp, memref::ViewOp>(op)) {
    Address base = through(op->getOperand(0));
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      addTerm(base, view.getByteShift(), 1);
      return base;
    }
    return lose(base);
  }

  // Arithmetic on addresses and on descriptors.
  if (isa<arith::AddIOp, LLVM::AddOp>(op)) {
    for (unsigned side : {0u, 1u})
      if (Address base = through(op->getOperand(side))) {
        addTerm(base, op->getOperand(1 - side), 1);
        return base;
      }
    return {};
  }
  if (isa<LLVM::OrOp, LLVM::AndOp, LLVM::LShrOp, arith::OrIOp, arith::AndIOp,
          arith::ShRUIOp>(op) &&
      info(op->getOperand(1)).range.isConstant()) {
    if (Address base = through(op->getOperand(0)))
      return lose(base);
    return {};
  }
  return {};
}
