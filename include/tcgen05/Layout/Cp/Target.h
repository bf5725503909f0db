//===- Target.h - Chips that have tcgen05.cp --------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which chips assemble tcgen05.cp, and from which PTX version on. Only chips
// with an architecture-specific (a) or family-specific (f) suffix do. Source:
// ptxas 12.8, 12.9, 13.0 and 13.5, run on every chip.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_CP_TARGET_H
#define TCGEN05_LAYOUT_CP_TARGET_H

#include "tcgen05/Layout/Result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcgen05 {
namespace layout {

struct CpTarget {
  std::string_view chip;
  /// The least `.version` of PTX, times ten: 86 is 8.6.
  unsigned ptxVersion;
  /// LLVM 22 knows the chip, so that modules can be compiled for it.
  bool llvmKnows;
  /// ptxas 13 assembles for it; the others end at PTX.
  bool assembles;
};

inline constexpr std::array<CpTarget, 10> kCpTargets = {{
    {"sm_100a", 86, true, true},
    {"sm_100f", 88, true, true},
    {"sm_101a", 86, true, false},
    {"sm_101f", 88, true, false},
    {"sm_103a", 88, true, true},
    {"sm_103f", 88, true, true},
    {"sm_107a", 94, false, true},
    {"sm_107f", 94, false, true},
    {"sm_110a", 90, true, true},
    {"sm_110f", 90, true, true},
}};

/// The chip's row, or null if it has no tcgen05.cp.
inline const CpTarget *findCpTarget(std::string_view chip) {
  for (const CpTarget &target : kCpTargets)
    if (target.chip == chip)
      return &target;
  return nullptr;
}

/// `sm_100a, sm_100f, ...`: all of them, or those that LLVM can compile for.
std::string cpTargetList(bool compilable = false);

/// Rule C15: the chip has tcgen05.cp.
std::optional<Error> checkCpTarget(std::string_view chip);

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_CP_TARGET_H
