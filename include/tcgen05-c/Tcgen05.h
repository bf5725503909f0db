//===- Tcgen05.h - C API of the tcgen05 dialect -----------------*- C -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two functions are all that a host needs to take the dialect in: one hands out
// the dialect, the other registers its passes and pipelines. Types, attributes
// and ops are made from text or through the generic C API of MLIR. A third
// parses modules that name chips which upstream's verifier does not know.
//
//   MlirDialectHandle handle = mlirGetDialectHandle__tcgen05__();
//   mlirDialectHandleRegisterDialect(handle, context);
//   mlirDialectHandleLoadDialect(handle, context);
//   tcgen05RegisterPasses();
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_C_TCGEN05_H
#define TCGEN05_C_TCGEN05_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The handle `mlirGetDialectHandle__tcgen05__()`.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tcgen05, tcgen05);

/// Registers the passes and pipelines of the dialect, once per process however
/// often it is called.
MLIR_CAPI_EXPORTED void tcgen05RegisterPasses(void);

/// As `mlirModuleCreateParse`, for modules whose `gpu.module`s name their
/// target already. Upstream lets its `nvvm.tcgen05` operations verify for two
/// chips only; here they do for every chip that has tcgen05.cp. Everything else
/// is verified as usual, or not at all without `verify`: what explains an
/// illegal module has to hold it first. Null, with diagnostics, if the source
/// is not legal.
MLIR_CAPI_EXPORTED MlirModule tcgen05ModuleCreateParse(MlirContext context,
                                                       MlirStringRef source,
                                                       bool verify);

#ifdef __cplusplus
}
#endif

#endif // TCGEN05_C_TCGEN05_H
