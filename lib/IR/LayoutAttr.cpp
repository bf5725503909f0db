//===- LayoutAttr.cpp - The layout attribute ------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/IR/Tcgen05.h"
#include "tcgen05/Layout/LayoutGrammar.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tcgen05;

#define GET_ATTRDEF_CLASSES
#include "tcgen05/IR/Attributes.cpp.inc"

namespace {
/// Offers the tokens of MLIR's parser to the grammar of layouts.
class AsmTokens : public layout::LayoutTokens {
public:
  explicit AsmTokens(AsmParser &parser) : parser(parser) {}

  bool punctuation(char c) override {
    switch (c) {
    case '(':
      return succeeded(parser.parseOptionalLParen());
    case ')':
      return succeeded(parser.parseOptionalRParen());
    case '[':
      return succeeded(parser.parseOptionalLSquare());
    case ']':
      return succeeded(parser.parseOptionalRSquare());
    case ':':
      return succeeded(parser.parseOptionalColon());
    case ',':
      return succeeded(parser.parseOptionalComma());
    case '+':
      return succeeded(parser.parseOptionalPlus());
    case '-':
      return succeeded(parser.parseOptionalMinus());
    case '*':
      return succeeded(parser.parseOptionalStar());
    case '?':
      return succeeded(parser.parseOptionalQuestion());
    default:
      return false;
    }
  }

  bool keyword(std::string_view word) override {
    return succeeded(
        parser.parseOptionalKeyword(StringRef(word.data(), word.size())));
  }

  bool symbol(std::string &name) override {
    StringAttr attribute;
    if (failed(parser.parseOptionalSymbolName(attribute)))
      return false;
    name = attribute.str();
    return true;
  }

  Number integer(int64_t &value) override {
    // MLIR's integers take a sign, those of the grammar do not: it has read
    // the sign already.
    const char *next = parser.getCurrentLocation().getPointer();
    if (!next || *next < '0' || *next > '9')
      return Number::Absent;
    OptionalParseResult result = parser.parseOptionalDecimalInteger(value);
    if (!result.has_value())
      return Number::Absent;
    return succeeded(*result) ? Number::Present : Number::Bad;
  }

  void fail(const std::string &message) override {
    parser.emitError(parser.getCurrentLocation(), message);
  }

private:
  AsmParser &parser;
};
} // namespace

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  AsmTokens tokens(parser);
  std::optional<layout::Layout> layout = layout::parseLayout(tokens);
  if (!layout || parser.parseGreater())
    return {};
  return get(parser.getContext(), std::move(*layout));
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<' << toLayout().str() << '>';
}

void Tcgen05Dialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tcgen05/IR/Attributes.cpp.inc"
      >();
}
