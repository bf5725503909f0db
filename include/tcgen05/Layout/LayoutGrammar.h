//===- LayoutGrammar.h - The text of a layout, from any lexer ---*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts are written in MLIR attributes and in plain strings. The grammar has
// one home, this one; it reads tokens through an interface that MLIR's parser
// and the ground floor's own lexer both offer.
//
//   layout  ::= shape `:` strides (`,` `replica` `[` replica-list `]`)?
//               (`,` `offset` `[` offset-list `]`)? (`,` `swizzle` int `B`)?
//   shape   ::= `[` extent (`,` extent)* `]`
//   extent  ::= int | `(` extent (`,` extent)* `)`
//   strides ::= `[` stride (`,` stride)* `]`       nested as the shape is
//   stride  ::= `-`? int (`@` axis)? | `(` stride (`,` stride)* `)`
//   replica ::= extent `:` stride
//   offset  ::= summand ((`+` | `-`) summand)* (`@` axis)?
//   summand ::= `-`? int | `?` int `*` `-`? int
//   axis    ::= `lane` | `col`
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_LAYOUTGRAMMAR_H
#define TCGEN05_LAYOUT_LAYOUTGRAMMAR_H

#include "tcgen05/Layout/Layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcgen05 {
namespace layout {

/// What the grammar needs of a lexer. Each call takes the next token if it is
/// the one asked for, and leaves it otherwise.
class LayoutTokens {
public:
  virtual ~LayoutTokens() = default;
  /// One of ( ) [ ] : , + - * ?
  virtual bool punctuation(char c) = 0;
  virtual bool keyword(std::string_view word) = 0;
  /// `@name`
  virtual bool symbol(std::string &name) = 0;
  /// An unsigned decimal integer. `Bad`: it does not fit, and the lexer has
  /// reported that.
  enum class Number : uint8_t { Absent, Present, Bad };
  virtual Number integer(int64_t &value) = 0;
  /// Reports an error at the next token.
  virtual void fail(const std::string &message) = 0;
};

/// Reads a layout; nothing if an error was reported. What follows the layout is
/// left to the caller.
std::optional<Layout> parseLayout(LayoutTokens &tokens);

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_LAYOUTGRAMMAR_H
