//===- Host.h - Modules in the hands of a fuzzer ----------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the text and the bytecode fuzzer share: a context that is replaced now
// and then (types and attributes live as long as it does), and `run`, which
// does to a module what a compiler would: verify, print and read again, check
// the protocol, canonicalise, lower. It requires what always holds:
//
//   - what verifies prints to a text that reads back and prints alike;
//   - bytecode gives the same module back;
//   - checking the protocol changes nothing;
//   - canonicalising a legal module gives a legal module;
//   - after the lowering nothing of the dialect is left;
//   - a refusal comes with an error.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_FUZZ_HOST_H
#define TCGEN05_TEST_FUZZ_HOST_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace fuzz {

/// Reads text or bytecode and exercises what it holds; counts what came of it.
/// Returns whether it read.
bool run(llvm::StringRef input);

/// The module as bytecode; nothing if the text does not read.
std::optional<std::string> toBytecode(llvm::StringRef text);

} // namespace fuzz

#endif // TCGEN05_TEST_FUZZ_HOST_H
