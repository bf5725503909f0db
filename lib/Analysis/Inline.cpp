//===- Inline.cpp - A function with what it calls, for reading ------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inline.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tcgen05::check;

namespace {
constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxOperations = 2000000;

struct Inliner {
  Operation *within;
  InlinedFunction &result;
  size_t operations = 0;
  SmallVector<Operation *> callers = {};

  void remember(const IRMapping &mapping, std::optional<Location> call) {
    for (auto [from, to] : mapping.getOperationMap()) {
      result.origins[to] = from;
      if (call)
        to->setLoc(CallSiteLoc::get(to->getLoc(), *call));
    }
    operations += mapping.getOperationMap().size();
  }

  /// Replaces the calls among the copies that `mapping` made of `body`.
  void inlineCallsOf(Region &body, const IRMapping &mapping) {
    SmallVector<std::pair<Operation *, Operation *>> calls;
    body.walk([&](CallOpInterface call) {
      if (Operation *copy = mapping.lookupOrNull(call.getOperation()))
        calls.push_back({call, copy});
    });
    for (auto [original, copy] : calls)
      inlineCall(original, copy);
  }

  void inlineCall(Operation *original, Operation *call) {
    FunctionOpInterface callee = calleeOf(original, within);
    if (!callee || llvm::is_contained(callers, callee.getOperation()) ||
        callers.size() >= kMaxDepth || operations > kMaxOperations)
      return;
    Region &body = callee.getFunctionBody();
    auto operands = cast<CallOpInterface>(call).getArgOperands();
    if (operands.size() != body.getNumArguments())
      return;
    for (Block &block : body) {
      Operation *last = block.empty() ? nullptr : &block.back();
      if (!last ||
          (isReturn(last) && last->getOperandTypes() != call->getResultTypes()))
        return;
    }
    callers.push_back(callee);
    IRMapping mapping;
    OpBuilder builder(call);
    if (body.hasOneBlock()) {
      Block &block = body.front();
      for (auto [argument, operand] :
           llvm::zip_equal(block.getArguments(), operands))
        mapping.map(argument, operand);
      for (Operation &op : block.without_terminator())
        builder.clone(op, mapping);
      if (isReturn(&block.back()))
        for (auto [old, value] :
             llvm::zip_equal(call->getResults(), block.back().getOperands()))
          old.replaceAllUsesWith(mapping.lookupOrDefault(value));
    } else {
      auto scope = scf::ExecuteRegionOp::create(builder, call->getLoc(),
                                                call->getResultTypes());
      body.cloneInto(&scope.getRegion(), mapping);
      Block &entry = scope.getRegion().front();
      for (auto [argument, operand] :
           llvm::zip_equal(entry.getArguments(), operands))
        argument.replaceAllUsesWith(operand);
      entry.eraseArguments(0, entry.getNumArguments());
      for (Block &block : scope.getRegion())
        if (Operation *last = &block.back(); isReturn(last)) {
          builder.setInsertionPoint(last);
          scf::YieldOp::create(builder, last->getLoc(), last->getOperands());
          mappedReturns.push_back(last);
        }
      call->replaceAllUsesWith(scope.getResults());
    }
    IRMapping kept;
    for (auto [from, to] : mapping.getOperationMap())
      if (!llvm::is_contained(mappedReturns, to))
        kept.map(from, to);
    for (Operation *last : mappedReturns)
      last->erase();
    mappedReturns.clear();
    remember(kept, call->getLoc());
    result.origins.erase(call);
    if (call->use_empty())
      call->erase();
    inlineCallsOf(body, kept);
    callers.pop_back();
  }

  SmallVector<Operation *> mappedReturns = {};
};
} // namespace

bool tcgen05::check::isReturn(Operation *op) {
  // gpu.return does not say that it is one.
  return op->hasTrait<OpTrait::ReturnLike>() || isa<gpu::ReturnOp>(op);
}

FunctionOpInterface tcgen05::check::calleeOf(Operation *call,
                                             Operation *within) {
  auto interface = dyn_cast<CallOpInterface>(call);
  if (!interface || !within)
    return {};
  auto symbol = dyn_cast<SymbolRefAttr>(interface.getCallableForCallee());
  if (!symbol)
    return {};
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupNearestSymbolFrom(call, symbol));
  if (!callee || callee.isExternal() || !within->isProperAncestor(callee))
    return {};
  return callee;
}

InlinedFunction tcgen05::check::inlineCalls(FunctionOpInterface function,
                                            Operation *within) {
  InlinedFunction result;
  IRMapping mapping;
  result.copy = function->clone(mapping);
  Inliner inliner{within, result};
  inliner.callers.push_back(function);
  inliner.remember(mapping, std::nullopt);
  inliner.inlineCallsOf(function.getFunctionBody(), mapping);
  return result;
}
