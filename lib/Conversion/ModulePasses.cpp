//===- ModulePasses.cpp - Small passes on gpu.modules ---------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Conversion/Passes.h"
#include "tcgen05/Layout/Cp/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tcgen05 {
#define GEN_PASS_DEF_TCGEN05ATTACHTARGET
#define GEN_PASS_DEF_TCGEN05PREPAREMODULE
#define GEN_PASS_DEF_TCGEN05REQUIREBLOCKSIZE
#include "tcgen05/Conversion/Passes.h.inc"
} // namespace tcgen05

using namespace mlir;
using namespace tcgen05;

namespace {
struct AttachTarget
    : public tcgen05::impl::Tcgen05AttachTargetBase<AttachTarget> {
  using Tcgen05AttachTargetBase::Tcgen05AttachTargetBase;

  void runOnOperation() override {
    const layout::CpTarget *target = layout::findCpTarget(chip);
    if (!target || !target->llvmKnows) {
      getOperation()->emitError("expected a chip with tcgen05.cp ")
          << (target ? "that LLVM can compile for (" : "(")
          << layout::cpTargetList(/*compilable=*/true) << "), but got '" << chip
          << "'";
      return signalPassFailure();
    }
    // Upstream's check knows two chips only; the table above knows all.
    auto emitError = [&] { return getOperation()->emitError(); };
    auto attribute = NVVM::NVVMTargetAttr::getChecked(
        llvm::function_ref<InFlightDiagnostic()>(emitError), &getContext(),
        optLevel.getValue(), StringRef("nvptx64-nvidia-cuda"),
        StringRef(chip.getValue()), StringRef(features.getValue()),
        DictionaryAttr(), ArrayAttr(), /*verifyTarget=*/false);
    if (!attribute)
      return signalPassFailure();
    Builder builder(&getContext());
    getOperation()->walk([&](gpu::GPUModuleOp module) {
      module.setTargetsAttr(builder.getArrayAttr(Attribute(attribute)));
    });
  }
};

struct PrepareModule
    : public tcgen05::impl::Tcgen05PrepareModuleBase<PrepareModule> {
  using Tcgen05PrepareModuleBase::Tcgen05PrepareModuleBase;

  void runOnOperation() override {
    WalkResult checked =
        getOperation().walk([](FunctionOpInterface function) -> WalkResult {
          for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
            auto memref = dyn_cast<MemRefType>(type);
            if (!memref || (memref.hasStaticShape() && isBare(memref)))
              continue;
            return function.emitError("expected argument ")
                   << i << " of '" << function.getName()
                   << "' to be a static memref without a layout, but got "
                   << type;
          }
          return WalkResult::advance();
        });
    if (checked.wasInterrupted())
      return signalPassFailure();

    // Upstream makes a bound of the size that is known, and asserts that there
    // is none yet. The size says more than a bound that somebody wrote.
    getOperation().walk([](gpu::GPUFuncOp function) {
      if (function.getKnownBlockSize())
        function->removeAttr(NVVM::NVVMDialect::getMaxntidAttrName());
    });

    RewritePatternSet patterns(&getContext());
    vector::populateVectorToVectorCanonicalizationPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorContractLoweringPatterns(
        patterns, vector::VectorContractLowering::Dot);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::EltWise);
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    vector::populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/true);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorGatherLoweringPatterns(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerReduction);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

private:
  /// The bare pointer convention hands over an address and nothing else.
  static bool isBare(MemRefType memref) {
    int64_t offset;
    SmallVector<int64_t> strides;
    return succeeded(memref.getStridesAndOffset(strides, offset)) &&
           offset == 0 && llvm::none_of(strides, ShapedType::isDynamic);
  }
};

struct RequireBlockSize
    : public tcgen05::impl::Tcgen05RequireBlockSizeBase<RequireBlockSize> {
  using Tcgen05RequireBlockSizeBase::Tcgen05RequireBlockSizeBase;

  void runOnOperation() override {
    StringRef known = gpu::GPUDialect::KnownBlockSizeAttrHelper::getNameStr();
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      Attribute size = function->getAttr(known);
      if (!size)
        return; // a bound that somebody wrote is no size
      StringRef exactly = NVVM::NVVMDialect::getReqntidAttrName();
      if (!function->hasAttr(exactly))
        function->setAttr(exactly, size);
      function->removeAttr(NVVM::NVVMDialect::getMaxntidAttrName());
    });
  }
};
} // namespace

void tcgen05::relaxTargets(Operation *root) {
  root->walk([](gpu::GPUModuleOp module) {
    ArrayAttr targets = module.getTargetsAttr();
    if (!targets)
      return;
    SmallVector<Attribute> relaxed;
    for (Attribute attribute : targets) {
      auto target = dyn_cast<NVVM::NVVMTargetAttr>(attribute);
      if (target && layout::findCpTarget(target.getChip()))
        attribute = NVVM::NVVMTargetAttr::get(
            target.getContext(), target.getO(), target.getTriple(),
            target.getChip(), target.getFeatures(), target.getFlags(),
            target.getLink(), /*verifyTarget=*/false);
      relaxed.push_back(attribute);
    }
    module.setTargetsAttr(Builder(module).getArrayAttr(relaxed));
  });
}

std::unique_ptr<Pass> tcgen05::createTcgen05AttachTarget() {
  return std::make_unique<AttachTarget>();
}
std::unique_ptr<Pass> tcgen05::createTcgen05AttachTarget(StringRef chip,
                                                         StringRef features,
                                                         int optLevel) {
  Tcgen05AttachTargetOptions options;
  options.chip = chip.str();
  options.features = features.str();
  options.optLevel = optLevel;
  return std::make_unique<AttachTarget>(options);
}
std::unique_ptr<Pass> tcgen05::createTcgen05PrepareModule() {
  return std::make_unique<PrepareModule>();
}
std::unique_ptr<Pass> tcgen05::createTcgen05RequireBlockSize() {
  return std::make_unique<RequireBlockSize>();
}
