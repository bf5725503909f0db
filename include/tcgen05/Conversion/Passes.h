//===- Passes.h - Passes and pipelines --------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `registerTcgen05Passes` makes everything here known by name:
// -convert-tcgen05-to-nvvm, the small passes of the pipeline, and the pipeline
// -tcgen05-compile itself, from a gpu.module to a binary.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_CONVERSION_PASSES_H
#define TCGEN05_CONVERSION_PASSES_H

#include "tcgen05/Conversion/Tcgen05ToNVVM.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

#include <memory>
#include <string>

namespace tcgen05 {

// The passes of Passes.td, where each is described.

/// `emit` is the option's text, which the pass checks when it runs.
std::unique_ptr<mlir::Pass> createConvertTcgen05ToNVVM(llvm::StringRef emit);
std::unique_ptr<mlir::Pass> createConvertTcgen05ToNVVM();
std::unique_ptr<mlir::Pass> createTcgen05AttachTarget();
/// With the values of the pass's options.
std::unique_ptr<mlir::Pass> createTcgen05AttachTarget(llvm::StringRef chip,
                                                      llvm::StringRef features,
                                                      int optLevel);
std::unique_ptr<mlir::Pass> createTcgen05PrepareModule();
std::unique_ptr<mlir::Pass> createTcgen05RequireBlockSize();

/// Stops upstream's verification of chips for all targets below `root` that
/// have tcgen05.cp: it lets `nvvm.tcgen05` operations pass for two of them
/// only.
void relaxTargets(mlir::Operation *root);

/// Options of -tcgen05-compile.
struct CompileOptions : public mlir::PassPipelineOptions<CompileOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("Chip to compile for"),
                           llvm::cl::init("sm_100a")};
  Option<std::string> format{
      *this, "format", llvm::cl::desc("llvm, isa (PTX), bin (cubin) or fatbin"),
      llvm::cl::init("fatbin")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("LLVM features, such as +ptx88; the least PTX version of "
                     "the chip if empty"),
      llvm::cl::init("")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("Directory whose bin holds ptxas; PATH if empty"),
      llvm::cl::init("")};
  Option<std::string> emit{
      *this, "emit",
      llvm::cl::desc("What a copy becomes: inline-ptx or nvvm-op"),
      llvm::cl::init("inline-ptx")};
  Option<int> optLevel{*this, "O", llvm::cl::desc("Optimization level of LLVM"),
                       llvm::cl::init(3)};
  Option<bool> check{
      *this, "check",
      llvm::cl::desc("Check the protocol around the copies first: its errors "
                     "stop, its warnings are shown"),
      llvm::cl::init(true)};
  Option<bool> reqntid{
      *this, "reqntid",
      llvm::cl::desc("Turn known block sizes into required ones"),
      llvm::cl::init(true)};
};

/// gpu.modules that mix tcgen05, gpu, nvvm, scf, cf, arith, vector, memref and
/// index, down to gpu.binary.
void buildCompilePipeline(mlir::OpPassManager &pm,
                          const CompileOptions &options);

#define GEN_PASS_DECL
#include "tcgen05/Conversion/Passes.h.inc"

/// All passes and pipelines of this header, once per process.
void registerTcgen05Passes();

} // namespace tcgen05

#endif // TCGEN05_CONVERSION_PASSES_H
