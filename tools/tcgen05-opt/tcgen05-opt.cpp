//===- tcgen05-opt.cpp - mlir-opt with the tcgen05 dialect ----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that mlir-opt knows, and the dialect, passes and pipelines of this
// project. The LLVM IR translations are registered as well, since
// gpu-module-to-binary goes through them.
//
//===----------------------------------------------------------------------===//

#include "../BugReport.h"
#include "../DeepInput.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tcgen05/InitAll.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <tuple>

/// True if the first pass of the command line is the pipeline that replaces
/// targets. A file may name a chip that has tcgen05.cp, but for which
/// upstream's verifier refuses nvvm.tcgen05 operations: it must not run before
/// the target is replaced. It runs after that first pass, and after every
/// other.
static bool replacesTargetsFirst(llvm::ArrayRef<char *> arguments) {
  const llvm::StringRef pipeline = "tcgen05-compile";
  for (size_t i = 1; i < arguments.size(); ++i) {
    llvm::StringRef name = arguments[i];
    if (!name.consume_front("-"))
      continue;
    name.consume_front("-");
    llvm::StringRef value;
    std::tie(name, value) = name.split('=');
    if (name == "pass-pipeline") {
      if (value.empty() && i + 1 < arguments.size())
        value = arguments[i + 1];
      value = value.ltrim();
      value.consume_front("builtin.module(");
      return value.ltrim().starts_with(pipeline);
    }
    if (mlir::PassInfo::lookup(name) || mlir::PassPipelineInfo::lookup(name))
      return name == pipeline;
  }
  return false;
}

int main(int argc, char **argv) {
  tcgen05::explainBugReports();
  tcgen05::allowDeepInput();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  tcgen05::registerAllTcgen05(registry);

  mlir::registerAllPasses();
  tcgen05::registerTcgen05Passes();

  llvm::SmallVector<char *> arguments(argv, argv + argc);
  std::string unverified = "--mlir-very-unsafe-disable-verifier-on-parsing";
  if (replacesTargetsFirst(arguments))
    arguments.push_back(unverified.data());

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(static_cast<int>(arguments.size()), arguments.data(),
                        "tcgen05 optimizer and lowering driver\n", registry));
}
