//===- Swizzle.cpp - The XOR on shared-memory addresses -------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Swizzle.h"

namespace tcgen05 {
namespace layout {

static constexpr std::array<std::string_view, 4> kNames = {"none", "32B", "64B",
                                                           "128B"};

std::string_view name(Swizzle swizzle) { return kNames[mode(swizzle)]; }

std::optional<Swizzle> swizzleOfBytes(int64_t bytes) {
  for (Swizzle swizzle : kSwizzles)
    if (swizzle != Swizzle::None && rowBytes(swizzle) == bytes)
      return swizzle;
  return std::nullopt;
}

} // namespace layout
} // namespace tcgen05
