//===- layout-only.cpp - Rules and descriptors without MLIR ---------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the descriptor of a walk, and why another has none.
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/SmemDescriptor.h"

#include <cstdio>

using namespace tcgen05::layout;

int main() {
  for (int64_t start : {0x400, 0x408}) {
    SmemDescriptor descriptor;
    descriptor.start = start;
    descriptor.sdo = 128;
    if (auto word = descriptor.encode())
      std::printf("0x%016llx\n", static_cast<unsigned long long>(*word));
    else
      std::printf("%s\n", word.error().message.c_str());
  }
  return 0;
}
