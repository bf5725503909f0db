//===- CheckProtocol.cpp - -tcgen05-check-protocol ------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "Inline.h"
#include "tcgen05/Analysis/Passes.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>
#include <vector>

namespace tcgen05 {
#define GEN_PASS_DEF_TCGEN05CHECKPROTOCOL
#include "tcgen05/Analysis/Passes.h.inc"
} // namespace tcgen05

using namespace mlir;
using namespace tcgen05;
using namespace tcgen05::check;

namespace {
/// Kinds that only kernels with tensor memory have.
constexpr EventMask kTensorEvents =
    bit(EventKind::Copy) | bit(EventKind::Mma) | bit(EventKind::Group) |
    bit(EventKind::Read) | bit(EventKind::Alloc) | bit(EventKind::Dealloc) |
    bit(EventKind::Relinquish) | bit(EventKind::View) | bit(EventKind::Commit);

struct CheckProtocol
    : public tcgen05::impl::Tcgen05CheckProtocolBase<CheckProtocol> {
  using Tcgen05CheckProtocolBase::Tcgen05CheckProtocolBase;

  void runOnOperation() override {
    for (const std::string &rule : disable)
      if (!llvm::is_contained(kCheckRules, std::string_view(rule))) {
        getOperation()->emitError("expected disable to name findings (")
            << llvm::join(llvm::map_range(kCheckRules,
                                          [](std::string_view name) {
                                            return StringRef(name.data(),
                                                             name.size());
                                          }),
                          ", ")
            << "), but got '" << rule << "'";
        return signalPassFailure();
      }
    markAllAnalysesPreserved();
    sawError = false;
    reported.clear();
    Operation *root = getOperation();
    // Beside a function, others may be at work on its neighbours.
    auto only = dyn_cast<FunctionOpInterface>(root);
    Operation *within = only ? nullptr : root;
    SmallVector<FunctionOpInterface> functions;
    llvm::DenseSet<Operation *> called;
    llvm::DenseSet<StringAttr> clustered;
    root->walk([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op);
          function && !function.isExternal())
        functions.push_back(function);
      if (FunctionOpInterface callee = calleeOf(op, within))
        called.insert(callee);
      if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
          launch && launch.hasClusterSize())
        clustered.insert(launch.getKernelName());
    });
    for (FunctionOpInterface function : functions) {
      if (called.contains(function) && !isKernelFunction(function) &&
          function != root)
        continue;
      if (failed(check(function, within,
                       clustered.contains(function.getNameAttr()))))
        return signalPassFailure();
    }
    if (sawError)
      signalPassFailure();
  }

private:
  LogicalResult check(FunctionOpInterface function, Operation *within,
                      bool isClustered) {
    InlinedFunction inlined = inlineCalls(function, within);
    auto copy = cast<FunctionOpInterface>(*inlined.copy);
    Kernel kernel(copy, function);
    EventMask mask = 0;
    for (const Event &event : kernel.events)
      mask |= bit(event.kind);
    if (!(mask & kTensorEvents))
      return success();

    Findings findings;
    findGroups(kernel, isClustered, findings);
    findIssuers(kernel, findings);

    Protocol protocol(kernel);
    DataFlowSolver solver(DataFlowConfig().setInterprocedural(false));
    dataflow::loadBaselineAnalyses(solver);
    solver.load<ProtocolAnalysis>(protocol);
    if (failed(solver.initializeAndRun(copy)))
      return failure();
    for (uint32_t i = 0; i < kernel.events.size();) {
      Operation *op = kernel.events[i].op;
      const auto *before =
          solver.lookupState<ProtocolLattice>(solver.getProgramPointBefore(op));
      Items items = before && before->get() ? *before->get() : Items();
      for (; i < kernel.events.size() && kernel.events[i].op == op; ++i) {
        if (!before || !before->get())
          continue; // never reached
        checkAllocation(protocol, items, i, findings);
        checkSource(protocol, items, i, findings);
        checkCompletion(protocol, items, i, findings);
        items = protocol.step(items, i);
      }
    }
    emit(kernel, inlined, findings);
    return success();
  }

  /// In the order of the text; one of a kind for each operation.
  void emit(const Kernel &kernel, const InlinedFunction &inlined,
            const Findings &findings) {
    llvm::DenseMap<Operation *, unsigned> position;
    for (const Event &event : kernel.events)
      position.try_emplace(event.op, position.size());
    auto rank = [](const Finding &finding) {
      return llvm::find(kCheckRules, finding.rule) - kCheckRules.begin();
    };
    // By place, rule, and as they were found; std::stable_sort would do, but
    // for a function of libstdc++ that Clang calls deprecated.
    std::vector<std::tuple<unsigned, ptrdiff_t, size_t>> order;
    for (auto [index, finding] : llvm::enumerate(findings))
      order.emplace_back(position.lookup(finding.op), rank(finding), index);
    llvm::sort(order);
    for (const auto &key : order) {
      const Finding &finding = findings[std::get<2>(key)];
      if (llvm::is_contained(disable, std::string(finding.rule)))
        continue;
      // A helper that is called twice is wrong once.
      Operation *origin = inlined.origins.lookup(finding.op);
      if (!reported.insert({origin ? origin : finding.op, rank(finding)})
               .second)
        continue;
      const bool isError = finding.isError || werror;
      sawError |= isError;
      InFlightDiagnostic diagnostic = isError
                                          ? emitError(finding.op->getLoc())
                                          : emitWarning(finding.op->getLoc());
      diagnostic << "'" << finding.op->getName() << "' op " << finding.message
                 << " [" << StringRef(finding.rule.data(), finding.rule.size())
                 << "]";
      for (const auto &[where, note] : finding.notes)
        diagnostic.attachNote(where) << note;
    }
  }

  bool sawError = false;
  llvm::DenseSet<std::pair<Operation *, ptrdiff_t>> reported;
};
} // namespace

std::unique_ptr<Pass> tcgen05::createTcgen05CheckProtocol() {
  return std::make_unique<CheckProtocol>();
}

void tcgen05::registerTcgen05AnalysisPasses() {
  registerPass([] { return createTcgen05CheckProtocol(); });
}
