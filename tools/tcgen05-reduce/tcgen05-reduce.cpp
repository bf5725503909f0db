//===- tcgen05-reduce.cpp - mlir-reduce with the tcgen05 dialect ----------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a module small that shows a fault. A script says whether a file still
// shows it, by exit status 1; everything the fault does not need goes:
//
//   tcgen05-reduce crash.mlir --reduction-tree='traversal-mode=0 test=script'
//
// Where the file names its chip, only these chips pass upstream's verifier, so
// it may have to be replaced by sm_100a first.
//
//===----------------------------------------------------------------------===//

#include "../BugReport.h"
#include "../DeepInput.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "tcgen05/IR/Tcgen05.h"
#include "tcgen05/InitAll.h"

namespace {
/// Upstream's reducer erases ranges of operations, which mostly leaves a
/// function without its terminator. So this is how single copies go, each if
/// the fault shows without it; views that nobody uses go by folding.
struct EraseCopy : public mlir::OpRewritePattern<tcgen05::CpOp> {
  EraseCopy(mlir::MLIRContext *context, mlir::Tester &tester)
      : OpRewritePattern(context), tester(tester) {}

  mlir::LogicalResult
  matchAndRewrite(tcgen05::CpOp op,
                  mlir::PatternRewriter &rewriter) const override {
    mlir::Operation *root = op;
    while (root->getParentOp())
      root = root->getParentOp();
    mlir::IRMapping mapping;
    mlir::OwningOpRef<mlir::ModuleOp> without(
        llvm::cast<mlir::ModuleOp>(root->clone(mapping)));
    mapping.lookup(op.getOperation())->erase();
    if (tester.isInteresting(*without).first !=
        mlir::Tester::Interestingness::True)
      return mlir::failure();
    rewriter.eraseOp(op);
    return mlir::success();
  }

  mlir::Tester &tester;
};

struct Reduction : public mlir::DialectReductionPatternInterface {
  explicit Reduction(mlir::Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(mlir::RewritePatternSet &) const override {}
  void
  populateReductionPatternsWithTester(mlir::RewritePatternSet &patterns,
                                      mlir::Tester &tester) const override {
    patterns.add<EraseCopy>(patterns.getContext(), tester);
  }
};
} // namespace

int main(int argc, char **argv) {
  tcgen05::explainBugReports();
  tcgen05::allowDeepInput();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  tcgen05::registerAllTcgen05(registry);
  registry.addExtension(
      +[](mlir::MLIRContext *, tcgen05::Tcgen05Dialect *dialect) {
        dialect->addInterfaces<Reduction>();
      });

  mlir::registerAllPasses();
  tcgen05::registerTcgen05Passes();

  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
