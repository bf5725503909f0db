//===- Tcgen05ToNVVM.cpp - The conversion, as a pass and as an interface --===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Conversion/Tcgen05ToNVVM.h"

#include "tcgen05/Conversion/Passes.h"
#include "tcgen05/IR/Tcgen05.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Threading.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include <algorithm>
#include <memory>

namespace tcgen05 {
#define GEN_PASS_DEF_CONVERTTCGEN05TONVVM
#include "tcgen05/Conversion/Passes.h.inc"
} // namespace tcgen05

using namespace mlir;
using namespace tcgen05;

void tcgen05::populateTcgen05TypeConversions(TypeConverter &converter) {
  converter.addConversion([](TmemType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  converter.addConversion([](SmemType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
}

void tcgen05::populateTcgen05ToNVVMPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns,
                                            const CpLowering &lowering) {
  populateViewPatterns(converter, patterns);
  populateCpPatterns(converter, patterns, lowering);
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

namespace {
struct Tcgen05ToLLVMInterface : public ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void loadDependentDialects(MLIRContext *context) const final {
    context->loadDialect<arith::ArithDialect, LLVM::LLVMDialect,
                         memref::MemRefDialect, NVVM::NVVMDialect>();
  }
  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &converter,
      RewritePatternSet &patterns) const final {
    populateTcgen05TypeConversions(converter);
    populateTcgen05ToNVVMPatterns(converter, patterns);
    target.addIllegalDialect<Tcgen05Dialect>();
    target.addLegalDialect<NVVM::NVVMDialect>();
  }
};
} // namespace

void tcgen05::registerConvertTcgen05ToLLVMInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, Tcgen05Dialect *dialect) {
    dialect->addInterfaces<Tcgen05ToLLVMInterface>();
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// Operations that only pass values on, and are the same operation on values of
/// another type: selects, and the ends of functions of any kind.
struct PassOn : public ConversionPattern {
  PassOn(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/0,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    // gpu.return is not ReturnLike.
    const bool returns =
        op->hasTrait<OpTrait::IsTerminator>() && op->getNumSuccessors() == 0 &&
        isa_and_nonnull<FunctionOpInterface>(op->getParentOp());
    if (!returns && !isa<arith::SelectOp>(op))
      return failure();
    FailureOr<Operation *> converted =
        convertOpResultTypes(op, operands, *getTypeConverter(), rewriter);
    if (failed(converted))
      return failure();
    rewriter.replaceOp(op, (*converted)->getResults());
    return success();
  }
};

/// The signature of a function of any kind. Upstream's pattern takes the
/// arguments of the type for those of the entry block, where the attributions
/// of a gpu.func follow them.
struct ConvertSignature
    : public OpInterfaceConversionPattern<FunctionOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(FunctionOpInterface function, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    SmallVector<Type> arguments, results;
    if (failed(
            converter.convertTypes(function.getArgumentTypes(), arguments)) ||
        failed(converter.convertTypes(function.getResultTypes(), results)))
      return failure();
    if (Region &body = function.getFunctionBody(); !body.empty()) {
      const auto types = body.front().getArgumentTypes();
      TypeConverter::SignatureConversion entry(types.size());
      if (failed(converter.convertSignatureArgs(types, entry)) ||
          failed(rewriter.convertRegionTypes(&body, converter, &entry)))
        return failure();
    }
    rewriter.modifyOpInPlace(function, [&] {
      function.setType(function.cloneTypeWith(arguments, results));
    });
    return success();
  }
};

/// What converts operations: the same for every module of a context.
struct Conversion {
  Conversion(MLIRContext *context, const CpLowering &lowering)
      : target(*context) {
    converter.addConversion([](Type type) { return type; });
    populateTcgen05TypeConversions(converter);

    RewritePatternSet set(context);
    populateTcgen05ToNVVMPatterns(converter, set, lowering);
    populateCallOpTypeConversionPattern(set, converter);
    populateBranchOpInterfaceTypeConversionPattern(set, converter);
    set.add<ConvertSignature, PassOn>(converter, context);

    target.addIllegalDialect<Tcgen05Dialect>();
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, set,
                                                         target);
    // Everything else stays as it is, unless a region runs through it.
    target.markUnknownOpDynamicallyLegal([this](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op)) {
        if (!converter.isLegal(function.getArgumentTypes()) ||
            !converter.isLegal(function.getResultTypes()))
          return false;
      }
      for (Region &region : op->getRegions())
        if (!converter.isLegal(&region))
          return false;
      return converter.isLegal(op);
    });
    patterns = FrozenRewritePatternSet(std::move(set));
    config.allowPatternRollback = false;
  }
  // The target and the patterns point to the converter.
  Conversion(const Conversion &) = delete;
  Conversion &operator=(const Conversion &) = delete;

  LogicalResult apply(ArrayRef<Operation *> ops) const {
    return applyPartialConversion(ops, target, patterns, config);
  }

private:
  TypeConverter converter;
  ConversionTarget target;
  FrozenRewritePatternSet patterns;
  ConversionConfig config;
};

struct ConvertTcgen05ToNVVM
    : public tcgen05::impl::ConvertTcgen05ToNVVMBase<ConvertTcgen05ToNVVM> {
  using ConvertTcgen05ToNVVMBase::ConvertTcgen05ToNVVMBase;

  LogicalResult initialize(MLIRContext *context) override {
    // Options that are wrong are reported where there is a place to name.
    if (std::optional<CpEmit> emit = parseCpEmit(emitText))
      conversion = std::make_shared<const Conversion>(
          context, CpLowering{*emit, unrollLimit});
    return success();
  }

  void runOnOperation() override {
    if (!conversion) {
      getOperation()->emitError("expected emit to be inline-ptx or nvvm-op, "
                                "but got '")
          << emitText << "'";
      return signalPassFailure();
    }
    if (unrollLimit < 0) {
      getOperation()->emitError("expected unroll-limit to be at least 0, but "
                                "got ")
          << static_cast<int64_t>(unrollLimit);
      return signalPassFailure();
    }
    if (failed(forEachBatch([&](ArrayRef<Operation *> batch) {
          // The conversion does not look into blocks that nobody reaches, and
          // would leave regions in them.
          IRRewriter eraser(&getContext());
          for (Operation *op : batch)
            (void)eraseUnreachableBlocks(eraser, op->getRegions());
          return conversion->apply(batch);
        })))
      signalPassFailure();
  }

private:
  /// Calls `convert` with all operations of the module in batches, from several
  /// threads: a conversion is set up for each batch, and walks it alone. No
  /// value leads out of an isolated function, and patterns change nothing else.
  LogicalResult forEachBatch(
      llvm::function_ref<LogicalResult(ArrayRef<Operation *>)> convert) {
    MLIRContext *context = &getContext();
    SmallVector<Operation *> functions, rest;
    split(getOperation(), functions, rest);
    const size_t batches = std::clamp<size_t>(
        functions.size() / kFewestFunctions, 1,
        context->isMultithreadingEnabled() ? 4 * context->getNumThreads() : 1);
    const auto begin = [&](size_t batch) {
      return batch * functions.size() / batches;
    };
    return failableParallelForEachN(context, 0, batches, [&](size_t i) {
      SmallVector<Operation *> batch(ArrayRef<Operation *>(functions).slice(
          begin(i), begin(i + 1) - begin(i)));
      if (i == 0)
        batch.append(rest);
      return batch.empty() ? success() : convert(batch);
    });
  }

  /// Sorts what the modules hold into isolated functions and anything else.
  static void split(Operation *module, SmallVectorImpl<Operation *> &functions,
                    SmallVectorImpl<Operation *> &rest) {
    for (Region &region : module->getRegions())
      for (Operation &op : region.getOps()) {
        if (op.hasTrait<OpTrait::IsIsolatedFromAbove>() &&
            isa<FunctionOpInterface>(op))
          functions.push_back(&op);
        else if (isa<ModuleOp, gpu::GPUModuleOp>(op))
          split(&op, functions, rest);
        else
          rest.push_back(&op);
      }
  }

  /// In a batch: setting up a conversion takes as long as converting some.
  static constexpr size_t kFewestFunctions = 4;

  /// Made once, and shared by the copies of this pass that threads run.
  std::shared_ptr<const Conversion> conversion;
};
} // namespace

std::unique_ptr<Pass> tcgen05::createConvertTcgen05ToNVVM() {
  return std::make_unique<ConvertTcgen05ToNVVM>();
}

std::unique_ptr<Pass> tcgen05::createConvertTcgen05ToNVVM(StringRef emit) {
  ConvertTcgen05ToNVVMOptions options;
  options.emitText = emit.str();
  return std::make_unique<ConvertTcgen05ToNVVM>(options);
}
