//===- Target.h - Chips that have tcgen05.cp --------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which chips have tcgen05.cp: only some with an architecture-specific (a) or
// family-specific (f) suffix do. Source: ptxas 12.8, 12.9, 13.0 and 13.5, run
// on every chip.
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

/// A chip that has tcgen05.cp.
struct CpTarget {
  std::string_view chip;
  /// LLVM 22 knows the chip, so that modules can be compiled for it.
  bool llvmKnows;
};

inline constexpr std::array<CpTarget, 10> kCpTargets = {{
    {"sm_100a", true},
    {"sm_100f", true},
    {"sm_101a", true},
    {"sm_101f", true},
    {"sm_103a", true},
    {"sm_103f", true},
    {"sm_107a", false},
    {"sm_107f", false},
    {"sm_110a", true},
    {"sm_110f", true},
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
