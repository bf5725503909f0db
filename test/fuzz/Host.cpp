//===- Host.cpp - Modules in the hands of a fuzzer ------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include "Bytes.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tcgen05/Analysis/Passes.h"
#include "tcgen05/InitAll.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>

using namespace mlir;

// Uninstrumented MLIR shares allocators and containers with instrumented code.
// Reading a module allocates much: nothing is filled, and stacks are short.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "detect_odr_violation=0:max_malloc_fill_size=0:"
         "malloc_context_size=2:quarantine_size_mb=64";
}

namespace {
/// One context and its pass managers.
struct House {
  explicit House(const DialectRegistry &registry)
      : context(registry, MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
    handler.emplace(&context, [this](Diagnostic &diagnostic) {
      // Rendering is part of what is tried.
      text.clear();
      llvm::raw_string_ostream(text) << diagnostic;
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        ++errors;
    });
    check.emplace(&context, ModuleOp::getOperationName());
    clean.emplace(&context, ModuleOp::getOperationName());
    lower.emplace(&context, ModuleOp::getOperationName());
    fuzz::require(
        succeeded(parsePassPipeline("tcgen05-check-protocol", *check)) &&
            succeeded(parsePassPipeline("canonicalize", *clean)) &&
            succeeded(parsePassPipeline("convert-tcgen05-to-nvvm", *lower)),
        "the passes are known");
  }

  MLIRContext context;
  std::optional<ScopedDiagnosticHandler> handler;
  std::optional<PassManager> check, clean, lower;
  unsigned errors = 0;
  std::string text;
};

/// How far the inputs came: printed with each new context and at the end of the
/// process, which a fault of upstream's may be.
struct Counts {
  ~Counts() { print(); }
  void print() const {
    llvm::errs() << "stage::read: " << read << "\nstage::lowered: " << lowered
                 << "\nstage::refused: " << refused << "\n";
  }
  uint64_t read = 0, lowered = 0, refused = 0;
};
} // namespace

static Counts counts;
static std::unique_ptr<House> house;

static void renew() {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                    LLVM::LLVMDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                    scf::SCFDialect, vector::VectorDialect>();
    tcgen05::registerAllTcgen05(registry);
    tcgen05::registerTcgen05Passes();
    registerTransformsPasses();
    return registry;
  }();
  static unsigned age = 0;
  if (!house || ++age % 1000 == 0) {
    counts.print();
    house.reset();
    house = std::make_unique<House>(registry);
  }
}

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().enableDebugInfo(false));
  return text;
}

static std::string write(Operation *op) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  fuzz::require(succeeded(writeBytecodeToFile(op, stream)),
                "what verifies is written as bytecode");
  return bytes;
}

static bool holdsDialect(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return op->getDialect() && op->getDialect()->getNamespace() == "tcgen05"
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Upstream writes an operation named "a." or "." to bytecode without the dot.
static bool hasLostName(Operation *root) {
  return root
      ->walk([](Operation *op) {
        const auto [dialect, rest] = op->getName().getStringRef().split('.');
        return rest.empty() && !op->isRegistered() &&
                       op->getName().getStringRef().contains('.')
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static void exercise(ModuleOp module) {
  const std::string printed = print(module);
  for (const std::string &form : {printed, write(module)}) {
    OwningOpRef<ModuleOp> again =
        parseSourceString<ModuleOp>(form, module.getContext());
    fuzz::require(bool(again), "the written module reads back");
    fuzz::require(print(*again) == printed, "printing is stable");
  }
  const OperationFingerPrint before(module);
  (void)house->check->run(module);
  fuzz::require(OperationFingerPrint(module) == before,
                "checking the protocol changes nothing");

  OwningOpRef<ModuleOp> cleaned = module.clone();
  fuzz::require(succeeded(house->clean->run(*cleaned)),
                "canonicalising keeps a module legal");
  for (ModuleOp lowered : {module, *cleaned}) {
    house->errors = 0;
    if (succeeded(house->lower->run(lowered))) {
      fuzz::require(!holdsDialect(lowered), "the lowering leaves nothing");
      ++counts.lowered;
    } else {
      fuzz::require(house->errors != 0, "a refusal comes with an error");
      ++counts.refused;
    }
  }
}

bool fuzz::run(llvm::StringRef input) {
  renew();
  const fuzz::Second limit;
  house->errors = 0;
  // Ends with a zero, as the buffer of a file does: the lexer looks at it.
  const std::string source = input.str();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source, &house->context);
  if (!module) {
    fuzz::require(house->errors != 0, "a refusal comes with an error");
    return false;
  }
  if (hasLostName(*module))
    return false;
  ++counts.read;
  exercise(*module);
  return true;
}

std::optional<std::string> fuzz::toBytecode(llvm::StringRef text) {
  renew();
  const std::string source = text.str();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source, &house->context);
  if (!module)
    return std::nullopt;
  return write(*module);
}
