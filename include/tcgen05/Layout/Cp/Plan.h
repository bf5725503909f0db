//===- Plan.h - Is this copy legal, and how is it issued --------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `planCp` decides the rules C2 to C14 (C1 is CpOpcode::create, C15 knows the
// target) and returns either the first that fails, as a sentence, or the plan:
// the walk, the constant part of the descriptor, and for each instruction the
// displacement in tensor memory and in shared memory. The verifier reports its
// error, the lowering emits its value, Python shows both. Nothing is decided
// anywhere else.
//
// A source element lies at base + origin + f(row) + g(word), and the walk reads
// at start + rowOffset(row) + wordOffset(word): both are sums, both are
// swizzled last. With the layout's own swizzle the walk therefore matches
// exactly if f and g agree with it, whatever the origin; 128 + 8 comparisons
// prove 128 * 8 points. With another swizzle the phase of every origin counts,
// and the points are compared for each phase that occurs.
//
// Origins are sums of independent digits (Placement.h): run-time terms, members
// of a group, repeats. All are decided together and exactly.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_CP_PLAN_H
#define TCGEN05_LAYOUT_CP_PLAN_H

#include "tcgen05/Layout/Cp/Atom.h"
#include "tcgen05/Layout/Region.h"
#include "tcgen05/Layout/SmemWalk.h"

#include <cstdint>
#include <vector>

namespace tcgen05 {
namespace layout {

/// One instruction: the address it writes to and the descriptor it reads from.
struct CpIssue {
  uint32_t taddr;
  uint64_t descriptor;
  friend bool operator==(const CpIssue &a, const CpIssue &b) {
    return a.taddr == b.taddr && a.descriptor == b.descriptor;
  }
};

/// One axis that a copy is repeated or grouped along, outermost first: its
/// length, and where each operand goes as its coordinate counts up. A nested
/// dimension has several modes.
struct CpAxis {
  int64_t extent;
  std::vector<Leaf> dst;
  std::vector<Leaf> src;
};

/// A displacement of a copy: lanes and columns from the tensor-memory view,
/// bytes from the shared-memory view, before swizzling.
struct CpOffset {
  int64_t lane = 0;
  int64_t col = 0;
  int64_t bytes = 0;
  friend bool operator==(const CpOffset &a, const CpOffset &b) {
    return a.lane == b.lane && a.col == b.col && a.bytes == b.bytes;
  }
};

/// What a legal copy is to the hardware: one walk and descriptor for all of its
/// instructions, and how far each of these, and each thread that issues them,
/// is displaced in lanes, columns and bytes.
struct CpPlan {
  CpOpcode opcode;
  CpScope scope;
  SmemWalk walk;
  /// The descriptor of shared address zero: all fields but the start.
  uint64_t descriptorBase;
  /// What the address of the source's view is a multiple of, in bytes.
  int64_t align;
  /// Where the first issue of the first group member goes, the terms aside.
  CpOffset origin;
  std::vector<CpAxis> groups;
  std::vector<CpAxis> repeats;
  /// The run-time terms of the operands' offsets, lanes before columns: what
  /// one step of each moves.
  std::vector<Term> dstLaneTerms, dstColTerms, srcTerms;

  int64_t numRepeats() const;
  /// The displacement of repeat `index` (row-major), relative to `origin`.
  CpOffset repeat(int64_t index) const;
  /// The displacement of a group axis at a coordinate.
  CpOffset group(unsigned axis, int64_t coordinate) const;

  /// What the hardware is given, in issue order, for views at address `taddr`
  /// and `saddr`, values of the terms (lanes before columns) and coordinates of
  /// the group axes; missing ones are zero. Fails if a value is out of bounds
  /// or an address is not that of a view.
  Result<std::vector<CpIssue>>
  issues(const std::vector<int64_t> &dstValues = {},
         const std::vector<int64_t> &srcValues = {},
         const std::vector<int64_t> &groupCoordinates = {}, uint32_t taddr = 0,
         int64_t saddr = 0) const;
};

/// How the source is compared with the walk. `Strides` looks at merged modes
/// and falls back to `Points` where they do not decide; the two agree.
enum class CpMatching : uint8_t { Strides, Points };

/// Rules C2 to C14, in order; the error is that of the first that fails.
Result<CpPlan> planCp(const CpOpcode &opcode, const TmemRegion &dst,
                      const SmemRegion &src, CpScope scope = CpScope::Thread,
                      CpMatching matching = CpMatching::Strides);

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_CP_PLAN_H
