//===- Tcgen05.cpp - C API of the tcgen05 dialect -------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05-c/Tcgen05.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "tcgen05/InitAll.h"

// MLIR's macro would insert the dialect alone; its interface belongs to it.
static void insert(MlirDialectRegistry registry) {
  tcgen05::registerAllTcgen05(*unwrap(registry));
}
static MlirDialect load(MlirContext context) {
  return wrap(unwrap(context)->getOrLoadDialect<tcgen05::Tcgen05Dialect>());
}
static MlirStringRef getNamespace() {
  return wrap(tcgen05::Tcgen05Dialect::getDialectNamespace());
}

MlirDialectHandle mlirGetDialectHandle__tcgen05__() {
  static MlirDialectRegistrationHooks hooks = {insert, load, getNamespace};
  return MlirDialectHandle{&hooks};
}

void tcgen05RegisterPasses(void) { tcgen05::registerTcgen05Passes(); }

MlirModule tcgen05ModuleCreateParse(MlirContext context, MlirStringRef source,
                                    bool verify) {
  mlir::ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(unwrap(source), config);
  if (!module)
    return MlirModule{nullptr};
  tcgen05::relaxTargets(*module);
  if (verify && mlir::failed(mlir::verify(*module)))
    return MlirModule{nullptr};
  return MlirModule{module.release().getOperation()};
}
