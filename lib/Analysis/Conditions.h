//===- Conditions.h - Under which conditions an op runs ---------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A guard is the set of literals (`tid == 0` is true, `%c` is false) that hold
// where a block runs: from the scf.if around it and from the branches that
// dominate it. Conjunctions are taken apart, and negated comparisons are the
// same condition with the other value, so that guards compare as sets.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_CONDITIONS_H
#define TCGEN05_LIB_ANALYSIS_CONDITIONS_H

#include "Values.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Dominance.h"

namespace tcgen05 {
namespace check {

/// What a condition says about the thread, as far as ptxas's treatment and the
/// number of threads that pass it are concerned.
struct Test {
  enum Kind : uint8_t {
    None,       ///< nothing: the same in all threads of the block
    Elect,      ///< one thread of each warp, which ptxas knows
    OneThread,  ///< the thread whose id is `which`
    OneLane,    ///< lane `which` of each warp, which ptxas does not know
    OneWarp,    ///< the threads of one warp
    WholeWarps, ///< the threads of some warps, or of one
    Unknown     ///< some threads
  };
  Kind kind = Unknown;
  int64_t which = 0;

  // A kind alone is a test. NOLINTNEXTLINE(misc-explicit-constructor)
  Test(Kind kind, int64_t which = 0) : kind(kind), which(which) {}
};

struct Literal {
  uint32_t number;
  bool value;
  friend bool operator<(Literal a, Literal b) {
    return std::tie(a.number, a.value) < std::tie(b.number, b.value);
  }
  friend bool operator==(Literal a, Literal b) {
    return a.number == b.number && a.value == b.value;
  }
};

/// Literals in ascending order.
using Guard = std::vector<Literal>;

/// A branch's edge: the literals that hold on it, and what its condition
/// depends on.
struct EdgeCondition {
  std::vector<Literal> literals;
  /// At least one of these holds too; none if nothing is said.
  std::vector<Literal> alternatives;
  uint8_t varies = 0;
  llvm::SmallVector<uint32_t, 2> leaves;
};

class Conditions {
public:
  Conditions(Values &values, mlir::DominanceInfo &dominance)
      : values(values), dominance(dominance) {}

  /// What holds when `condition` is `value`.
  EdgeCondition edge(mlir::Value condition, bool value);
  /// What holds on the edge from a block to its successor; nothing for
  /// terminators that are not understood.
  std::optional<EdgeCondition> edge(mlir::Block *from, mlir::Block *to);
  /// What holds in a block, as a number for `guard`.
  uint32_t guardOf(mlir::Block *block);
  const Guard &guard(uint32_t id) const { return guards[id]; }
  uint32_t intern(Guard guard);
  /// The guard without literals about the thread.
  uint32_t withoutThread(uint32_t id);

  /// What a literal of a guard says about the thread.
  Test test(Literal literal) const;
  /// Leaves of a literal's condition.
  llvm::ArrayRef<uint32_t> leaves(uint32_t number) const;
  uint8_t varies(uint32_t number) const;

private:
  struct Known {
    Test whenTrue = Test::Unknown, whenFalse = Test::Unknown;
    uint8_t varies = 0;
    llvm::SmallVector<uint32_t, 2> leaves;
  };
  void collect(mlir::Value condition, bool value,
               std::vector<Literal> &literals, unsigned depth);
  Literal literalOf(mlir::Value condition, bool value);
  void remember(Literal literal, mlir::Value condition, Test test);
  Test classify(mlir::Value condition, bool value);

  Values &values;
  mlir::DominanceInfo &dominance;
  std::vector<Guard> guards = {{}};
  std::map<Guard, uint32_t> ids = {{{}, 0}};
  llvm::DenseMap<mlir::Block *, uint32_t> blocks;
  llvm::DenseMap<uint32_t, Known> known;
  std::map<std::vector<uint64_t>, uint32_t> comparisons;
  llvm::DenseMap<uint32_t, uint32_t> withoutThreadOf;
};

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_CONDITIONS_H
