//===- Rules.h - What the rules of tcgen05.cp share -------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy after C4: its operands' dimensions have been told apart into group
// axes, repeat axes, rows and words. The rules on the destination (TmemRules)
// and on the source (SmemRules) fill in the plan from here.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_LAYOUT_CP_RULES_H
#define TCGEN05_LIB_LAYOUT_CP_RULES_H

#include "tcgen05/Layout/Cp/Plan.h"
#include "tcgen05/Layout/Placement.h"

#include <optional>
#include <string>
#include <vector>

namespace tcgen05 {
namespace layout {
namespace cp {

/// The position that linear index `index` has in a dimension, along `axis`.
int64_t evaluate(const std::vector<Leaf> &leaves, int64_t index, Axis axis);

/// All origins of an operand along one axis: its terms, then the group axes,
/// then the repeat axes, each of their modes a digit.
class Origins {
public:
  /// `unit` turns positions into what the rules speak of (bytes per element).
  Origins(const CpPlan &plan, Axis axis, int64_t constant,
          const std::vector<Term> &terms, int64_t unit = 1);

  const DigitSum &sum() const { return digits; }
  /// ` for stage 3, repeat (1, 0)`: the placement that a witness names. Group
  /// and repeat coordinates are left out where all of them are zero.
  std::string where(const Witness &witness) const;
  /// ` for a column origin of 2 + 4 * 1`: as `where`, terms spelled as a sum.
  std::string whereSum(const Witness &witness, const std::string &what) const;

private:
  std::string coordinates(const Witness &witness) const;

  const CpPlan &plan;
  Axis axis;
  const std::vector<Term> &terms;
  DigitSum digits;
};

/// `repeat (1, 0)`, with the group's coordinates before it if it has any:
/// `warp 2, lane 0, repeat (1)`. `values` are coordinates, one for each axis.
std::string nameIssue(const CpPlan &plan, const std::vector<int64_t> &values);

/// C5 to C9. Fills in the destination's part of the plan.
std::optional<Error> checkDst(const TmemRegion &dst, CpPlan &plan);
/// C10 to C14. Fills in the source's part and the walk.
std::optional<Error> checkSrc(const SmemRegion &src, CpMatching matching,
                              CpPlan &plan);

} // namespace cp
} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LIB_LAYOUT_CP_RULES_H
