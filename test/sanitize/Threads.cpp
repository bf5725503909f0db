//===- Threads.cpp - Many threads, many contexts and one ------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For ThreadSanitizer, which sees the accesses of this project's code alone:
// MLIR is not instrumented, but its locks are calls that TSan intercepts. Eight
// threads read, check, clean, lower and print modules, first each in a context
// of its own, then all in one context whose thread pool is on. Whatever a
// thread gets must be what one thread alone gets.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tcgen05/Analysis/Passes.h"
#include "tcgen05/InitAll.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace mlir;

static constexpr unsigned kThreads = 8;
static constexpr unsigned kFunctions = 24;

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

/// Functions whose row groups lie another number of bytes apart in each, so
/// that threads share some types and have others alone.
static std::string source(unsigned variant) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (unsigned i = 0; i < kFunctions; ++i) {
    const unsigned step = 40 + 4 * (i + variant * kFunctions / 2);
    const std::string dst = "!tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] "
                            ": [1@lane, 1@col]>>";
    const std::string src =
        "!tcgen05.smem<128x4xi32, #tcgen05.layout<[(16, 8), 4] : [(" +
        std::to_string(step) + ", 4), 1]>>";
    out << "func.func @f" << i << "(%t: " << dst << ", %s: " << src
        << ", %p: i1) {\n  tcgen05.cp \"cta_group::1.128x128b\" %t, %s, pred "
           "%p : "
        << dst << ", " << src << "\n  return\n}\n";
  }
  return text;
}

static std::string lowered(MLIRContext &context, unsigned variant) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source(variant), &context);
  require(bool(module), "the module reads");
  PassManager passes(&context, ModuleOp::getOperationName());
  require(succeeded(parsePassPipeline(
              "tcgen05-check-protocol,func.func(canonicalize,cse),"
              "convert-tcgen05-to-nvvm,func.func(canonicalize,cse)",
              passes)),
          "the passes are known");
  require(succeeded(passes.run(*module)), "the module lowers");
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out);
  return text;
}

static void atOnce(const std::function<void(unsigned)> &work) {
  std::atomic<unsigned> waiting{kThreads};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (--waiting; waiting.load() != 0;)
        std::this_thread::yield();
      work(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

int main() {
  tcgen05::registerTcgen05Passes();
  registerTransformsPasses();
  DialectRegistry registry;
  registry.insert<func::FuncDialect, NVVM::NVVMDialect>();
  tcgen05::registerAllTcgen05(registry);

  std::vector<std::string> expected;
  for (unsigned i = 0; i < kThreads; ++i) {
    MLIRContext alone(registry, MLIRContext::Threading::DISABLED);
    expected.push_back(lowered(alone, i));
  }
  atOnce([&](unsigned i) {
    MLIRContext own(registry);
    require(lowered(own, i) == expected[i], "a context of its own");
  });
  // Passes load the dialects that they need: once, before there are threads, as
  // upstream asks of a context that is shared.
  MLIRContext shared(registry);
  shared.loadAllAvailableDialects();
  require(lowered(shared, 0) == expected[0], "one context, one thread");
  atOnce([&](unsigned i) {
    for (unsigned n = 0; n < kThreads; ++n)
      require(lowered(shared, (i + n) % kThreads) ==
                  expected[(i + n) % kThreads],
              "one context for all");
  });
  std::printf("%u threads: %u modules in contexts of their own, %u in one\n",
              kThreads, kThreads, kThreads * kThreads);
  return 0;
}
