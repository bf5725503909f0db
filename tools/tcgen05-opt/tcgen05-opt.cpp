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
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tcgen05/InitAll.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

/// True if the command line runs the pipeline that replaces targets. A file may
/// name a chip that has tcgen05.cp, but for which upstream's verifier refuses
/// nvvm.tcgen05 operations: it must not run before the target is replaced. It
/// runs after that first pass, and after every other.
static bool replacesTargets(llvm::ArrayRef<char *> arguments) {
  return llvm::any_of(arguments, [](llvm::StringRef argument) {
    return argument.starts_with("-") && argument.contains("tcgen05-compile");
  });
}

int main(int argc, char **argv) {
  tcgen05::explainBugReports();
  tcgen05::allowDeepInput();
  llvm::SmallVector<char *> arguments(argv, argv + argc);
  std::string unverified = "--mlir-very-unsafe-disable-verifier-on-parsing";
  if (replacesTargets(arguments))
    arguments.push_back(unverified.data());

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  tcgen05::registerAllTcgen05(registry);

  mlir::registerAllPasses();
  tcgen05::registerTcgen05Passes();

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(static_cast<int>(arguments.size()), arguments.data(),
                        "tcgen05 optimizer and lowering driver\n", registry));
}
