//===- DeepInput.h - Room for input that is nested deeply -------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR reads, verifies and prints regions by recursion, some 2 KiB of stack for
// each level: with the 8 MiB that programs get, a generated file of 5,000
// nested modules ends a tool by a signal. The stack of the main thread grows
// while its limit allows, so a tool asks for more before it reads anything.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TOOLS_DEEPINPUT_H
#define TCGEN05_TOOLS_DEEPINPUT_H

#include <algorithm>
#include <sys/resource.h>

namespace tcgen05 {

/// Lets the main thread's stack grow to 120 MiB, or to what the user allows: as
/// far as Linux keeps the addresses below a program's stack free.
inline void allowDeepInput() {
  constexpr rlim_t kStackBytes = rlim_t(120) << 20;
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kStackBytes)
    return;
  stack.rlim_cur = std::min(kStackBytes, stack.rlim_max);
  (void)setrlimit(RLIMIT_STACK, &stack);
}

} // namespace tcgen05

#endif // TCGEN05_TOOLS_DEEPINPUT_H
