//===- Dialect.cpp - The tcgen05 dialect ----------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/IR/Tcgen05.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tcgen05;

#include "tcgen05/IR/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "tcgen05/IR/Ops.cpp.inc"

namespace {
/// Layouts are long and occur often: they get a name of their own in print.
struct LayoutAliases : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    auto layoutAttr = dyn_cast<LayoutAttr>(attribute);
    if (!layoutAttr)
      return AliasResult::NoAlias;
    const layout::Layout &layout = layoutAttr.toLayout();
    const bool tmem = layout.usesAxis(layout::Axis::Lane) ||
                      layout.usesAxis(layout::Axis::Col);
    os << (tmem ? "tmem_layout" : "smem_layout");
    return AliasResult::FinalAlias;
  }
};

/// A copy is the same wherever the function that issues it is called from.
struct Inlining : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void Tcgen05Dialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tcgen05/IR/Ops.cpp.inc"
      >();
  addInterfaces<LayoutAliases, Inlining>();
}

InFlightDiagnostic tcgen05::report(InFlightDiagnostic diagnostic,
                                   const layout::Error &error) {
  // Sentences quote what a user wrote, which need not be printable.
  const auto printable = [](StringRef text) {
    std::string escaped;
    llvm::raw_string_ostream os(escaped);
    llvm::printEscapedString(text, os);
    return escaped;
  };
  diagnostic << printable(error.message);
  for (const std::string &note : error.notes)
    diagnostic.attachNote() << printable(note);
  return diagnostic;
}

LogicalResult tcgen05::report(Operation *op, const layout::Error &error) {
  return report(op->emitOpError(), error);
}
