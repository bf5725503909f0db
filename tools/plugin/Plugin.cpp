//===- Plugin.cpp - the dialect as a plugin of mlir-opt -------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a stock mlir-opt of the LLVM version this was built with:
//
//   mlir-opt --load-dialect-plugin=Tcgen05Plugin.so \
//     --load-pass-plugin=Tcgen05Plugin.so \
//     --pass-pipeline='builtin.module(convert-tcgen05-to-nvvm)' FILE
//
// Passes of a plugin are known to --pass-pipeline only: the options of the
// command line are made before the plugin is loaded.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "tcgen05/InitAll.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

/// The version of the plugin interface. It says nothing about the C++ classes
/// behind it, so a host with another LLVM than the one this was built with ends
/// here: with one sentence, where mlir-opt would abort on a plugin that returns
/// an error, and crash on one that does not.
static uint32_t apiVersion() {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR && minor == LLVM_VERSION_MINOR)
    return MLIR_PLUGIN_API_VERSION;
  llvm::errs() << "error: expected Tcgen05Plugin to be loaded by LLVM "
               << LLVM_VERSION_STRING << ", but got LLVM " << major << '.'
               << minor << '.' << patch << '\n';
  std::_Exit(1);
}

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {apiVersion(), "Tcgen05", LLVM_VERSION_STRING,
          [](::mlir::DialectRegistry *registry) {
            ::tcgen05::registerAllTcgen05(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {apiVersion(), "Tcgen05", LLVM_VERSION_STRING,
          [] { ::tcgen05::registerTcgen05Passes(); }};
}
