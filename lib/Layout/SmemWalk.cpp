//===- SmemWalk.cpp - The order in which a descriptor is read -------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/SmemWalk.h"

using namespace tcgen05::layout;

std::string SmemWalk::str() const {
  return "ldo = " + std::to_string(ldo) + ", sdo = " + std::to_string(sdo) +
         ", swizzle = " + std::string(name(swizzle));
}
