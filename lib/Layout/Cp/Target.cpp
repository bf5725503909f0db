//===- Target.cpp - Chips that have tcgen05.cp ----------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Cp/Target.h"

namespace tcgen05 {
namespace layout {

std::string cpTargetList(bool compilable) {
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

std::optional<Error> checkCpTarget(std::string_view chip) {
  if (findCpTarget(chip))
    return std::nullopt;
  return Error{"C15", "expected a target with tcgen05.cp (" + cpTargetList() +
                          "), but got " + std::string(chip)};
}

} // namespace layout
} // namespace tcgen05
