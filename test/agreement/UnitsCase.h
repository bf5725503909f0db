//===- UnitsCase.h - Copies in text -----------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the units about plans are written in: a copy as its opcode and the texts
// of its layouts, and what planning makes of it.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_AGREEMENT_UNITSCASE_H
#define TCGEN05_TEST_AGREEMENT_UNITSCASE_H

#include "tcgen05/Layout/Cp/Plan.h"

#include <string>

namespace agreement {

/// A copy in text, and what is to be said about it: the rule, the sentence, and
/// the notes, joined by `|`.
struct Case {
  const char *opcode, *dst, *src, *expected;
  int64_t columns = 512, align = 16, storage = 0;
  tcgen05::layout::CpScope scope = tcgen05::layout::CpScope::Thread;
  int64_t dstBits = 32;
  const char *element = "";
};

inline const char *const kT = "[128, 4] : [1@lane, 1@col]";
inline const char *const kS = "[128, 4] : [4, 1]";

inline tcgen05::layout::TmemRegion dstOf(const Case &one) {
  tcgen05::layout::TmemRegion dst;
  dst.layout = *tcgen05::layout::Layout::parse(one.dst);
  dst.columns = one.columns;
  dst.bits = one.dstBits;
  dst.element = one.element;
  return dst;
}

inline tcgen05::layout::SmemRegion srcOf(const Case &one) {
  tcgen05::layout::SmemRegion src;
  src.layout = *tcgen05::layout::Layout::parse(one.src);
  src.align = one.align;
  if (one.storage != 0)
    src.storage = one.storage;
  return src;
}

inline tcgen05::layout::Result<tcgen05::layout::CpPlan>
planOf(const Case &one, tcgen05::layout::CpMatching matching =
                            tcgen05::layout::CpMatching::Strides) {
  return tcgen05::layout::planCp(*tcgen05::layout::CpOpcode::parse(
                                     std::string("cta_group::1.") + one.opcode),
                                 dstOf(one), srcOf(one), one.scope, matching);
}

} // namespace agreement

#endif // TCGEN05_TEST_AGREEMENT_UNITSCASE_H
