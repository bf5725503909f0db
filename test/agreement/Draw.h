//===- Draw.h - Copies that are legal, or nearly so -------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts drawn blindly are all rejected by the same two rules. So a copy is
// first built to be legal (repeats, group members and terms are laid out as
// the digits of a mixed radix in tensor memory, the source along a walk), then
// changed in one place, rarely in two: a stride, an extent, an offset, a term,
// a replica, a limit, up to the ends of 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_AGREEMENT_DRAW_H
#define TCGEN05_TEST_AGREEMENT_DRAW_H

#include "Judge.h"

namespace agreement {

Copy drawCopy(Random &random);

/// Any small layout on any axes: for properties that hold of all layouts.
Plain drawLayout(Random &random);
/// Changes one thing.
void mutate(Plain &plain, Random &random);
/// A layout that is written otherwise and is the same function.
Plain rewritten(const Plain &plain, Random &random);

} // namespace agreement

#endif // TCGEN05_TEST_AGREEMENT_DRAW_H
