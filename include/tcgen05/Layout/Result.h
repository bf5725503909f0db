//===- Result.h - Errors as values ------------------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ground floor throws nothing and aborts on nothing. What a user can get
// wrong comes back as an `Error`: the rule that was broken (`C7`, or empty for
// a malformed value), one sentence, and notes that say what would have worked.
// The sentence is written once, here on the ground floor, and every host (the
// MLIR verifier, Python, the command line) shows it unchanged.
//
//   Result<CpPlan> plan = planCp(...);
//   if (!plan)
//     return report(plan.error());
//   use(plan->walk);
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_RESULT_H
#define TCGEN05_LAYOUT_RESULT_H

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tcgen05 {
namespace layout {

/// Why something is not legal. `message` reads `expected X to be Y, but got Z`.
struct Error {
  /// The rule of docs/rules that was broken, or empty for a malformed value.
  std::string rule;
  std::string message;
  /// What would have worked, one sentence each.
  std::vector<std::string> notes = {};
};

/// A value or the error that stands in its place.
template <typename T> class [[nodiscard]] Result {
public:
  // Implicit, so that a function can return either.
  // NOLINTBEGIN(misc-explicit-constructor)
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : storage(std::in_place_index<1>, std::move(error)) {}
  // NOLINTEND(misc-explicit-constructor)

  explicit operator bool() const { return storage.index() == 0; }
  const T &operator*() const { return *std::get_if<0>(&storage); }
  T &operator*() { return *std::get_if<0>(&storage); }
  const T *operator->() const { return std::get_if<0>(&storage); }
  T *operator->() { return std::get_if<0>(&storage); }
  const Error &error() const { return *std::get_if<1>(&storage); }

private:
  std::variant<T, Error> storage;
};

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_RESULT_H
