//===- tcgen05-lsp-server.cpp - language server for .mlir files -----------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language server of MLIR for files that hold the tcgen05 dialect: an
// editor shows the verifier's sentences while one types.
//
//===----------------------------------------------------------------------===//

#include "../BugReport.h"
#include "../DeepInput.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tcgen05/InitAll.h"

int main(int argc, char **argv) {
  tcgen05::explainBugReports();
  tcgen05::allowDeepInput();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  tcgen05::registerAllTcgen05(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
