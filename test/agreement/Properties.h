//===- Properties.h - What holds of every layout ----------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each check returns what is wrong, or an empty string. The expected answers
// come from listing positions.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TEST_AGREEMENT_PROPERTIES_H
#define TCGEN05_TEST_AGREEMENT_PROPERTIES_H

#include "Draw.h"

#include "tcgen05/Layout/Cp/Plan.h"

namespace agreement {

/// The text of a layout reads back as the layout, and so does a text that is
/// not in normal form.
std::string checkText(const tcgen05::layout::Layout &layout,
                      const tcgen05::layout::Layout::Parts &parts,
                      Random &random);

/// What `planCp` made of a copy that the judge finds legal: walk, descriptor
/// and each issue, for drawn addresses, term values and group coordinates.
std::string checkPlan(const Copy &copy, const Verdict &verdict,
                      const tcgen05::layout::CpPlan &plan, Random &random);

/// A sentence that names a stage, a group member or a repeat: the instruction
/// that these make goes where the sentence says.
std::string checkSentence(const Copy &copy, const Verdict &verdict,
                          const std::string &sentence);

/// Extremes, views, equivalence and placements of small drawn layouts.
std::string checkLayout(Random &random);

/// Extremes, residues and witnesses of a drawn sum of digits.
std::string checkDigits(Random &random);

/// A slice is taken exactly if its positions are those of a layout with the
/// same strides, and then has them.
std::string checkSlice(Random &random, bool &taken);

/// Every value of every field of a descriptor and of a TMEM address, there and
/// back; every word that must not decode.
std::string checkEncodings();

} // namespace agreement

#endif // TCGEN05_TEST_AGREEMENT_PROPERTIES_H
