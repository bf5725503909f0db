//===- Target.cpp - Chips that have tcgen05.cp ----------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Cp/Target.h"

std::string tcgen05::layout::cpTargetList(bool compilable) {
  std::string list;
  for (const CpTarget &target : kCpTargets) {
    if (compilable && !target.llvmKnows)
      continue;
    if (!list.empty())
      list += ", ";
    list += target.chip;
  }
  return list;
}
