//===- InitAll.h - Everything a host registers ------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tool of your own needs:
//
//   mlir::DialectRegistry registry;
//   tcgen05::registerAllTcgen05(registry);
//   tcgen05::registerTcgen05Passes();
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_INITALL_H
#define TCGEN05_INITALL_H

#include "tcgen05/Conversion/Passes.h"
#include "tcgen05/IR/Dialect.h"

namespace tcgen05 {

/// The dialect, and the interface through which -convert-to-llvm and
/// -convert-gpu-to-nvvm lower it.
inline void registerAllTcgen05(mlir::DialectRegistry &registry) {
  registry.insert<Tcgen05Dialect>();
  registerConvertTcgen05ToLLVMInterface(registry);
}

} // namespace tcgen05

#endif // TCGEN05_INITALL_H
