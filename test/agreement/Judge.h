//===- Judge.h - The rules of tcgen05.cp by listing everything --*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules C2 to C14 decided by visiting every point of the atom, every replica,
// repeat and member of the group, and every value of the run-time terms.
// Written from the rules in docs/ and from the PTX ISA, not from the library.
//
// Axes longer than anything that tensor memory can hold are listed from both
// ends only (`digitsOf` says why that loses nothing), so that extents to the
// end of 64 bits are judged as well.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_AGREEMENT_JUDGE_H
#define TCGEN05_TEST_AGREEMENT_JUDGE_H

#include "Plain.h"

#include <cstdint>
#include <string>
#include <vector>

namespace agreement {

struct AtomFacts {
  const char *shape;
  const char *multicast;
  int64_t rows, words;
  std::vector<int64_t> lanes;
  std::vector<int64_t> replicas;
};

/// The six rows of the table of shapes, written out lane by lane.
const std::vector<AtomFacts> &atoms();

/// Lengths that the group axes of a scope may have; 0 is any.
struct ScopeFacts {
  const char *name;
  std::vector<std::vector<int64_t>> lengths;
};
const std::vector<ScopeFacts> &scopes();

struct Copy {
  unsigned atom = 0, scope = 0;
  Plain dst, src;
};

/// What the judge found.
struct Verdict {
  /// Empty if legal; `C2` to `C14`; `type` if the types of the operands do not
  /// exist; `skip` if there is too much to list.
  std::string rule;
  int mode = 0;
  int64_t ldo = 16, sdo = 0;
  /// The lowest lane of the replicas, relative to the offset.
  int64_t lowest = 0;
  int64_t storage = 0;
  /// What a sentence may say after `but got` (C7, C8, C12): every origin that
  /// breaks the rule. Not filled in for axes that were not listed in full.
  std::vector<std::string> offenders = {};
};

/// True if the numbers make a layout: extents positive, positions and their
/// parts within 2^56, fewer than 2^63 points.
bool isWellFormed(const Plain &plain);

/// One past the last byte of the swizzled image.
int64_t imageEnd(const Plain &src);

/// Both layouts must be well-formed.
Verdict judge(const Copy &copy);

/// Where coordinates of the leading dimensions and values of the terms lead.
Place placeOf(const Plain &plain, const std::vector<int64_t> &coordinates,
              const std::vector<int64_t> &terms);

/// The 64 bits of a descriptor, from bytes.
uint64_t encodeWord(int64_t start, int64_t ldo, int64_t sdo, int mode);

/// The XOR of a swizzle mode on an absolute byte address.
inline int64_t swizzled(int mode, int64_t address) {
  const int64_t mask = (int64_t(1) << mode) - 1;
  return address ^ (((address >> 7) & mask) << 4);
}

} // namespace agreement

#endif // TCGEN05_TEST_AGREEMENT_JUDGE_H
