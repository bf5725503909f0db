//===- Pipeline.cpp - From gpu.module to a binary -------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Analysis/Passes.h"
#include "tcgen05/Conversion/Passes.h"
#include "tcgen05/IR/Dialect.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tcgen05;

void tcgen05::buildCompilePipeline(OpPassManager &pm,
                                   const CompileOptions &options) {
  // The target comes first, so that C15 looks at the chip that is compiled for.
  pm.addPass(createTcgen05AttachTarget(options.chip, options.features,
                                       options.optLevel));
  // What is wrong with a kernel is easier to say before it is lowered.
  if (options.check)
    pm.addPass(createTcgen05CheckProtocol());
  pm.addPass(createConvertTcgen05ToNVVM(options.emit.getValue()));

  // All of it inside of the gpu.modules: code for the host is left alone.
  OpPassManager &gpu = pm.nest<gpu::GPUModuleOp>();
  gpu.addPass(createConvertVectorToSCFPass());
  gpu.addPass(createTcgen05PrepareModule());
  gpu.addPass(createSCFToControlFlowPass());
  gpu.addPass(memref::createExpandStridedMetadataPass());
  gpu.addPass(createLowerAffinePass());
  gpu.addPass(arith::createArithExpandOpsPass());
  // Collects the conversions of all loaded dialects; the only one upstream that
  // knows both #gpu.address_space and bare pointers.
  ConvertGpuOpsToNVVMOpsOptions gpuOptions;
  gpuOptions.useBarePtrCallConv = true;
  gpu.addPass(createConvertGpuOpsToNVVMOps(gpuOptions));
  gpu.addPass(createConvertNVVMToLLVMPass());
  gpu.addPass(createReconcileUnrealizedCastsPass());
  if (options.reqntid)
    gpu.addPass(createTcgen05RequireBlockSize());
  gpu.addPass(createCanonicalizerPass());
  gpu.addPass(createCSEPass());
  // Private device functions would stay beside their inlined copies.
  gpu.addPass(createInlinerPass());
  gpu.addPass(createSymbolDCEPass());

  GpuModuleToBinaryPassOptions binary;
  binary.toolkitPath = options.toolkit;
  binary.compilationTarget = options.format;
  pm.addPass(createGpuModuleToBinaryPass(binary));
}

void tcgen05::registerTcgen05Passes() {
  static const bool once = [] {
    registerTcgen05AnalysisPasses();
    registerPass([] { return createConvertTcgen05ToNVVM(); });
    registerPass([] { return createTcgen05AttachTarget(); });
    registerPass([] { return createTcgen05PrepareModule(); });
    registerPass([] { return createTcgen05RequireBlockSize(); });
    PassPipelineRegistration<CompileOptions>(
        "tcgen05-compile",
        "Compile the gpu.modules of a module for a chip with tcgen05.cp",
        buildCompilePipeline);
    return true;
  }();
  (void)once;
}
