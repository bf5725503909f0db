//===- Cp.cpp - Lowering of the copy --------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "tcgen05/Conversion/Emit.h"
#include "tcgen05/Conversion/Tcgen05ToNVVM.h"
#include "tcgen05/IR/Tcgen05.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tcgen05;
using layout::CpAxis;
using layout::CpOffset;
using layout::CpPlan;
using layout::GroupAxis;
using layout::Leaf;

static constexpr int64_t kWarpsInGroup = 4;

std::optional<CpEmit> tcgen05::parseCpEmit(StringRef text) {
  if (text == "inline-ptx")
    return CpEmit::InlinePtx;
  if (text == "nvvm-op")
    return CpEmit::NvvmOp;
  return std::nullopt;
}

namespace {
/// The coordinates of the issuing thread. Registers are read when they are
/// asked for, once for each copy; CSE merges the rest.
class Coordinates {
public:
  Coordinates(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc), emit(builder, loc) {}

  Value get(GroupAxis axis) {
    switch (axis) {
    case GroupAxis::Rank:
      return read<NVVM::ClusterId>();
    case GroupAxis::Warp:
      return emit.udiv(thread(), layout::kWarpSize);
    case GroupAxis::WarpInGroup:
      return emit.urem(emit.udiv(thread(), layout::kWarpSize), kWarpsInGroup);
    case GroupAxis::Lane:
      return emit.urem(thread(), layout::kWarpSize);
    }
    llvm_unreachable("covered switch");
  }

private:
  template <typename Register> Value read() {
    return Register::create(builder, loc, builder.getI32Type());
  }
  /// tid.x + ntid.x * (tid.y + ntid.y * tid.z)
  Value thread() {
    if (linear)
      return linear;
    Value row = emit.mul(read<NVVM::BlockDimYOp>(), read<NVVM::ThreadIdZOp>());
    row = emit.add(read<NVVM::ThreadIdYOp>(), row);
    Value rest = emit.mul(read<NVVM::BlockDimXOp>(), row);
    return linear = emit.add(read<NVVM::ThreadIdXOp>(), rest);
  }

  OpBuilder &builder;
  Location loc;
  Emit emit;
  Value linear;
};

/// What the instructions of one copy are made from.
struct Operands {
  Value taddr;      // i32
  Value descriptor; // i64, for the source's address without its offset
  Value pred;       // i1, or none
};

class CpEmitter {
public:
  /// `bytes` is what the first repeat lies from the operands' descriptor.
  CpEmitter(CpOp op, const CpPlan &plan, int64_t bytes, Blocks blocks,
            OpBuilder &builder)
      : op(op), plan(plan), bytes(bytes), blocks(blocks), builder(builder),
        emit(builder, op.getLoc()) {}

  /// Calls `body` where one block is to be emitted: inside of a loop that moves
  /// the operands on if there are several.
  void forEachBlock(Operands operands,
                    llvm::function_ref<void(const Operands &)> body) {
    if (blocks.count == 1)
      return body(operands);
    // 32 bits, since an index is a pair of registers.
    Value low = emit.i32(0), high = emit.i32(blocks.count), one = emit.i32(1);
    auto loop =
        scf::ForOp::create(builder, op.getLoc(), low, high, one,
                           ValueRange{operands.taddr, operands.descriptor});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    operands.taddr = loop.getRegionIterArg(0);
    operands.descriptor = loop.getRegionIterArg(1);
    body(operands);
    Value taddr = emit.add(
        operands.taddr,
        layout::TmemAddress::displacement(blocks.step.lane, blocks.step.col));
    Value descriptor =
        emit.add(operands.descriptor, blocks.step.bytes / layout::kChunkBytes);
    scf::YieldOp::create(builder, op.getLoc(), ValueRange{taddr, descriptor});
  }

  /// Adds what the members of a group are displaced by.
  void displaceGroups(Operands &operands) {
    Coordinates coordinates(builder, op.getLoc());
    const std::vector<GroupAxis> kinds = layout::groupAxes(plan.scope);
    for (size_t i = 0; i < plan.groups.size(); ++i) {
      const CpAxis &axis = plan.groups[i];
      // An axis of one element has coordinate zero, whoever issues.
      if (axis.extent == 1)
        continue;
      Value coordinate = coordinates.get(kinds[i]);
      displace(coordinate, axis.extent, axis.dst, [&](Value digit, Leaf leaf) {
        const bool lane = leaf.stride.axis == layout::Axis::Lane;
        operands.taddr = emit.add(
            operands.taddr, emit.mul(digit, layout::TmemAddress::displacement(
                                                lane ? leaf.stride.value : 0,
                                                lane ? 0 : leaf.stride.value)));
      });
      displace(coordinate, axis.extent, axis.src, [&](Value digit, Leaf leaf) {
        // Origins are multiples of 16 bytes (C12), and so are all steps.
        operands.descriptor = emit.add(
            operands.descriptor,
            emit.extend(emit.mul(digit, leaf.stride.value * layout::kWordBytes /
                                            layout::kChunkBytes),
                        /*isSigned=*/leaf.stride.value < 0));
      });
    }
  }

  void inlinePtx(const Operands &operands) {
    SmallVector<Value> arguments = {operands.taddr, operands.descriptor};
    if (operands.pred)
      arguments.push_back(emit.toI32(operands.pred));
    const std::string opcode = "tcgen05.cp." + plan.opcode.str() + " [t";
    SmallString<192> text;
    forEachIssue([&](int64_t tmem, int64_t chunks) {
      text.clear();
      ptx(text, opcode, tmem, chunks, static_cast<bool>(operands.pred));
      NVVM::InlinePtxOp::create(
          builder, op.getLoc(), /*writeOnlyArgs=*/TypeRange{},
          /*readOnlyArgs=*/arguments, /*readWriteArgs=*/ValueRange{},
          builder.getStringAttr(text), /*predicate=*/Value{});
    });
  }

  void nvvmOp(const Operands &operands) {
    auto shape = *NVVM::symbolizeTcgen05CpShape(
        "shape_" + std::string(plan.opcode.atom.shape));
    auto group = plan.opcode.ctaGroup == 1 ? NVVM::CTAGroupKind::CTA_1
                                           : NVVM::CTAGroupKind::CTA_2;
    forEachIssue([&](int64_t tmem, int64_t chunks) {
      MLIRContext *context = builder.getContext();
      NVVM::Tcgen05CpSrcFormatAttr format;
      if (!plan.opcode.decompress.empty())
        format = NVVM::Tcgen05CpSrcFormatAttr::get(
            context, *NVVM::symbolizeTcgen05CpSrcFormat(
                         StringRef(plan.opcode.decompress)
                             .substr(StringRef("b8x16.").size())));
      NVVM::Tcgen05CpOp::create(
          builder, op.getLoc(), NVVM::Tcgen05CpShapeAttr::get(context, shape),
          NVVM::CTAGroupKindAttr::get(context, group),
          NVVM::Tcgen05CpMulticastAttr::get(context, multicast()), format,
          emit.toPointer(emit.add(operands.taddr, tmem), kTensorAddressSpace),
          emit.add(operands.descriptor, chunks));
    });
  }

private:
  /// Calls `add` with each digit of the coordinate that moves the operand.
  void displace(Value coordinate, int64_t extent, ArrayRef<Leaf> modes,
                llvm::function_ref<void(Value, Leaf)> add) {
    int64_t span = extent;
    for (const Leaf &leaf : modes) {
      // The outermost digit needs no modulus: the coordinate is in bounds.
      const bool outermost = span == extent;
      span /= leaf.extent;
      if (leaf.stride.value == 0)
        continue;
      Value digit = emit.udiv(coordinate, span);
      if (!outermost)
        digit = emit.urem(digit, leaf.extent);
      add(digit, leaf);
    }
  }

  NVVM::Tcgen05CpMulticast multicast() {
    std::string_view text = plan.opcode.atom.multicast;
    if (text.empty())
      return NVVM::Tcgen05CpMulticast::NONE;
    std::string name(text);
    if (size_t at = name.find("::"); at != std::string::npos)
      name.replace(at, 2, "_");
    return *NVVM::symbolizeTcgen05CpMulticast(name);
  }

  /// Every repeat of the first block, in row-major order: what it adds to the
  /// operands, as an address and in chunks of 16 bytes.
  void forEachIssue(llvm::function_ref<void(int64_t, int64_t)> issue) {
    for (int64_t i = 0; i < blocks.size; ++i) {
      const CpOffset step = plan.repeat(i);
      issue(layout::TmemAddress::displacement(plan.origin.lane + step.lane,
                                              plan.origin.col + step.col),
            (bytes + step.bytes) / layout::kChunkBytes);
    }
  }

  /// The instruction in braces, `opcode` being all of it up to the register.
  /// Its registers are its own, the differences are literals that no pass can
  /// fold into the operands, and each operand goes through a register: a
  /// literal TMEM address makes ptxas crash.
  static void ptx(SmallVectorImpl<char> &text, StringRef opcode, int64_t tmem,
                  int64_t chunks, bool predicated) {
    llvm::raw_svector_ostream os(text);
    os << "{ .reg .b32 t; .reg .b64 d; ";
    if (predicated)
      os << ".reg .pred p; setp.ne.b32 p, $2, 0; ";
    os << "mov.b32 t, $0; ";
    if (chunks == 0)
      os << "mov.b64 d, $1; ";
    else
      os << "add.s64 d, $1, " << chunks << "; ";
    os << (predicated ? "@p " : "") << opcode;
    if (tmem != 0)
      os << '+' << tmem;
    os << "], d; }";
  }

  CpOp op;
  const CpPlan &plan;
  int64_t bytes;
  Blocks blocks;
  OpBuilder &builder;
  Emit emit;
};

/// A source's address in parts: the address of its view, which a loop leaves
/// alone, what slices add to it when the program runs, and constants.
struct SourceAddress {
  Value root;                                   // i32
  SmallVector<std::pair<Value, int64_t>> terms; // index * chunks
  int64_t constant;                             // bytes

  /// `address` is the converted source, and `constant` what its type adds.
  /// Whatever was added to an address above the pointer that it comes from was
  /// added by slices and casts: that much is taken apart again. Conversions
  /// replace the slices themselves before they get here.
  static SourceAddress of(Value address, int64_t constant, SmemType type) {
    SourceAddress parts{address, {}, constant};
    while (auto add = parts.root.getDefiningOp<LLVM::AddOp>()) {
      Value index;
      int64_t bytes;
      if (!matchTerm(add.getRhs(), index, bytes) ||
          bytes % layout::kChunkBytes != 0)
        break;
      if (index)
        parts.terms.push_back({index, bytes / layout::kChunkBytes});
      else
        parts.constant += bytes;
      parts.root = add.getLhs();
    }
    Operation *op = parts.root.getDefiningOp();
    if (isa_and_nonnull<LLVM::PtrToIntOp, LLVM::TruncOp, arith::IndexCastOp>(
            op))
      return parts;
    // The address of an argument holds run-time terms already.
    return SourceAddress{address, {}, constant, !staysInside(type)};
  }

  /// The root's value lacks constants. Where run-time terms lead below the
  /// view's address it need not be a shared address, and cutting it to the
  /// field of a descriptor would lose bits. (Past the storage they lead
  /// nowhere: C14.)
  bool addConstantFirst = false;

private:
  static bool matchTerm(Value value, Value &index, int64_t &bytes) {
    llvm::APInt constant;
    index = {};
    if (auto mul = value.getDefiningOp<LLVM::MulOp>()) {
      index = mul.getLhs();
      value = mul.getRhs();
    }
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return false;
    bytes = constant.getSExtValue();
    return true;
  }

  static bool staysInside(SmemType type) {
    const layout::Layout &layout = type.getLayout().toLayout();
    return llvm::all_of(
        layout.offset(layout::Axis::Memory).terms,
        [](const layout::Term &term) { return term.multiplier >= 0; });
  }
};

struct CpOpLowering : public OpConversionPattern<CpOp> {
  CpOpLowering(const TypeConverter &converter, MLIRContext *context,
               const CpLowering &lowering)
      : OpConversionPattern(converter, context), lowering(lowering) {}

  LogicalResult
  matchAndRewrite(CpOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (lowering.emit == CpEmit::NvvmOp && op.getPred())
      return op.emitOpError("expected no pred with emit=nvvm-op, since "
                            "nvvm.tcgen05.cp takes none");
    const layout::Result<CpPlan> &plan = op.getPlan();
    assert(plan && "expected a verified tcgen05.cp");
    if (!plan)
      return report(op, plan.error());
    Operands operands;
    operands.taddr = adaptor.getDst();
    operands.pred = adaptor.getPred();

    Emit emit(rewriter, op.getLoc());
    SourceAddress source = SourceAddress::of(
        adaptor.getSrc(), plan->origin.bytes, op.getSrc().getType());
    if (source.addConstantFirst) {
      source.root = emit.add(source.root, source.constant);
      source.constant = 0;
    }
    operands.descriptor = emit.descriptor(source.root, plan->descriptorBase);
    // Signed: an index may be negative where a constant that used to be added
    // to it has moved into the type.
    for (auto [index, chunks] : llvm::reverse(source.terms))
      operands.descriptor =
          emit.add(operands.descriptor,
                   emit.extend(emit.mul(index, chunks), /*isSigned=*/true));
    CpEmitter emitter(op, *plan, source.constant,
                      Blocks::of(*plan, lowering.unrollLimit), rewriter);
    emitter.displaceGroups(operands);
    emitter.forEachBlock(operands, [&](const Operands &block) {
      if (lowering.emit == CpEmit::InlinePtx)
        emitter.inlinePtx(block);
      else
        emitter.nvvmOp(block);
    });
    rewriter.eraseOp(op);
    return success();
  }

  CpLowering lowering;
};
} // namespace

void tcgen05::populateCpPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns,
                                 const CpLowering &lowering) {
  patterns.add<CpOpLowering>(converter, patterns.getContext(), lowering);
}
