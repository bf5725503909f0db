//===- Atom.h - The shapes of tcgen05.cp and its opcode ---------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction moves one atom: a block of rows by 32-bit words, from the
// walk of a descriptor into lanes that the shape dictates. There are six, and
// the table below is all that is known about them; everything else (the opcode
// string, the rules, the documentation) is derived from it.
//
//   tcgen05.cp.cta_group::1.64x128b.warpx2::01_23.b8x16.b4x16_p64
//              cta group    shape   multicast     decompression
//
// A multicast writes copies of every row, `replicas` of them, `replicaStride`
// lanes apart. Rows r of 64x128b.warpx2::01_23 go to lane 64*(r/32) + r%32, so
// that the copies 32 lanes further fill the gaps; those of warpx2::02_13 go to
// lane r. Source: PTX ISA 9.1 and ptxas 12.8 to 13.5.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_CP_ATOM_H
#define TCGEN05_LAYOUT_CP_ATOM_H

#include "tcgen05/Layout/Result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tcgen05 {
namespace layout {

/// Rows fall into groups of `groupRows`; the groups lie `groupStride` lanes
/// apart, the rows of a group `rowStride` lanes.
struct CpAtom {
  std::string_view shape;
  /// Empty if the shape takes none.
  std::string_view multicast;
  int64_t rows;
  int64_t words;
  int64_t groupRows;
  int64_t groupStride;
  int64_t rowStride;
  int64_t replicas;
  int64_t replicaStride;

  /// The lane of row r, relative to the lane of row 0.
  constexpr int64_t lane(int64_t row) const {
    return row / groupRows * groupStride + row % groupRows * rowStride;
  }
  /// The lanes from the lowest to the highest that is written, replicas
  /// included, plus one.
  constexpr int64_t laneSpan() const {
    return lane(rows - 1) + (replicas - 1) * replicaStride + 1;
  }
  /// `64x128b.warpx2::01_23`
  std::string str() const;
  /// `[2 : 32@lane]`, or `none`.
  std::string replicaStr() const;

  friend bool operator==(const CpAtom &a, const CpAtom &b) {
    return a.shape == b.shape && a.multicast == b.multicast;
  }
};

inline constexpr std::array<CpAtom, 6> kCpAtoms = {{
    {"128x256b", "", 128, 8, 128, 0, 1, 1, 0},
    {"128x128b", "", 128, 4, 128, 0, 1, 1, 0},
    {"4x256b", "", 4, 8, 4, 0, 32, 1, 0},
    {"64x128b", "warpx2::02_13", 64, 4, 64, 0, 1, 2, 64},
    {"64x128b", "warpx2::01_23", 64, 4, 32, 64, 1, 2, 32},
    {"32x128b", "warpx4", 32, 4, 32, 0, 1, 4, 32},
}};

/// The source formats that are expanded on the way, empty for none.
inline constexpr std::array<std::string_view, 3> kCpDecompress = {
    "", "b8x16.b4x16_p64", "b8x16.b6x16_p32"};

/// The qualifiers of a copy: an atom, a group, a decompression.
struct CpOpcode {
  CpAtom atom;
  int64_t ctaGroup = 1;
  std::string_view decompress = "";

  /// Rule C1: the four qualifiers as the op stores them; empty multicast and
  /// decompression for none.
  static Result<CpOpcode> create(int64_t ctaGroup, std::string_view shape,
                                 std::string_view multicast,
                                 std::string_view decompress);
  /// `cta_group::1.128x256b`, with or without `tcgen05.cp.` before it. Errors
  /// list what the slot accepts.
  static Result<CpOpcode> parse(std::string_view text);
  /// Without `tcgen05.cp.`.
  std::string str() const;

  friend bool operator==(const CpOpcode &a, const CpOpcode &b) {
    return a.atom == b.atom && a.ctaGroup == b.ctaGroup &&
           a.decompress == b.decompress;
  }
};

/// The 36 opcodes there are.
std::vector<CpOpcode> allCpOpcodes();

/// Who issues a copy, and with it the group axes that lead the operands'
/// shapes: none, (lane), (warp in group, lane), (warp, lane), (rank, warp,
/// lane).
enum class CpScope : uint8_t { Thread, Warp, WarpGroup, Cta, Cluster };
inline constexpr std::array<std::string_view, 5> kCpScopes = {
    "thread", "warp", "warpgroup", "cta", "cluster"};

inline constexpr std::string_view name(CpScope scope) {
  return kCpScopes[static_cast<unsigned>(scope)];
}
/// The scope of a name, as `kCpScopes` has them; an error without a rule for
/// any other.
Result<CpScope> parseCpScope(std::string_view text);

/// A coordinate of the issuing thread that a group axis stands for.
enum class GroupAxis : uint8_t { Rank, Warp, WarpInGroup, Lane };
std::string_view name(GroupAxis axis);
/// The group axes of a scope, outermost first.
std::vector<GroupAxis> groupAxes(CpScope scope);

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_CP_ATOM_H
